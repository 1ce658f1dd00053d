package io.holdfast.codec;

import java.util.List;
import java.util.Objects;
import java.util.Optional;

/// An `Optional` as one byte, 1 if there is a value, and then that.
record OptionalCodec<E>(Codec<E> element) implements BuiltIn<Optional<E>> {
  OptionalCodec {
    Objects.requireNonNull(element, "element");
  }

  @Override
  public Schema.Container schema() {
    return new Schema.Container("Optional", List.of(BuiltIn.schemaOf(element)));
  }

  @Override
  public Codec<Optional<E>> adaptedTo(Schema stored, Adaptation at) {
    Schema before = at.arguments(stored, schema()).getFirst();
    return new OptionalCodec<>(at.part("value", element, before));
  }

  @Override
  public Optional<E> absent() {
    return Optional.empty();
  }

  @Override
  public void encode(Optional<E> value, EncodedOutput out) {
    out.writeBoolean(value.isPresent());
    if (value.isPresent()) {
      element.encode(value.get(), out);
    }
  }

  @Override
  public Optional<E> decode(EncodedInput in) {
    return in.readBoolean() ? Optional.of(element.decode(in)) : Optional.empty();
  }
}
