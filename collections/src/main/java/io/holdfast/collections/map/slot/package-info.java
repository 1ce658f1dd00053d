/// A map's root block, its slots, and how they are found by size: the bytes that `MapLayout`
/// describes.
package io.holdfast.collections.map.slot;
