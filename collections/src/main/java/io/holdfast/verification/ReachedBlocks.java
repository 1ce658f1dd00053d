package io.holdfast.verification;

import io.holdfast.core.memory.RegionLayout;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;

/// Which blocks a walk has come to: a bit for each offset that can begin one, every 16 bytes, in
/// pieces that are made for spans as they are reached. That is at most a 128th of the region.
///
/// Thread-safe.
final class ReachedBlocks {
  /// Every block begins at a multiple of this.
  private static final int UNIT_BYTES = 16;

  private static final int WORDS = RegionLayout.SPAN_BYTES / UNIT_BYTES / Long.SIZE;

  private final AtomicReferenceArray<AtomicLongArray> spans;

  /// @param length of the region, in bytes
  ReachedBlocks(long length) {
    spans = new AtomicReferenceArray<>((int) (length / RegionLayout.SPAN_BYTES) + 1);
  }

  /// @return whether for the first time
  boolean reach(long block) {
    int span = (int) (block / RegionLayout.SPAN_BYTES);
    AtomicLongArray bits = spans.get(span);
    if (bits == null) {
      spans.compareAndSet(span, null, new AtomicLongArray(WORDS));
      bits = spans.get(span);
    }
    long bit = bit(block);
    return (bits.getAndUpdate(word(block), before -> before | bit) & bit) == 0;
  }

  boolean isReached(long block) {
    AtomicLongArray bits = spans.get((int) (block / RegionLayout.SPAN_BYTES));
    return bits != null && (bits.get(word(block)) & bit(block)) != 0;
  }

  private static int word(long block) {
    return (int) (block % RegionLayout.SPAN_BYTES / UNIT_BYTES / Long.SIZE);
  }

  private static long bit(long block) {
    return 1L << block / UNIT_BYTES % Long.SIZE;
  }
}
