package io.holdfast.collections.tree.node;

import io.holdfast.codec.Encoded;
import java.util.Comparator;
import java.util.Set;
import java.util.function.Function;

/// The natural orders of keys, by the fingerprints of their codecs.
public final class NaturalOrder {
  /// Built-in codecs of classes whose natural order calls keys level only if they are equal.
  private static final Set<String> EXACT =
      Set.of(
          "Boolean",
          "Byte",
          "Short",
          "Character",
          "Integer",
          "Float",
          "Double",
          "String",
          "UUID",
          "BigInteger",
          "Instant",
          "Duration",
          "LocalDate",
          "LocalTime",
          "LocalDateTime",
          "Year",
          "YearMonth",
          "MonthDay");

  /// @param fingerprint of a built-in codec; of another one any text that none of these has
  /// @param decoder used where the order can't be told from the encoded form
  public static KeyOrder of(String fingerprint, Function<Encoded, Comparable<Object>> decoder) {
    KeyOrder decoded =
        KeyOrder.decoded(decoder, Comparator.naturalOrder(), EXACT.contains(fingerprint));
    return switch (fingerprint) {
      case "Long" -> KeyOrder.WORDS;
      case "String" -> new StringOrder(decoded);
      case "Byte" -> NumberOrder.integers(decoded, Byte.BYTES);
      case "Short", "MonthDay" -> NumberOrder.integers(decoded, Short.BYTES);
      case "Integer", "Year" -> NumberOrder.integers(decoded, Integer.BYTES);
      case "YearMonth" -> NumberOrder.integers(decoded, Byte.BYTES + Integer.BYTES);
      case "LocalDate", "LocalTime" -> NumberOrder.integers(decoded, Long.BYTES);
      case "Instant", "Duration" -> NumberOrder.integers(decoded, Long.BYTES + Integer.BYTES);
      case "UUID", "LocalDateTime" -> NumberOrder.integers(decoded, 2 * Long.BYTES);
      case "Float" -> NumberOrder.floats(decoded, Float.BYTES);
      case "Double" -> NumberOrder.floats(decoded, Double.BYTES);
      default -> decoded;
    };
  }

  private NaturalOrder() {}
}
