package io.holdfast.core.heap;

import static io.holdfast.core.memory.RegionLayout.SPAN_BYTES;

import java.util.Arrays;

/// Which slab holds a block, by span.
///
/// Thread-safe: a thread that has a block has it from one that knew its slab.
final class SlabMap {
  /// A region grows from 16 spans.
  private static final int SPANS_MIN = 64;

  private volatile Slab[] slabs = new Slab[SPANS_MIN];

  /// @return `null` if no slab is there
  Slab at(long block) {
    Slab[] known = slabs;
    long span = block / SPAN_BYTES;
    return block >= 0 && span < known.length ? known[(int) span] : null;
  }

  synchronized void put(Slab slab) {
    int first = (int) (slab.offset() / SPAN_BYTES);
    int end = first + slab.sizeClass().spans();
    if (end > slabs.length) {
      slabs = Arrays.copyOf(slabs, Math.max(end, slabs.length + slabs.length / 2));
    }
    Arrays.fill(slabs, first, end, slab);
  }

  synchronized void remove(Slab slab) {
    int first = (int) (slab.offset() / SPAN_BYTES);
    Arrays.fill(slabs, first, first + slab.sizeClass().spans(), null);
  }
}
