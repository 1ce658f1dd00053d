package io.holdfast.codec;

/// A `byte[]`: its length, then its bytes.
record BytesCodec() implements BuiltIn<byte[]> {
  static final Schema SCHEMA = new Schema.Leaf("byte[]");

  @Override
  public Schema schema() {
    return SCHEMA;
  }

  @Override
  public Codec<byte[]> alone() {
    return new LoneBytesCodec();
  }

  @Override
  public void encode(byte[] value, EncodedOutput out) {
    out.writeLength(value.length);
    out.writeBytes(value, 0, value.length);
  }

  @Override
  public byte[] decode(EncodedInput in) {
    return in.readBytes(in.readLength());
  }
}
