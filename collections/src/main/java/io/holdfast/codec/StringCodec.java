package io.holdfast.codec;

/// A `String` as [EncodedOutput#writeString] writes it.
final class StringCodec implements Codec<String> {
  @Override
  public String fingerprint() {
    return "String";
  }

  @Override
  public void encode(String value, EncodedOutput out) {
    out.writeString(value);
  }

  @Override
  public String decode(EncodedInput in) {
    return in.readString();
  }
}
