/// The collections that a store hands out: {@link io.holdfast.collections.PersistentQueue}.
package io.holdfast.collections;
