package io.holdfast.core.heap;

import io.holdfast.core.memory.SpanTable;

/// Where the heap has its spans from: before the region grows, what is kept and unused is given
/// back.
///
/// Thread-safe. The caller holds no lock of the heap, because others' are taken.
final class SpanSource {
  private final SpanTable table;
  private final Runnable reclaim;

  /// @param reclaim gives back what the heap does not need
  SpanSource(SpanTable table, Runnable reclaim) {
    this.table = table;
    this.reclaim = reclaim;
  }

  /// Takes adjacent spans of those that the region has.
  ///
  /// @return the offset of the first, 0 if there are none, whatever was given back
  long takeFree(int count) {
    long offset = table.takeFree(count);
    if (offset == 0) {
      reclaim.run();
      offset = table.takeFree(count);
    }
    return offset;
  }

  /// Takes adjacent spans, growing the region if it has none.
  ///
  /// @throws io.holdfast.core.RegionFullException if the device has no room
  long take(int count) {
    long offset = takeFree(count);
    return offset != 0 ? offset : table.take(count);
  }

  void giveBack(long offset, int count) {
    table.giveBack(offset, count);
  }
}
