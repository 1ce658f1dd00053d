package io.holdfast.collections.tree.leaf;

import io.holdfast.collections.tree.node.Seqlocks;
import java.util.function.LongSupplier;

/// How many entries a tree has: counted once, when somebody first asks, and kept from then on,
/// until a section that changed it is rolled back. In memory alone.
///
/// Thread-safe; exact while nobody changes the tree.
public final class TreeCount {
  private static final long UNKNOWN = -1;

  /// How many entries came and went, and how often: sums in the lines of leaves' seqlocks. Adders
  /// of their own went from thread to thread with each change.
  private static final int MORE = 1, CHANGES = 2;

  private final Seqlocks lines;

  /// What there was besides MORE.
  private volatile long base = UNKNOWN;

  /// @param lines the leaves'
  public TreeCount(Seqlocks lines) {
    this.lines = lines;
  }

  /// @param line of a leaf whose lock the caller has ({@link Operation#line})
  void add(int line, long more) {
    // In this order, which Intel and AMD keep: who counts amid the two sees that it is not alone.
    lines.add(line, CHANGES, 1);
    lines.add(line, MORE, more);
  }

  /// The count, if it is known; else -1.
  public long known() {
    long known = base;
    return known == UNKNOWN ? UNKNOWN : Math.max(0, known + lines.sum(MORE));
  }

  /// How often it was changed.
  public long changes() {
    return lines.sum(CHANGES);
  }

  /// Has it counted anew.
  public void forget() {
    base = UNKNOWN;
  }

  /// @param walk counts the entries one by one
  public long count(LongSupplier walk) {
    long known = base;
    if (known != UNKNOWN) {
      return Math.max(0, known + lines.sum(MORE));
    }
    long before = lines.sum(CHANGES);
    long counted = walk.getAsLong();
    long change = lines.sum(MORE);
    if (lines.sum(CHANGES) == before) {
      base = counted - change;
    }
    return counted;
  }
}
