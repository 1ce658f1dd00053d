package io.holdfast.codec;

import java.util.LinkedHashSet;
import java.util.Map;
import java.util.SequencedSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Chooses the codec of a class: the table behind [Codec#of].
final class BuiltInCodecs {
  private static final Codec<Integer> INTEGER = new IntegerCodec();
  private static final Codec<Long> LONG = new LongCodec();

  /// The primitive classes stand for their wrappers here; in a record [RecordHandles] treats them
  /// itself, without a box.
  private static final Map<Class<?>, Codec<?>> LEAVES =
      Map.of(
          int.class, INTEGER,
          Integer.class, INTEGER,
          long.class, LONG,
          Long.class, LONG,
          String.class, new StringCodec(),
          byte[].class, new ByteArrayCodec());

  private BuiltInCodecs() {}

  static <T> Codec<T> of(Class<T> type) {
    return of(type, new LinkedHashSet<>());
  }

  /// `enclosing` holds the records within which `type` is a component, the outermost first.
  @SuppressWarnings("unchecked") // LEAVES has each codec under its own class
  static <T> Codec<T> of(Class<T> type, SequencedSet<Class<?>> enclosing) {
    Codec<?> leaf = LEAVES.get(type);
    if (leaf != null) {
      return (Codec<T>) leaf;
    }
    if (!type.isRecord()) {
      throw unsupported(type, enclosing);
    }
    if (!enclosing.add(type)) {
      throw recursive(type, enclosing);
    }
    Codec<T> codec = RecordHandles.codec(type, enclosing);
    enclosing.remove(type);
    return codec;
  }

  private static IllegalArgumentException unsupported(
      Class<?> type, SequencedSet<Class<?>> enclosing) {
    String place = enclosing.isEmpty() ? "" : ", a component of " + path(enclosing.stream());
    return new IllegalArgumentException(
        ("There is no built-in codec for %s%s: supported are Integer, Long, String, byte[] and"
             + " records of these, int, long and such records; pass a Codec of your own instead of"
             + " the class")
            .formatted(type.getTypeName(), place));
  }

  /// Refused, because a chain of records as long as a list would need a stack as deep.
  private static IllegalArgumentException recursive(
      Class<?> type, SequencedSet<Class<?>> enclosing) {
    return new IllegalArgumentException(
        ("There is no built-in codec for record %s, which contains itself: %s; pass a Codec of your"
                + " own instead of the class")
            .formatted(
                type.getTypeName(), path(Stream.concat(enclosing.stream(), Stream.of(type)))));
  }

  private static String path(Stream<Class<?>> types) {
    return types.map(Class::getTypeName).collect(Collectors.joining(" > "));
  }
}
