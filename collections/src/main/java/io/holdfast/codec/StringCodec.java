package io.holdfast.codec;

/// A `String` as [EncodedOutput#writeString] writes it.
final class StringCodec implements BuiltIn<String> {
  private static final Schema SCHEMA = new Schema.Leaf("String");

  @Override
  public Schema schema() {
    return SCHEMA;
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
