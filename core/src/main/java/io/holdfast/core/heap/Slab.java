package io.holdfast.core.heap;

import io.holdfast.core.memory.Memory;
import io.holdfast.core.memory.RegionLayout;

/// Which blocks of a slab can be allocated: those whose bit on media is clear and is so durably. A
/// block that an unfinished section has freed is clear on media already, but not here.
///
/// Guarded by the lock of its class's {@link SlabList}.
final class Slab {
  private final SizeClass sizeClass;
  private final long offset;
  private final long[] free;
  private int freeCount;

  /// Reads a slab's bitmap. No section has touched it since the region was opened.
  Slab(Memory memory, SizeClass sizeClass, long offset) {
    this.sizeClass = sizeClass;
    this.offset = offset;
    this.free = new long[sizeClass.bitmapWords()];
    for (int i = 0; i < free.length; i++) {
      int bits = Math.min(64, sizeClass.blocks() - i * 64);
      long existing = bits == 64 ? -1L : (1L << bits) - 1;
      free[i] = existing & ~memory.readPlain(offset + (long) i * RegionLayout.WORD_BYTES);
      freeCount += Long.bitCount(free[i]);
    }
  }

  long offset() {
    return offset;
  }

  boolean hasFree() {
    return freeCount > 0;
  }

  /// Takes a free block.
  ///
  /// @return its index
  int take() {
    for (int i = 0; i < free.length; i++) {
      if (free[i] != 0) {
        int bit = Long.numberOfTrailingZeros(free[i]);
        free[i] &= ~(1L << bit);
        freeCount--;
        return i * 64 + bit;
      }
    }
    throw new IllegalStateException("no free block: slab=0x%X".formatted(offset));
  }

  void giveBack(int index) {
    free[index >>> 6] |= 1L << index;
    freeCount++;
  }

  SizeClass sizeClass() {
    return sizeClass;
  }
}
