package io.holdfast.codec;

/// An `Integer` as 4 bytes, little endian.
final class IntegerCodec implements Codec<Integer> {
  @Override
  public String fingerprint() {
    return "Integer";
  }

  @Override
  public void encode(Integer value, EncodedOutput out) {
    out.writeInt(value);
  }

  @Override
  public Integer decode(EncodedInput in) {
    return in.readInt();
  }
}
