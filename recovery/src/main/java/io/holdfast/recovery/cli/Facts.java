package io.holdfast.recovery.cli;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;

/// What a command has found: values by name, in the order in which they are shown. An {@link
/// Output} gives them a form.
///
/// A value is a text, a number, a boolean, an `Instant`, a `Duration`, {@link Bytes}, an {@link
/// Offset}, `null` for what is not known, other facts, a list of facts, which are a table, or a
/// list of texts.
///
/// Names are those of the JSON, in camel case; the other forms put spaces in. Not thread-safe.
final class Facts {
  /// A size. A number in JSON; for people also in its largest unit.
  record Bytes(long count) {
    private static final String[] UNITS = {"KiB", "MiB", "GiB", "TiB"};

    @Override
    public String toString() {
      if (count < 1024) {
        return count + " bytes";
      }
      double value = count;
      int unit = -1;
      while (value >= 1024 && unit < UNITS.length - 1) {
        value /= 1024;
        unit++;
      }
      return "%.1f %s".formatted(value, UNITS[unit]);
    }
  }

  /// A place in a region: hexadecimal in every form.
  record Offset(long value) {
    @Override
    public String toString() {
      return "0x%X".formatted(value);
    }
  }

  private final SequencedMap<String, Object> values = new LinkedHashMap<>();

  /// Adds a value after the others.
  Facts put(String name, Object value) {
    values.put(name, value);
    return this;
  }

  /// All values by name, in order.
  Map<String, Object> values() {
    return values;
  }

  /// A name as people read it.
  static String spoken(String name) {
    StringBuilder spoken = new StringBuilder();
    char last = 0;
    for (char c : name.toCharArray()) {
      if (Character.isUpperCase(c) || Character.isDigit(c) && Character.isLetter(last)) {
        spoken.append(' ');
      }
      spoken.append(Character.toLowerCase(c));
      last = c;
    }
    return spoken.toString();
  }

  /// The rows of a table, if a value is one.
  static List<Facts> rows(Object value) {
    return value instanceof List<?> list && !list.isEmpty() && list.getFirst() instanceof Facts
        ? list.stream().map(Facts.class::cast).toList()
        : List.of();
  }
}
