package io.holdfast.collections.tree;

import io.holdfast.core.section.VolatileState;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/// How many entries a tree has: counted once, when somebody first asks, and kept from then on. In
/// memory alone.
///
/// Thread-safe; exact while nobody changes the tree.
final class TreeCount implements VolatileState {
  private static final long UNKNOWN = -1;

  private final LongAdder changes = new LongAdder();
  private final LongAdder anyChanges = new LongAdder();

  private final AtomicLong rollbacks = new AtomicLong();

  /// What there was besides `changes`.
  private volatile long base = UNKNOWN;

  void add(long more) {
    changes.add(more);
    anyChanges.increment();
  }

  void forget() {
    base = UNKNOWN;
  }

  /// @param walk counts the entries one by one
  long count(LongSupplier walk) {
    long known = base;
    if (known != UNKNOWN) {
      return Math.max(0, known + changes.sum());
    }
    long before = anyChanges.sum();
    long counted = walk.getAsLong();
    long change = changes.sum();
    if (anyChanges.sum() == before) {
      base = counted - change;
    }
    return counted;
  }

  /// How many sections that changed the tree were rolled back. Who has read without a lock, and
  /// then made sure of the section that stored what he read, looks whether it is still the same,
  /// and if not, reads again (as QUEUE-5).
  long rollbacks() {
    return rollbacks.get();
  }

  /// Behind a section that was rolled back it is counted anew.
  @Override
  public void restore() {
    forget();
    rollbacks.incrementAndGet();
  }
}
