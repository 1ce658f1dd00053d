package io.holdfast.collections.map.repair;

import static io.holdfast.core.memory.RegionLayout.LINE_BYTES;

import java.util.HashMap;
import java.util.Map;

/// A set of slots: a bit for each line, in pieces of 64 KiB of the region that are made as they are
/// needed. So a set of all slots takes about a 500th of their bytes.
///
/// Not thread-safe.
final class SlotSet {
  private static final int LINES = 1 << 10;

  private final Map<Long, long[]> pieces = new HashMap<>();
  private long size;

  /// @return whether it was not there
  boolean add(long slot) {
    long line = slot / LINE_BYTES;
    long[] piece = pieces.computeIfAbsent(line / LINES, key -> new long[LINES / Long.SIZE]);
    int word = (int) (line % LINES / Long.SIZE);
    long bit = 1L << line % Long.SIZE;
    boolean isNew = (piece[word] & bit) == 0;
    piece[word] |= bit;
    size += isNew ? 1 : 0;
    return isNew;
  }

  boolean contains(long slot) {
    long line = slot / LINE_BYTES;
    long[] piece = pieces.get(line / LINES);
    return piece != null && (piece[(int) (line % LINES / Long.SIZE)] & 1L << line % Long.SIZE) != 0;
  }

  long size() {
    return size;
  }
}
