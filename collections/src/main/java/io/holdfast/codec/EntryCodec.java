package io.holdfast.codec;

/// The codecs of the keys and the values of a collection of entries, with one fingerprint for both,
/// that of [Codec#mapOf]: `Map<String,Long>`.
///
/// @param <K> the type of the keys
/// @param <V> the type of the values
public record EntryCodec<K, V>(Codec<K> key, Codec<V> value) {
  /// The codecs of a new collection: keys and values are alone, so those that know take less there.
  public static <K, V> EntryCodec<K, V> of(Codec<K> key, Codec<V> value) {
    return new EntryCodec<>(alone(key), alone(value));
  }

  private static <T> Codec<T> alone(Codec<T> codec) {
    return codec instanceof BuiltIn<T> builtIn ? builtIn.alone() : codec;
  }

  /// What is stored with the root.
  public String fingerprint() {
    return asMap().fingerprint();
  }

  /// Both codecs as adapted to what was stored; see [Codec#adaptedTo].
  ///
  /// @throws IllegalArgumentException if stored keys or values can't be read; the message says
  ///   which part of them
  public EntryCodec<K, V> adaptedTo(String stored) {
    return asMap().adaptedTo(stored) instanceof MapCodec<K, V> adapted
        ? new EntryCodec<>(adapted.key(), adapted.value())
        : this;
  }

  private MapCodec<K, V> asMap() {
    return new MapCodec<>(key, value);
  }
}
