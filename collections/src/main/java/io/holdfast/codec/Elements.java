package io.holdfast.codec;

import java.util.Arrays;

/// The elements of a list, a set, a map or an array: how each of them is written and read, and how
/// they are put in order.
final class Elements {
  /// An array is made longer as its elements are met. A number that damage has made is bound by the
  /// bytes that follow, but lists within lists could claim the same bytes once at each level.
  private static final int PRESIZED_MAX = 1 << 10;

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

  /// Elements and their number, in an array of that length.
  static <E> Object[] readAll(Codec<E> codec, EncodedInput in) {
    int count = in.readLength(1);
    Object[] elements = new Object[Math.min(count, PRESIZED_MAX)];
    for (int i = 0; i < count; i++) {
      if (i == elements.length) {
        elements = Arrays.copyOf(elements, (int) Math.min(count, 2L * i));
      }
      elements[i] = codec.decode(in);
    }
    return elements;
  }
}
