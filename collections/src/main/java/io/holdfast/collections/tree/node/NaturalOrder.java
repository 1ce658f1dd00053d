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
    if (fingerprint.equals("Long")) {
      return KeyOrder.WORDS;
    }
    KeyOrder decoded =
        KeyOrder.decoded(decoder, Comparator.naturalOrder(), EXACT.contains(fingerprint));
    return fingerprint.equals("String") ? new StringOrder(decoded) : decoded;
  }

  private NaturalOrder() {}
}
