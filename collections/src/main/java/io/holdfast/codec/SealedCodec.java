package io.holdfast.codec;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// A value of a sealed interface as the number of its record, a varint: the place of its name in
/// the fingerprint; then the record.
///
/// @param choices by number
/// @param numbers by the record's class
record SealedCodec<T>(TypeRef type, List<Choice> choices, Map<Class<?>, Integer> numbers)
    implements BuiltIn<T> {
  record Choice(Class<?> type, Codec<?> codec) {
    /// Without its package, so that the package can be renamed.
    String name() {
      return type.getSimpleName();
    }
  }

  /// @param enclosing the records and sealed interfaces around, `type` included
  static Codec<?> of(TypeRef type, Enclosing enclosing) {
    List<Choice> choices = new ArrayList<>();
    collect(type.raw(), choices, enclosing);
    requireDifferentNames(type, choices);
    return ordered(type, choices);
  }

  private static void collect(Class<?> type, List<Choice> choices, Enclosing enclosing) {
    for (Class<?> permitted : type.getPermittedSubclasses()) {
      if (choices.stream().anyMatch(choice -> choice.type().equals(permitted))) {
        continue; // by way of another interface
      }
      if (permitted.isRecord()) {
        choices.add(new Choice(permitted, BuiltInCodecs.of(TypeRef.of(permitted), enclosing)));
      } else if (permitted.isInterface() && permitted.isSealed()) {
        collect(permitted, choices, enclosing);
      } else {
        throw new IllegalArgumentException(
            "There is no built-in codec for %s, as %s is neither a record nor a sealed interface"
                .formatted(type.getName(), permitted.getName()));
      }
    }
  }

  private static void requireDifferentNames(TypeRef type, List<Choice> choices) {
    if (choices.stream().map(Choice::name).distinct().count() < choices.size()) {
      throw new IllegalArgumentException(
          "There is no built-in codec for %s, as two of its records have the same simple name: %s"
              .formatted(type, choices.stream().map(Choice::type).toList()));
    }
  }

  private static <T> Codec<T> ordered(TypeRef type, List<Choice> choices) {
    Map<Class<?>, Integer> numbers = new HashMap<>();
    for (int i = 0; i < choices.size(); i++) {
      numbers.put(choices.get(i).type(), i);
    }
    return new SealedCodec<>(type, choices, numbers);
  }

  @Override
  public Schema.Named schema() {
    return new Schema.Named(
        "sealed",
        type.raw().getName(),
        choices.stream()
            .map(choice -> new Schema.Member(choice.name(), BuiltIn.schemaOf(choice.codec())))
            .toList());
  }

  @Override
  public Codec<T> adaptedTo(Schema stored, Adaptation at) {
    List<String> order = at.order(stored, schema());
    return at.enclosing()
        .within(
            type,
            () -> ordered(type, order.stream().map(name -> adapted(name, stored, at)).toList()));
  }

  private Choice adapted(String name, Schema stored, Adaptation at) {
    Choice choice =
        choices.stream().filter(each -> each.name().equals(name)).findFirst().orElseThrow();
    Schema now = BuiltIn.schemaOf(choice.codec());
    Schema.Member before = ((Schema.Named) stored).member(name);
    return new Choice(
        choice.type(), at.part(name, choice.codec(), before == null ? now : before.schema()));
  }

  @Override
  public void encode(T value, EncodedOutput out) {
    Integer number = numbers.get(value.getClass());
    if (number == null) {
      throw new ClassCastException(
          "A value is none of %s: class=%s".formatted(type, value.getClass().getName()));
    }
    out.writeLength(number);
    @SuppressWarnings("unchecked") // the codec of the value's class
    Codec<T> codec = (Codec<T>) choices.get(number).codec();
    codec.encode(value, out);
  }

  @Override
  @SuppressWarnings("unchecked") // its class is one of those that T permits
  public T decode(EncodedInput in) {
    int number = in.readLength();
    if (number >= choices.size()) {
      throw in.refused(
          "Cannot read a %s: number of its record=%d, records=%d"
              .formatted(type, number, choices.size()));
    }
    return (T) choices.get(number).codec().decode(in);
  }
}
