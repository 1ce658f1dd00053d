package io.holdfast.collections.tree.node;

import io.holdfast.codec.Encoded;
import io.holdfast.collections.tree.node.Inner.Side;
import io.holdfast.core.memory.Memory;

/// Finds the way to leaves, without a lock (TREE-5).
///
/// Thread-safe.
public final class TreeReader {
  private final Memory memory;
  private final Inner inner;
  private final Seqlocks seqlocks;
  private final long anchor;
  private final int anchorIndex;

  public TreeReader(Memory unordered, Inner inner, Seqlocks seqlocks, long anchor) {
    this.memory = unordered;
    this.inner = inner;
    this.seqlocks = seqlocks;
    this.anchor = anchor;
    this.anchorIndex = seqlocks.indexOf(anchor);
  }

  /// A way through the tree, to be filled.
  public Path path() {
    return new Path(inner, seqlocks);
  }

  /// Where a leaf was found. Confined to a thread.
  public static final class Found {
    /// 0 if the tree has no node.
    public long leaf;

    /// The seqlock of what led there: its number, and what it was.
    public int parent;

    public long number;
  }

  /// Goes from the top to a leaf.
  ///
  /// @param path is filled, unless it is `null`
  /// @return whether nothing was changed on the way; look again if not
  public boolean find(Encoded key, Side side, Found found, Path path) {
    return find(key, side, found, path, false);
  }

  /// The same for a thread that has the structure's locks: nodes that are held are so by itself,
  /// and it sees what it has changed.
  public boolean findLocked(Encoded key, Side side, Found found, Path path) {
    return find(key, side, found, path, true);
  }

  private boolean find(Encoded key, Side side, Found found, Path path, boolean isLocked) {
    try {
      return down(key, side, found, path, isLocked);
    } catch (RuntimeException e) { // of a comparator, perhaps, that was given nonsense
      if (!(e instanceof Torn) && isStill(found)) {
        throw e;
      }
      return false;
    }
  }

  private boolean down(Encoded key, Side side, Found found, Path path, boolean isLocked) {
    found.parent = anchorIndex;
    found.number = seqlocks.read(anchorIndex);
    if (Seqlocks.isHeld(found.number) && !isLocked) {
      return false;
    }
    long top = memory.readAcquire(anchor);
    long node = top & ~TreeLayout.HEIGHT_MASK;
    int level = (int) (top & TreeLayout.HEIGHT_MASK);
    if (level > TreeLayout.HEIGHT_MAX) {
      return false;
    }
    if (path != null) {
      path.begin(level);
    }
    for (; level > 0; level--) {
      int count = inner.count(node);
      int child = inner.choose(node, count, side, key);
      if (path != null) {
        path.set(level, node, count, child, found.parent, found.number);
      }
      if (level > 1) {
        int index = seqlocks.indexOf(Inner.childAt(node, child));
        long number = seqlocks.read(index);
        if (!isStill(found)) {
          return false;
        }
        found.parent = index;
        found.number = number;
        if (Seqlocks.isHeld(number) && !isLocked) {
          return false;
        }
      }
      node = inner.child(node, child);
    }
    found.leaf = node;
    return node == 0 ? isStill(found) : inner.isInside(node, TreeLayout.LEAF_BYTES);
  }

  /// Goes to the leaf beside one, below the same node.
  ///
  /// @param path leads to the one, and then to the other
  /// @return false if there is none, or the node was changed since
  public boolean step(int step, Found found, Path path) {
    int child = path.chosen[1] + step;
    if (path.height == 0 || child < 0 || child >= path.counts[1]) {
      return false;
    }
    long node = path.nodes[1];
    found.parent = path.index(1);
    found.number = path.number(1);
    found.leaf = inner.child(node, child);
    if (!isStill(found) || !inner.isInside(found.leaf, TreeLayout.LEAF_BYTES)) {
      return false;
    }
    path.chosen[1] = child;
    return true;
  }

  /// Whether what led to a leaf was not changed since.
  public boolean isStill(Found found) {
    return seqlocks.isStill(found.parent, found.number);
  }
}
