package io.holdfast.core.memory;

import static io.holdfast.core.memory.RegionLayout.LINE_BYTES;

import java.util.Arrays;
import java.util.function.LongConsumer;

/// A set of lines, any number of them: a hash table that finds the next free place.
///
/// Not thread-safe.
final class LineSet {
  /// Sections store few lines as a rule, and each that waits has a set of its own.
  private static final int PLACES_MIN = 16;

  /// A larger table is not kept for the next section: 32 KiB of lines, 32 KiB of table.
  private static final int PLACES_KEPT = 1 << 11;

  private static final long NONE = -1;

  /// By place, the line that is there; a power of two, at most half of them taken.
  private long[] lines;

  /// The places that are taken, in the order in which they were.
  private int[] taken;

  private int count;

  LineSet() {
    allocate(PLACES_MIN);
  }

  private void allocate(int places) {
    lines = new long[places];
    taken = new int[places / 2];
    count = 0;
    Arrays.fill(lines, NONE);
  }

  void add(long line) {
    int place = placeOf(line);
    if (lines[place] != line) {
      if (count == taken.length) {
        grow();
        place = placeOf(line);
      }
      lines[place] = line;
      taken[count++] = place;
    }
  }

  private int placeOf(long line) {
    int mask = lines.length - 1;
    int place = (int) ((line / LINE_BYTES) * 0x9E3779B97F4A7C15L >>> 32) & mask;
    while (lines[place] != NONE && lines[place] != line) {
      place = place + 1 & mask;
    }
    return place;
  }

  private void grow() {
    long[] before = lines;
    int[] order = taken;
    allocate(2 * before.length);
    for (int place : order) {
      add(before[place]);
    }
  }

  /// Calls a consumer with each line, in the order in which they were added.
  void forEach(LongConsumer consumer) {
    for (int i = 0; i < count; i++) {
      consumer.accept(lines[taken[i]]);
    }
  }

  void clear() {
    if (lines.length > PLACES_KEPT) {
      allocate(PLACES_MIN);
    } else {
      for (int i = 0; i < count; i++) {
        lines[taken[i]] = NONE;
      }
      count = 0;
    }
  }
}
