package io.holdfast.codec;

/// A `byte[]` as its length, then its bytes.
final class ByteArrayCodec implements Codec<byte[]> {
  @Override
  public String fingerprint() {
    return "byte[]";
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
