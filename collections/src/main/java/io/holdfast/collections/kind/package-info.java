/// What the store, its verification and the tools do with a collection whose elements' classes they
/// do not know: {@link io.holdfast.collections.kind.CollectionKind}, found by the root's kind.
package io.holdfast.collections.kind;
