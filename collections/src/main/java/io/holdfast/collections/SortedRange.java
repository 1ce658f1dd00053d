package io.holdfast.collections;

import io.holdfast.collections.tree.leaf.LeafEntries;
import java.util.Objects;

/// The keys that a view has, between two bounds, of which `null` is none.
record SortedRange<K, V>(
    SortedEntries<K, V> entries, K low, boolean lowInclusive, K high, boolean highInclusive) {
  static <K, V> SortedRange<K, V> all(SortedEntries<K, V> entries) {
    return new SortedRange<>(entries, null, false, null, false);
  }

  /// The part of it that comes before a key in it.
  SortedRange<K, V> below(K key) {
    return new SortedRange<>(entries, low, lowInclusive, key, false);
  }

  /// The part of it from a key in it on.
  SortedRange<K, V> from(K key) {
    return new SortedRange<>(entries, key, true, high, highInclusive);
  }

  boolean isTooLow(K key) {
    if (low == null) {
      return false;
    }
    int compared = entries.compare(key, low);
    return compared < 0 || compared == 0 && !lowInclusive;
  }

  boolean isTooHigh(K key) {
    if (high == null) {
      return false;
    }
    int compared = entries.compare(key, high);
    return compared > 0 || compared == 0 && !highInclusive;
  }

  boolean contains(K key) {
    return !isTooLow(key) && !isTooHigh(key);
  }

  /// How many entries of a page come before the range's end, in a direction: as a rule all, so the
  /// last one is looked at first.
  int countIn(LeafEntries page, boolean ascending) {
    if ((ascending ? high : low) == null) {
      return page.size();
    }
    int inside = 0;
    int beyond = page.size();
    for (int middle = beyond - 1; inside < beyond; middle = inside + beyond >>> 1) {
      K key = entries.key(page, middle);
      if (ascending ? isTooHigh(key) : isTooLow(key)) {
        beyond = middle;
      } else {
        inside = middle + 1;
      }
    }
    return inside;
  }

  /// A part of it.
  ///
  /// @param newLow `null` for the present bound
  /// @param newHigh the same
  /// @throws IllegalArgumentException if it is no part, or none at all
  SortedRange<K, V> part(K newLow, boolean newLowInclusive, K newHigh, boolean newHighInclusive) {
    if (newLow != null && newHigh != null && entries.compare(newLow, newHigh) > 0) {
      throw new IllegalArgumentException(
          "a range ends before it begins: from=%s, to=%s".formatted(newLow, newHigh));
    }
    checkBound(newLow, newLowInclusive);
    checkBound(newHigh, newHighInclusive);
    return new SortedRange<>(
        entries,
        newLow == null ? low : newLow,
        newLow == null ? lowInclusive : newLowInclusive,
        newHigh == null ? high : newHigh,
        newHigh == null ? highInclusive : newHighInclusive);
  }

  private void checkBound(K bound, boolean inclusive) {
    boolean allowed = bound == null || contains(bound) || !inclusive && isOnEdge(bound);
    if (!allowed) {
      throw new IllegalArgumentException(
          "a bound is out of range: bound=%s, %s".formatted(bound, this));
    }
  }

  private boolean isOnEdge(K bound) {
    return (low == null || entries.compare(bound, low) >= 0)
        && (high == null || entries.compare(bound, high) <= 0);
  }

  void check(K key) {
    if (!contains(Objects.requireNonNull(key, "key"))) {
      throw new IllegalArgumentException("a key is out of range: key=%s, %s".formatted(key, this));
    }
  }

  @Override
  public String toString() {
    return "range=%s%s, %s%s"
        .formatted(lowInclusive ? "[" : "(", low, high, highInclusive ? "]" : ")");
  }
}
