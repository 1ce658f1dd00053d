/// What collections with keys have in common, for their tests.
package io.holdfast.collections.keyed;
