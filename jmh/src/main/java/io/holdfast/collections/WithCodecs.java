package io.holdfast.collections;

import io.holdfast.codec.Codec;
import io.holdfast.codec.EntryCodec;
import io.holdfast.collections.map.EntryMap;
import io.holdfast.core.region.Region;

/// A map as programs have it, over entries that are also used by themselves. In this package
/// because programs open a map at once, and by one class for its keys.
public final class WithCodecs {
  private WithCodecs() {}

  /// A map whose keys and values are of the same class.
  ///
  /// @param entries opened at the root
  public static <T> PersistentHashMap<T, T> of(
      Region region, Codec<T> codec, long root, EntryMap entries) {
    return new PersistentHashMap<>(region, EntryCodec.of(codec, codec), root, entries);
  }
}
