package io.holdfast.codec;

import java.util.function.LongFunction;
import java.util.function.ToLongFunction;

/// The codec of a type that contains no others and whose values are words, by two functions.
///
/// A word is refused if its value has another one, so that each value has one form: this finds bits
/// above the value's bytes, and the many bits that are not a number.
///
/// @param name its fingerprint
/// @param word of a value; what is above its bytes is cut off
/// @param value of a word; may throw any runtime exception
record WordLeafCodec<T>(String name, int fixedSize, ToLongFunction<T> word, LongFunction<T> value)
    implements WordCodec<T>, BuiltIn<T> {
  @Override
  public Schema schema() {
    return new Schema.Leaf(name);
  }

  @Override
  public long toWord(T value) {
    return word.applyAsLong(value) & -1L >>> Long.SIZE - fixedSize * Byte.SIZE;
  }

  @Override
  public T fromWord(long bits) {
    T found;
    try {
      found = value.apply(bits);
    } catch (RuntimeException e) {
      throw new CodecException("Cannot read %s: word=0x%X".formatted(name, bits), e);
    }
    if (toWord(found) != bits) {
      throw new CodecException(
          "Cannot read %s: its word is 0x%X, not 0x%X".formatted(name, toWord(found), bits));
    }
    return found;
  }

  /// With the place of the bytes, which [#fromWord] does not know.
  @Override
  public T decode(EncodedInput in) {
    long bits = in.readWord(fixedSize);
    try {
      return fromWord(bits);
    } catch (CodecException e) {
      throw in.refused(e.getMessage(), e.getCause());
    }
  }
}
