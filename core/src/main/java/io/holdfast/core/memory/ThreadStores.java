package io.holdfast.core.memory;

import static io.holdfast.core.memory.RegionLayout.LINE_BYTES;

import io.holdfast.core.PersistenceCounts;

/// What one thread has stored in an {@link OrderedMemory} and is not durable yet: data, which undo
/// entries protect, and the rest, which is durable in order.
///
/// Not thread-safe: each thread has its own.
final class ThreadStores {
  private final Memory bytes;
  private final WriteBacks ofOrdered;
  private final WriteBacks ofData;

  /// The lines of the rest.
  final DirtyLines ordered;

  final DataFlush data;

  private long fences;

  ThreadStores(Memory bytes, FlushMode mode) {
    this.bytes = bytes;
    this.ofOrdered = new WriteBacks(bytes);
    this.ofData = new WriteBacks(bytes);
    this.ordered = new DirtyLines(ofOrdered);
    this.data = mode.flushOf(ofData);
  }

  /// Makes everything durable but data, and but the line of a word, which keeps its own order.
  void writeBackOthers(long offset) {
    ordered.flushAllBut(offset & -LINE_BYTES);
    fenceOrdered();
  }

  /// Makes everything durable but data.
  void writeBack() {
    ordered.flushAll();
    fenceOrdered();
  }

  /// Makes everything durable.
  void writeBackAll() {
    ordered.flushAll();
    data.flush();
    fence();
  }

  /// Does not wait if data alone are being written back.
  private void fenceOrdered() {
    if (ofOrdered.arePending()) {
      fence();
    }
  }

  /// Waits for what is being written back.
  void fence() {
    if (ofOrdered.arePending() || ofData.arePending()) {
      bytes.fence();
      fences++;
      ofOrdered.fenced();
      ofData.fenced();
    }
  }

  /// What was done so far.
  PersistenceCounts counts() {
    long lines = ofOrdered.lines() + ofData.lines();
    return new PersistenceCounts(
        ofOrdered.flushes() + ofData.flushes(), fences, lines, lines * LINE_BYTES);
  }
}
