package io.holdfast.core.heap;

import io.holdfast.core.memory.Memory;

/// A slab, and which of its blocks nobody has: those whose allocation byte on media is clear and is
/// so durably, and that no thread keeps for itself ({@link BlockCache}). A block that an unfinished
/// section has freed is clear on media already, but not here (HEAP-2).
///
/// Thread-safe. Its lock is taken inside of that of its {@link SlabList}.
final class Slab {
  private final Memory memory;
  private final SlabList list;
  private final SizeClass sizeClass;
  private final long offset;

  /// `null` until the allocation bytes are read.
  private volatile long[] free;

  private int freeCount;
  private boolean retired;

  Slab(Memory memory, SlabList list, SizeClass sizeClass, long offset) {
    this.memory = memory;
    this.list = list;
    this.sizeClass = sizeClass;
    this.offset = offset;
  }

  long offset() {
    return offset;
  }

  SizeClass sizeClass() {
    return sizeClass;
  }

  /// Where a block's allocation byte is.
  long allocationByteOf(int index) {
    return offset + index;
  }

  /// Whether a block is marked as used, on media.
  boolean isMarked(int index) {
    return isMarked(memory, offset, index);
  }

  /// The same for a slab that nobody has read yet.
  static boolean isMarked(Memory memory, long slab, int index) {
    long word = memory.readPlain(slab + (index & ~7));
    return (word >>> ((index & 7) << 3) & 0xff) != 0;
  }

  /// Reads the allocation bytes, if they were not read before. Until then no section has touched
  /// them since the region was opened.
  void read() {
    if (free == null) {
      readMarks();
    }
  }

  private synchronized void readMarks() {
    if (free == null) {
      long[] found = new long[(sizeClass.blocks() + 63) / 64];
      byte[] marks = new byte[sizeClass.blocks()];
      memory.readBytes(offset, marks, 0, marks.length);
      for (int i = 0; i < marks.length; i++) {
        if (marks[i] == 0) {
          found[i >>> 6] |= 1L << i;
          freeCount++;
        }
      }
      free = found;
    }
  }

  /// Takes free blocks of one line of allocation bytes.
  ///
  /// @return how many, 0 if there are none
  synchronized int take(int[] into, int most) {
    read();
    long[] words = free;
    for (int i = 0; i < words.length; i++) {
      if (words[i] != 0) {
        int taken = Math.min(most, Long.bitCount(words[i]));
        for (int k = taken - 1; k >= 0; k--) { // so that the lowest is on top
          int bit = Long.numberOfTrailingZeros(words[i]);
          words[i] &= words[i] - 1;
          into[k] = i * 64 + bit;
        }
        freeCount -= taken;
        return taken;
      }
    }
    return 0;
  }

  /// Gives a block back.
  void giveBack(int index) {
    boolean changed;
    synchronized (this) {
      free[index >>> 6] |= 1L << index;
      freeCount++;
      changed = freeCount == 1 || freeCount == sizeClass.blocks();
    }
    if (changed) {
      list.changed(this);
    }
  }

  synchronized boolean hasFree() {
    return freeCount > 0;
  }

  synchronized boolean isEmpty() {
    return freeCount == sizeClass.blocks();
  }

  /// Takes it out of use, if it is empty.
  ///
  /// @return whether it was, and was in use
  synchronized boolean retire() {
    boolean retires = !retired && free != null && isEmpty();
    retired |= retires;
    return retires;
  }

  /// Under the list's lock, as {@link #retire}.
  boolean isRetired() {
    return retired;
  }
}
