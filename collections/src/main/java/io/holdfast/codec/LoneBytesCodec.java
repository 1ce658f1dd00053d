package io.holdfast.codec;

/// A `byte[]` that is all of a key or a value: its bytes, whose end tells its length. Earlier
/// versions wrote the length here, too, and what they wrote is read and written as it was.
record LoneBytesCodec() implements BuiltIn<byte[]> {
  private static final Schema SCHEMA = new Schema.Leaf("bytes");

  @Override
  public Schema schema() {
    return SCHEMA;
  }

  @Override
  public Codec<byte[]> adaptedTo(Schema stored, Adaptation at) {
    if (stored.equals(BytesCodec.SCHEMA)) {
      return new BytesCodec();
    }
    at.expectSame(stored, SCHEMA);
    return this;
  }

  @Override
  public void encode(byte[] value, EncodedOutput out) {
    out.writeBytes(value, 0, value.length);
  }

  @Override
  public byte[] decode(EncodedInput in) {
    return in.readBytes(in.remaining());
  }
}
