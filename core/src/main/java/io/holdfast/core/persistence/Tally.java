package io.holdfast.core.persistence;

import io.holdfast.core.PersistenceCounts;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;

/// Counts what a domain does, exactly, at the price of a few plain stores: an atomic addition would
/// wait for the write-back that it counts (its lock prefix orders `clwb`; measured, 100 ns).
///
/// Each thread counts for itself; the counts of threads that have died are added up when their
/// number has doubled.
final class Tally {
  private static final int FLUSHES = 0, FENCES = 1, LINES = 2, BYTES = 3, COUNTS = 4;
  private static final VarHandle COUNT = MethodHandles.arrayElementVarHandle(long[].class);

  /// In front of the thread local, by thread id; read and written in races that the check of the id
  /// makes harmless. A power of two.
  private static final int CACHED = 1 << 6;

  private static final int THREADS_MIN = 64;

  private final Mine[] cache = new Mine[CACHED];
  private final ThreadLocal<Mine> mine = ThreadLocal.withInitial(this::register);
  private final List<Mine> all = new ArrayList<>();
  private final long[] retired = new long[COUNTS];
  private int pruneAt = THREADS_MIN;

  /// The counts of one thread; it alone writes them.
  private static final class Mine {
    final long threadId = Thread.currentThread().threadId();
    final WeakReference<Thread> thread = new WeakReference<>(Thread.currentThread());
    final long[] counts = new long[COUNTS];

    void add(int index, long count) {
      COUNT.setOpaque(counts, index, counts[index] + count);
    }

    boolean isDead() {
      Thread owner = thread.get();
      return owner == null || !owner.isAlive();
    }
  }

  void flushed(long lines, long bytes) {
    Mine counts = mine();
    counts.add(FLUSHES, 1);
    counts.add(LINES, lines);
    counts.add(BYTES, bytes);
  }

  void fenced() {
    mine().add(FENCES, 1);
  }

  private Mine mine() {
    long id = Thread.currentThread().threadId();
    Mine cached = cache[place(id)];
    return cached != null && cached.threadId == id ? cached : find(id);
  }

  private Mine find(long id) {
    Mine found = mine.get();
    cache[place(id)] = found;
    return found;
  }

  private static int place(long id) {
    return (int) id & CACHED - 1;
  }

  private synchronized Mine register() {
    if (all.size() >= pruneAt) {
      all.removeIf(this::retire);
      pruneAt = Math.max(THREADS_MIN, 2 * all.size());
    }
    Mine counts = new Mine();
    all.add(counts);
    return counts;
  }

  private boolean retire(Mine counts) {
    if (!counts.isDead()) {
      return false;
    }
    for (int i = 0; i < COUNTS; i++) {
      retired[i] += (long) COUNT.getOpaque(counts.counts, i);
    }
    return true;
  }

  synchronized PersistenceCounts counts() {
    long[] sum = retired.clone();
    for (Mine counts : all) {
      for (int i = 0; i < COUNTS; i++) {
        sum[i] += (long) COUNT.getOpaque(counts.counts, i);
      }
    }
    return new PersistenceCounts(sum[FLUSHES], sum[FENCES], sum[LINES], sum[BYTES]);
  }
}
