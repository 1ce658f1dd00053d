package io.holdfast.collections.overlay;

import io.holdfast.codec.Encoded;
import java.util.Arrays;
import java.util.Comparator;

/// A range of a sorted map's keys in which the thread sees no entry, as a rule because it has
/// removed them: from the key at which a search began to the first key that it found. The next
/// search from the same key skips the range. Without that, n polls in a section or transaction
/// would go over n² removed entries, and a transaction would record each of these readings.
///
/// **GAP-1** There is no entry in it as long as the thread has put none into it or undone what it
/// did, and nothing has changed in place where it was read. A transaction is told of the latter by
/// its own readings; a section looks at the numbers of the parts. Test:
/// TransactionTreeTest.gap1WhatComesIntoAGapIsFound.
///
/// Confined to its thread.
public final class Gap {
  private final KeyedStore store;
  private final boolean ascending;

  /// Whether what was read in place may change unnoticed.
  private final boolean isWatched;

  /// Where the search began; `null` for the map's beginning.
  private Encoded from;

  private boolean fromInclusive;

  /// Where the next one begins.
  private Encoded until;

  private boolean untilInclusive;

  /// Whether there is one.
  private boolean isThere;

  private int count;
  private int[] parts = new int[4];
  private long[] numbers = new long[4];

  Gap(KeyedStore store, boolean ascending, boolean isWatched) {
    this.store = store;
    this.ascending = ascending;
    this.isWatched = isWatched;
  }

  /// Begins a search from a key on. If the gap begins at the same key, it is skipped.
  public void begin(Encoded key, boolean inclusive) {
    boolean isSame =
        isThere
            && fromInclusive == inclusive
            && (key == null ? from == null : key.equals(from))
            && (!isWatched || store.areStill(parts, numbers, count));
    if (!isSame) {
      drop();
      from = key;
      fromInclusive = inclusive;
      until = key;
      untilInclusive = inclusive;
    }
  }

  /// Where the search begins, or goes on; `null` for the map's beginning.
  public Encoded until() {
    return until;
  }

  public boolean untilInclusive() {
    return untilInclusive;
  }

  /// Nothing was found before a key.
  ///
  /// @param inclusive whether the next search looks at the key itself
  /// @param part where that was read
  /// @param number of the part, before
  public void growTo(Encoded key, boolean inclusive, int part, long number) {
    if (isWatched) {
      add(part, number);
    }
    until = key;
    untilInclusive = inclusive;
    isThere = true;
  }

  private void add(int part, long number) {
    if (count > 0 && parts[count - 1] == part && numbers[count - 1] == number) {
      return; // the same leaf once more
    }
    if (count == parts.length) {
      parts = Arrays.copyOf(parts, 2 * count);
      numbers = Arrays.copyOf(numbers, 2 * count);
    }
    parts[count] = part;
    numbers[count] = number;
    count++;
  }

  /// A value is about to be put for a key.
  void put(Encoded key) {
    if (isThere && isBefore(key)) {
      drop();
    }
  }

  /// Keys before the beginning are taken for those of the gap: that costs a search.
  private boolean isBefore(Encoded key) {
    Comparator<Encoded> order = store.keyOrder();
    int compared = ascending ? order.compare(key, until) : order.compare(until, key);
    return compared < 0 || compared == 0 && !untilInclusive;
  }

  void drop() {
    isThere = false;
    count = 0;
  }
}
