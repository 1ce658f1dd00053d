package io.holdfast.codec;

import java.lang.reflect.Array;
import java.util.List;

/// An array of objects, in the form of a list.
record ArrayCodec<E>(Class<E> type, Codec<E> element) implements BuiltIn<E[]> {
  @SuppressWarnings({"unchecked", "rawtypes"}) // the codec of the class
  static Codec<?> of(Class<?> type, Codec<?> element) {
    return new ArrayCodec(type, element);
  }

  @Override
  public Schema.Container schema() {
    return new Schema.Container("Array", List.of(BuiltIn.schemaOf(element)));
  }

  @Override
  public Codec<E[]> adaptedTo(Schema stored, Adaptation at) {
    Schema before = at.arguments(stored, schema()).getFirst();
    return new ArrayCodec<>(type, at.part("element", element, before));
  }

  @Override
  public void encode(E[] value, EncodedOutput out) {
    Elements.writeAll(element, value, out);
  }

  @Override
  @SuppressWarnings("unchecked") // made here
  public E[] decode(EncodedInput in) {
    Object[] elements = Elements.readAll(element, in);
    E[] value = (E[]) Array.newInstance(type, elements.length);
    System.arraycopy(elements, 0, value, 0, elements.length);
    return value;
  }
}
