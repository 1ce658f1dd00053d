package io.holdfast.codec;

/// A codec whose values are words: each takes the same number of bytes, 8 or fewer. A collection
/// may keep such a value in a word of its own, without a buffer in between.
///
/// The word is the encoded bytes, little endian, zeros above them.
///
/// @param <T> the type of the values
public interface WordCodec<T> extends Codec<T> {
  /// From 1 to 8.
  @Override
  int fixedSize();

  /// The word of a value, which is never null.
  long toWord(T value);

  /// The value of a word.
  ///
  /// @throws CodecException if it is the word of none
  T fromWord(long word);

  @Override
  default void encode(T value, EncodedOutput out) {
    out.writeWord(toWord(value), fixedSize());
  }

  @Override
  default T decode(EncodedInput in) {
    return fromWord(in.readWord(fixedSize()));
  }
}
