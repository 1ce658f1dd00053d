package io.holdfast.collections.tree.node;

import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;

/// How many entries there are below the children of inner nodes, as far as somebody has counted
/// them: a cache, in memory alone. Before anybody asks, changes cost it nothing.
///
/// **RANK-1** A count is of use as long as nothing in or below its node was changed (its number of
/// changes), and the epoch is the same. A thread that changes how many entries a leaf has first
/// holds the leaf's readers, then raises the number of the leaf, and then of each node above it,
/// upwards; a thread that counts reads a node's number first, then its child's, and keeps nothing
/// that it counted in leaves that were held. So of a change and a count at the same time one sees
/// the other. Who makes a node raises its number, since another one may have been counted in its
/// place. Test: TreeRanksTest.
///
/// Numbers are in a table by the node's offset: nodes that share one are counted again for nothing.
///
/// Thread-safe.
public final class SubtreeCounts {
  private static final int CHANGES = 1 << 12;
  private static final int TABLE_MIN = 1 << 10;

  /// A count for each of some 4,000 entries: enough for the largest region's.
  private static final int TABLE_MAX = 1 << 22;

  /// What was counted below a node, and when.
  ///
  /// @param change the node's number of changes, before
  /// @param changes its children's
  /// @param before how many entries are below its first children: none, the first, the first two
  public record Counted(
      long node, long change, long epoch, long[] children, long[] changes, long[] before) {
    /// A number of changes that no node has, for what can't be kept.
    public static final long NEVER = -1;

    /// How many entries are below the node.
    public long entries() {
      return before[children.length];
    }

    /// How many were below a child.
    ///
    /// @param change the child's number of changes now
    /// @return -1 if that is not known
    public long entries(int i, long child, long change) {
      boolean isSame = i < children.length && children[i] == child && changes[i] == change;
      return isSame ? before[i + 1] - before[i] : -1;
    }
  }

  /// `null` before somebody asks.
  private volatile AtomicLongArray changes;

  private volatile AtomicReferenceArray<Counted> table;
  private final AtomicInteger displaced = new AtomicInteger();

  /// From here on changes are noted.
  public void use() {
    if (changes == null) {
      synchronized (this) {
        if (changes == null) {
          table = new AtomicReferenceArray<>(TABLE_MIN);
          changes = new AtomicLongArray(CHANGES);
        }
      }
    }
    VarHandle.fullFence(); // RANK-1: before the first leaf's seqlock
  }

  public boolean isUsed() {
    return changes != null;
  }

  private static int index(long node, int length) {
    return (int) (node * 0x9E3779B97F4A7C15L >>> 36) & length - 1;
  }

  public long change(long node) {
    return changes.get(index(node, CHANGES));
  }

  /// Something below a node is about to change.
  public void changing(long node) {
    changes.getAndIncrement(index(node, CHANGES));
  }

  /// A node was made, or another block.
  void made(long node) {
    if (isUsed()) {
      changing(node);
    }
  }

  /// What was counted below a node last, in an epoch.
  ///
  /// @return `null` if that is not known
  public Counted find(long node, long epoch) {
    AtomicReferenceArray<Counted> all = table;
    Counted found = all.get(index(node, all.length()));
    return found != null && found.node == node && found.epoch == epoch ? found : null;
  }

  /// Whether nothing below its node was changed since.
  public boolean isStill(Counted counted) {
    return counted.change == change(counted.node);
  }

  public void keep(Counted counted) {
    AtomicReferenceArray<Counted> all = table;
    int at = index(counted.node, all.length());
    Counted before = all.get(at);
    all.set(at, counted);
    boolean displaces =
        before != null
            && before.node != counted.node
            && before.epoch == counted.epoch
            && isStill(before);
    if (displaces && all.length() < TABLE_MAX && displaced.incrementAndGet() > all.length() / 2) {
      displaced.set(0);
      table = new AtomicReferenceArray<>(all.length() * 4); // what was in it is counted again
    }
  }
}
