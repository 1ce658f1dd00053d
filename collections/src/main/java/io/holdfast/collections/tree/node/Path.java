package io.holdfast.collections.tree.node;

import io.holdfast.codec.Encoded;

/// The way from the top to a leaf: the nodes, which of their children it takes, and what the
/// seqlocks of the words that lead to them were (STRUCT-2).
///
/// Confined to a thread.
public final class Path {
  private final Inner inner;
  private final Seqlocks seqlocks;

  /// Enough for most trees; a way is made for each search.
  private static final int USUAL_HEIGHT = 3;

  // By the node's height; entry 0 is not used.

  public long[] nodes = new long[USUAL_HEIGHT + 1];
  public int[] counts = new int[USUAL_HEIGHT + 1];
  public int[] chosen = new int[USUAL_HEIGHT + 1];
  private int[] indexes = new int[USUAL_HEIGHT + 1];
  private long[] numbers = new long[USUAL_HEIGHT + 1];

  /// Of the top.
  public int height;

  Path(Inner inner, Seqlocks seqlocks) {
    this.inner = inner;
    this.seqlocks = seqlocks;
  }

  /// Begins a way from a top of some height, at most HEIGHT_MAX.
  public void begin(int top) {
    height = top;
    if (nodes.length <= top) {
      nodes = new long[top + 1];
      counts = new int[top + 1];
      chosen = new int[top + 1];
      indexes = new int[top + 1];
      numbers = new long[top + 1];
    }
  }

  /// @param index of the seqlock
  /// @param number that it had
  public void set(int level, long node, int count, int child, int index, long number) {
    nodes[level] = node;
    counts[level] = count;
    chosen[level] = child;
    indexes[level] = index;
    numbers[level] = number;
  }

  /// What all keys of the leaf are less than; `null` if there is no such bound.
  public Encoded high() {
    for (int level = 1; level <= height; level++) {
      if (chosen[level] < counts[level] - 1) {
        return checked(inner.separator(nodes[level], counts[level], chosen[level]));
      }
    }
    return checked(null);
  }

  /// What no key of the leaf is less than; `null` if there is no such bound.
  public Encoded low() {
    for (int level = 1; level <= height; level++) {
      if (chosen[level] > 0) {
        return checked(inner.separator(nodes[level], counts[level], chosen[level] - 1));
      }
    }
    return checked(null);
  }

  /// A bound between its leaf and that of a way to a later one, about in the middle: no key of its
  /// leaf is as great, and none of the other's is less.
  ///
  /// @return `null` if there is none, or the nodes were changed meanwhile
  public Encoded middle(Path later) {
    int level = Math.min(height, later.height);
    while (level > 0 && chosen[level] == later.chosen[level]) {
      level--;
    }
    if (level == 0 || nodes[level] != later.nodes[level] || chosen[level] > later.chosen[level]) {
      return null;
    }
    int child = (chosen[level] + later.chosen[level] + 1) / 2;
    try {
      Encoded found = inner.separator(nodes[level], counts[level], child - 1);
      return isStill() && later.isStill() ? found : null;
    } catch (RuntimeException e) { // of what is no separator any more
      if (!(e instanceof Torn) && isStill()) {
        throw e;
      }
      return null;
    }
  }

  /// The seqlock of the node of a height.
  public int index(int level) {
    return indexes[level];
  }

  /// What that was.
  public long number(int level) {
    return numbers[level];
  }

  /// Whether it leads to the last leaf.
  public boolean isLast() {
    for (int level = 1; level <= height; level++) {
      if (chosen[level] < counts[level] - 1) {
        return false;
      }
    }
    return true;
  }

  /// TREE-5: whether none of the nodes was changed.
  public boolean isStill() {
    for (int level = 1; level <= height; level++) {
      if (!seqlocks.isStill(indexes[level], numbers[level])) {
        return false;
      }
    }
    return true;
  }

  private Encoded checked(Encoded found) {
    if (!isStill()) {
      throw Torn.TORN;
    }
    return found;
  }
}
