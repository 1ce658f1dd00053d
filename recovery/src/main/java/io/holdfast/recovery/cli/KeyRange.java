package io.holdfast.recovery.cli;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;

/// Which keys are asked for, by texts on the command line: from one, inclusive, to another,
/// exclusive. For keys of a simple type with an order; the texts are what the type's own `parse`
/// reads.
///
/// @param from `null` for no bound
/// @param to `null` for no bound
record KeyRange(Comparable<Object> from, Comparable<Object> to) {
  private static final Map<String, Function<String, Comparable<?>>> PARSERS =
      Map.ofEntries(
          Map.entry("Long", Long::valueOf),
          Map.entry("Integer", Integer::valueOf),
          Map.entry("Short", Short::valueOf),
          Map.entry("Byte", Byte::valueOf),
          Map.entry("Double", Double::valueOf),
          Map.entry("Float", Float::valueOf),
          Map.entry("String", text -> text),
          Map.entry("UUID", UUID::fromString),
          Map.entry("BigInteger", BigInteger::new),
          Map.entry("BigDecimal", BigDecimal::new),
          Map.entry("Instant", Instant::parse),
          Map.entry("Duration", Duration::parse),
          Map.entry("LocalDate", LocalDate::parse),
          Map.entry("LocalTime", LocalTime::parse),
          Map.entry("LocalDateTime", text -> LocalDateTime.parse(text)));

  /// Whether keys of a codec can be given as texts.
  static boolean isPossible(String codec) {
    return PARSERS.containsKey(codec);
  }

  /// @param codec of the keys
  /// @throws IllegalArgumentException if a text is none of such a key
  static KeyRange of(String codec, String from, String to) {
    return new KeyRange(parse(codec, from), parse(codec, to));
  }

  @SuppressWarnings("unchecked") // keys are compared with keys of their own class
  private static Comparable<Object> parse(String codec, String text) {
    if (text == null) {
      return null;
    }
    try {
      return (Comparable<Object>) PARSERS.get(codec).apply(text);
    } catch (RuntimeException e) {
      throw new IllegalArgumentException("not a key of type %s: %s".formatted(codec, text), e);
    }
  }

  boolean contains(Object key) {
    return (from == null || from.compareTo(key) <= 0) && !isAfter(key);
  }

  /// Whether a key is not less than the range's end, so that no later one is.
  boolean isAfter(Object key) {
    return to != null && to.compareTo(key) <= 0;
  }
}
