package io.holdfast.codec;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/// The elements of a list, a set, a map or an array: how each of them is written and read, and how
/// they are put in order.
final class Elements {
  private Elements() {}

  static <E> void write(Codec<E> codec, E element, EncodedOutput out) {
    if (element == null) {
      throw new NullPointerException(
          "An element of a collection or an array must not be null: type=" + codec.fingerprint());
    }
    int start = out.length();
    codec.encode(element, out);
    if (out.length() == start) { // or a few bytes could ask for billions of elements
      throw new IllegalArgumentException(
          "An element of a collection needs at least one byte: codec=" + codec.fingerprint());
    }
  }

  /// Elements in the order in which they are met, with their number before them.
  static <E> void writeAll(Codec<E> codec, Object[] elements, EncodedOutput out) {
    out.writeLength(elements.length);
    for (Object element : elements) {
      @SuppressWarnings("unchecked") // they come out of a collection of E
      E typed = (E) element;
      write(codec, typed, out);
    }
  }

  /// @param elements filled; as long as [EncodedInput#readLength(int)] says
  static <E> void readAll(Codec<E> codec, Object[] elements, EncodedInput in) {
    for (int i = 0; i < elements.length; i++) {
      elements[i] = codec.decode(in);
    }
  }

  static <E> List<E> readList(Codec<E> codec, EncodedInput in) {
    Object[] elements = new Object[in.readLength(1)];
    readAll(codec, elements, in);
    @SuppressWarnings("unchecked") // the codec's
    List<E> list = (List<E>) Arrays.asList(elements);
    return Collections.unmodifiableList(list);
  }
}
