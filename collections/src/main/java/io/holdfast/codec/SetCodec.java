package io.holdfast.codec;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/// A set as the number of its elements, then these in the order of their bytes.
record SetCodec<E>(Codec<E> element) implements BuiltIn<Set<E>> {
  SetCodec {
    Objects.requireNonNull(element, "element");
  }

  @Override
  public Schema.Container schema() {
    return new Schema.Container("Set", List.of(BuiltIn.schemaOf(element)));
  }

  @Override
  public Codec<Set<E>> adaptedTo(Schema stored, Adaptation at) {
    Schema before = at.arguments(stored, schema()).getFirst();
    return new SetCodec<>(at.part("element", element, before));
  }

  @Override
  public Set<E> absent() {
    return Set.of();
  }

  @Override
  public void encode(Set<E> value, EncodedOutput out) {
    Object[] elements = value.toArray();
    out.writeLength(elements.length);
    AscendingPieces pieces = new AscendingPieces(out, elements.length);
    for (Object each : elements) {
      @SuppressWarnings("unchecked") // out of a set of E
      E typed = (E) each;
      Elements.write(element, typed, out);
      pieces.endKey();
      pieces.endPiece();
    }
    pieces.arrange();
  }

  @Override
  public Set<E> decode(EncodedInput in) {
    int size = in.readLength(1);
    Set<E> value = new LinkedHashSet<>();
    AscendingCheck check = new AscendingCheck(in);
    for (int i = 0; i < size; i++) {
      check.beginKey();
      E each = element.decode(in);
      check.endKey();
      check.expectNew(value.add(each));
    }
    return Collections.unmodifiableSet(value);
  }
}
