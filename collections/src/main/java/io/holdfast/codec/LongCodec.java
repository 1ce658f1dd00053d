package io.holdfast.codec;

/// A `Long` as 8 bytes, little endian: a class of its own, because maps go by it.
final class LongCodec implements WordCodec<Long>, BuiltIn<Long> {
  private static final Schema SCHEMA = new Schema.Leaf("Long");

  @Override
  public Schema schema() {
    return SCHEMA;
  }

  @Override
  public int fixedSize() {
    return Long.BYTES;
  }

  @Override
  public long toWord(Long value) {
    return value;
  }

  @Override
  public Long fromWord(long word) {
    return word;
  }

  @Override
  public void encode(Long value, EncodedOutput out) {
    out.writeLong(value);
  }

  @Override
  public Long decode(EncodedInput in) {
    return in.readLong();
  }
}
