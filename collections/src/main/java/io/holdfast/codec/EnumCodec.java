package io.holdfast.codec;

import java.util.Arrays;
import java.util.List;

/// An enum's constant as its number, a varint: the place of its name in the fingerprint.
///
/// @param constants by number
/// @param numbers by ordinal
record EnumCodec<E extends Enum<E>>(Class<E> type, List<E> constants, int[] numbers)
    implements BuiltIn<E> {
  @SuppressWarnings({"unchecked", "rawtypes"}) // the class of an enum
  static Codec<?> of(Class<?> type) {
    return ordered((Class) type, Arrays.asList((Enum[]) type.getEnumConstants()));
  }

  private static <E extends Enum<E>> Codec<E> ordered(Class<E> type, List<E> constants) {
    int[] numbers = new int[constants.size()];
    for (int i = 0; i < numbers.length; i++) {
      numbers[constants.get(i).ordinal()] = i;
    }
    return new EnumCodec<>(type, constants, numbers);
  }

  @Override
  public Schema.Named schema() {
    return new Schema.Named(
        "enum",
        type.getName(),
        constants.stream().map(each -> new Schema.Member(each.name(), Schema.NONE)).toList());
  }

  @Override
  public Codec<E> adaptedTo(Schema stored, Adaptation at) {
    List<E> ordered =
        at.order(stored, schema()).stream().map(name -> Enum.valueOf(type, name)).toList();
    return ordered(type, ordered);
  }

  @Override
  public void encode(E value, EncodedOutput out) {
    out.writeLength(numbers[type.cast(value).ordinal()]); // or another enum's would pass for ours
  }

  @Override
  public E decode(EncodedInput in) {
    int number = in.readLength();
    if (number >= constants.size()) {
      throw in.refused(
          "Cannot read a constant of enum %s: number=%d, constants=%d"
              .formatted(type.getName(), number, constants.size()));
    }
    return constants.get(number);
  }
}
