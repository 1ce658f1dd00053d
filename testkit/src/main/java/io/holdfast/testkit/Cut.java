package io.holdfast.testkit;

import java.util.Arrays;
import java.util.Objects;
import java.util.stream.Collectors;

/// A set of events that a crash can leave on media: a prefix of the program order, less stores that
/// were lost, and stores after it that were done early.
///
/// @param prefix so many events from the first
/// @param early indices of the stores after the prefix, ascending
/// @param lost indices of the stores before it that are not on media, ascending
/// @param partialLength if the event after the prefix is a growth that was cut off, the length that
///   it left; else -1
record Cut(int prefix, int[] early, int[] lost, long partialLength) {
  private static final int[] NONE = {};

  static Cut at(int prefix) {
    return new Cut(prefix, NONE, NONE, -1);
  }

  Cut withEarly(int[] stores) {
    return new Cut(prefix, stores, lost, partialLength);
  }

  Cut withLost(int[] stores) {
    return new Cut(prefix, early, stores, partialLength);
  }

  Cut withLength(long length) {
    return new Cut(prefix, early, lost, length);
  }

  /// A line to copy: `12`, `12+14,17`, `12-3,5`, `12~8192`.
  @Override
  public String toString() {
    return prefix
        + list("+", early)
        + list("-", lost)
        + (partialLength < 0 ? "" : "~" + partialLength);
  }

  private static String list(String sign, int[] stores) {
    return stores.length == 0
        ? ""
        : Arrays.stream(stores)
            .mapToObj(String::valueOf)
            .collect(Collectors.joining(",", sign, ""));
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof Cut other
        && prefix == other.prefix
        && partialLength == other.partialLength
        && Arrays.equals(early, other.early)
        && Arrays.equals(lost, other.lost);
  }

  @Override
  public int hashCode() {
    return Objects.hash(prefix, Arrays.hashCode(early), Arrays.hashCode(lost), partialLength);
  }
}
