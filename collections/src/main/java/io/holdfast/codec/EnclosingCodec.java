package io.holdfast.codec;

/// Stands for the codec of a record or a sealed interface within itself.
///
/// @param level how many levels out it is
record EnclosingCodec<T>(int level, Enclosing.Knot<T> knot) implements BuiltIn<T> {
  @Override
  public Schema schema() {
    return new Schema.Enclosing(level);
  }

  @Override
  @SuppressWarnings("unchecked") // the same type at the same level
  public Codec<T> adaptedTo(Schema stored, Adaptation at) {
    at.expectSame(stored, schema());
    return new EnclosingCodec<>(level, (Enclosing.Knot<T>) at.enclosing().at(level));
  }

  @Override
  public void encode(T value, EncodedOutput out) {
    knot.codec().encode(value, out);
  }

  @Override
  public T decode(EncodedInput in) {
    return knot.codec().decode(in);
  }
}
