package io.holdfast.core.memory;

import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;

/// Notes which pages of a memory are stored to while a copy of it is made, and can hold all stores
/// for a moment.
///
/// - **WATCH-1** A page is noted after the store, and taken before it is copied: a store that a
///   copy has not seen is noted in the next round.
/// - **WATCH-2** When {@link #hold} returns, every store that was begun is done and noted, and none
///   begins before {@link #release}: the memory is as at one moment, which lies between two stores
///   of each thread. It is what a crash of the process would leave.
///
/// Test of both: BackupTest.watch1And2MoneyMoves.
///
/// Thread-safe.
final class DirtyPages {
  private static final int PAGE_SHIFT = 12;

  /// Pages of a row: 64 MiB.
  private static final int ROW_SHIFT = 14;

  /// Counters of threads that are in the middle of a store, a line apart.
  private static final int COUNTERS = 32;

  private static final int APART = 16;

  private final AtomicReferenceArray<AtomicLongArray> rows =
      new AtomicReferenceArray<>((int) (RegionLayout.MAX_BYTES >>> PAGE_SHIFT + ROW_SHIFT));
  private final AtomicIntegerArray storing = new AtomicIntegerArray(COUNTERS * APART);
  private volatile boolean held;

  /// Begins a store; waits while all are held.
  ///
  /// @return what to end it with
  int begin() {
    int counter = (int) (Thread.currentThread().threadId() % COUNTERS) * APART;
    storing.incrementAndGet(counter);
    while (held) { // after the count, or the holder might miss this store (WATCH-2)
      storing.decrementAndGet(counter);
      awaitRelease();
      storing.incrementAndGet(counter);
    }
    return counter;
  }

  private synchronized void awaitRelease() {
    Uninterrupted.awaitWhile(() -> held, this);
  }

  /// Ends a store.
  void end(int counter) {
    storing.decrementAndGet(counter);
  }

  /// Notes the pages of some bytes that were stored.
  void note(long offset, long bytes) {
    long last = offset + bytes - 1 >>> PAGE_SHIFT;
    for (long page = offset >>> PAGE_SHIFT; page <= last; page++) {
      AtomicLongArray row = row(page);
      int word = (int) (page & (1 << ROW_SHIFT) - 1) >>> 6;
      long bit = 1L << page;
      if ((row.get(word) & bit) == 0) {
        row.getAndUpdate(word, before -> before | bit);
      }
    }
  }

  private AtomicLongArray row(long page) {
    int number = (int) (page >>> ROW_SHIFT);
    AtomicLongArray row = rows.get(number);
    if (row == null) {
      rows.compareAndSet(number, null, new AtomicLongArray(1 << ROW_SHIFT - 6));
      row = rows.get(number);
    }
    return row;
  }

  /// Receives runs of pages.
  interface RunVisitor<E extends Exception> {
    void visit(long offset, long bytes) throws E;
  }

  /// How many bytes are in pages that were stored to since they were taken last.
  long noted() {
    long pages = 0;
    for (int i = 0; i < rows.length(); i++) {
      AtomicLongArray row = rows.get(i);
      for (int word = 0; row != null && word < row.length(); word++) {
        pages += Long.bitCount(row.get(word));
      }
    }
    return pages << PAGE_SHIFT;
  }

  /// Takes all pages that were stored to, runs of them together.
  ///
  /// @return how many bytes they have
  <E extends Exception> long take(RunVisitor<E> visitor) throws E {
    long taken = 0;
    for (int i = 0; i < rows.length(); i++) {
      AtomicLongArray row = rows.get(i);
      for (int word = 0; row != null && word < row.length(); word++) {
        long first = ((long) i << ROW_SHIFT) + word * 64L;
        // WATCH-1: before they are copied.
        for (long bits = row.getAndSet(word, 0); bits != 0; ) {
          int from = Long.numberOfTrailingZeros(bits);
          int count = Long.numberOfTrailingZeros(~(bits >>> from));
          visitor.visit(first + from << PAGE_SHIFT, (long) count << PAGE_SHIFT);
          taken += (long) count << PAGE_SHIFT;
          bits &= count + from >= 64 ? 0 : -1L << from + count;
        }
      }
    }
    return taken;
  }

  /// Holds all stores (WATCH-2).
  void hold() {
    held = true;
    for (int i = 0; i < COUNTERS; i++) {
      while (storing.get(i * APART) != 0) {
        LockSupport.parkNanos(1_000);
      }
    }
  }

  /// Lets them go on.
  synchronized void release() {
    held = false;
    notifyAll();
  }
}
