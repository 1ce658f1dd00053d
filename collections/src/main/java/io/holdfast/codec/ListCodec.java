package io.holdfast.codec;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;

/// A list as the number of its elements, then these.
record ListCodec<E>(Codec<E> element) implements BuiltIn<List<E>> {
  ListCodec {
    Objects.requireNonNull(element, "element");
  }

  @Override
  public Schema.Container schema() {
    return new Schema.Container("List", List.of(BuiltIn.schemaOf(element)));
  }

  @Override
  public Codec<List<E>> adaptedTo(Schema stored, Adaptation at) {
    Schema before = at.arguments(stored, schema()).getFirst();
    return new ListCodec<>(at.part("element", element, before));
  }

  @Override
  public List<E> absent() {
    return List.of();
  }

  @Override
  public void encode(List<E> value, EncodedOutput out) {
    Elements.writeAll(element, value.toArray(), out);
  }

  @Override
  @SuppressWarnings("unchecked") // the codec's elements
  public List<E> decode(EncodedInput in) {
    List<E> list = (List<E>) Arrays.asList(Elements.readAll(element, in));
    return Collections.unmodifiableList(list);
  }
}
