package io.holdfast.codec;

/// How the keys or values of a collection become bytes and come back. A codec has no state of its
/// own: threads share it.
///
/// ```java
/// record Trade(long id, String text) {}
/// Codec<Trade> trades = Codec.of(Trade.class);
/// ```
///
/// A codec of your own must keep two rules. `decode` consumes exactly what `encode` wrote, and
/// values that are equal have equal bytes, as collections compare and hash the bytes of keys.
///
/// @param <T> the type of the values
public interface Codec<T> {
  /// A text that names the encoded form, such as `Long` or `record shop.Order(id:long)`. It is
  /// stored with the root and compared when the root is opened again, so it changes exactly when
  /// old bytes can no longer be read.
  String fingerprint();

  /// Writes `value`, which is never null, to `out`.
  void encode(T value, EncodedOutput out);

  /// Reads a value that [#encode] wrote.
  ///
  /// @throws CodecException if the bytes are not such a value
  T decode(EncodedInput in);

  /// The codec for `Integer`, `Long`, `String`, `byte[]`, or a record whose components are of these
  /// types, `int`, `long`, or such records themselves. Components may be null unless primitive.
  ///
  /// A record is rebuilt by its canonical constructor, so what that checks is checked again. An
  /// exception that the constructor or an accessor throws becomes a [CodecException] with it as the
  /// cause; an [Error] stays what it is. Making the codec of a record takes milliseconds: keep it.
  ///
  /// @throws IllegalArgumentException if there is none for the type; the message says why
  static <T> Codec<T> of(Class<T> type) {
    return BuiltInCodecs.of(type);
  }
}
