package io.holdfast.codec;

/// A `Long` as 8 bytes, little endian.
final class LongCodec implements Codec<Long> {
  @Override
  public String fingerprint() {
    return "Long";
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
