package io.holdfast.collections.kind;

/// A sorted map's fingerprint in its parts.
///
/// @param codecs the fingerprint of keys and values
/// @param order the comparator's name; empty for the natural order
public record SortedFingerprint(String codecs, String order) {
  private static final String SORTED_BY = " sorted by ";

  /// Takes one apart.
  public static SortedFingerprint of(String fingerprint) {
    int end = fingerprint.indexOf(SORTED_BY);
    return end < 0
        ? new SortedFingerprint(fingerprint, "")
        : new SortedFingerprint(
            fingerprint.substring(0, end), fingerprint.substring(end + SORTED_BY.length()));
  }

  /// The whole.
  @Override
  public String toString() {
    return order.isEmpty() ? codecs : codecs + SORTED_BY + order;
  }
}
