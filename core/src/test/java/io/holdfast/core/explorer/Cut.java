package io.holdfast.core.explorer;

import java.util.Arrays;
import java.util.stream.Collectors;

/// A set of events that a crash can leave on media: a prefix of the program order, and stores
/// behind it that were done early.
///
/// @param prefix so many events from the first
/// @param early indices of the stores behind the prefix, ascending
/// @param partialLength if the event behind the prefix is a growth that was cut off, the length
///   that it left; else -1
record Cut(int prefix, int[] early, long partialLength) {
  private static final int[] NONE = {};

  static Cut at(int prefix) {
    return new Cut(prefix, NONE, -1);
  }

  /// A line to copy: `12`, `12+14,17`, `12~8192`.
  @Override
  public String toString() {
    if (partialLength >= 0) {
      return prefix + "~" + partialLength;
    }
    return early.length == 0
        ? "" + prefix
        : prefix
            + Arrays.stream(early)
                .mapToObj(String::valueOf)
                .collect(Collectors.joining(",", "+", ""));
  }

  static Cut parse(String line) {
    String[] parts = line.split("[+~]");
    int prefix = Integer.parseInt(parts[0]);
    if (line.contains("~")) {
      return new Cut(prefix, NONE, Long.parseLong(parts[1]));
    }
    return parts.length == 1
        ? at(prefix)
        : new Cut(
            prefix, Arrays.stream(parts[1].split(",")).mapToInt(Integer::parseInt).toArray(), -1);
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof Cut other
        && prefix == other.prefix
        && partialLength == other.partialLength
        && Arrays.equals(early, other.early);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(early) * 31 + prefix * 7 + Long.hashCode(partialLength);
  }
}
