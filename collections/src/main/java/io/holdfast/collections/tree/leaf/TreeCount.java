package io.holdfast.collections.tree.leaf;

import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/// How many entries a tree has: counted once, when somebody first asks, and kept from then on,
/// until a section that changed it is rolled back. In memory alone.
///
/// Thread-safe; exact while nobody changes the tree.
public final class TreeCount {
  private static final long UNKNOWN = -1;

  private final LongAdder changes = new LongAdder();
  private final LongAdder anyChanges = new LongAdder();

  /// What there was besides `changes`.
  private volatile long base = UNKNOWN;

  void add(long more) {
    changes.add(more);
    anyChanges.increment();
  }

  /// The count, if it is known; else -1.
  public long known() {
    long known = base;
    return known == UNKNOWN ? UNKNOWN : Math.max(0, known + changes.sum());
  }

  /// How often it was changed.
  public long changes() {
    return anyChanges.sum();
  }

  /// Has it counted anew.
  public void forget() {
    base = UNKNOWN;
  }

  /// @param walk counts the entries one by one
  public long count(LongSupplier walk) {
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
}
