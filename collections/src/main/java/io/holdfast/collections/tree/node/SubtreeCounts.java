package io.holdfast.collections.tree.node;

import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;

/// How many entries there are below inner nodes, as far as somebody has counted them: a cache, in
/// memory alone. Before anybody asks, changes cost it nothing.
///
/// **RANK-1** A count is of use as long as nothing below its node was changed (its number of
/// changes), and the epoch is the same. A thread that changes how many entries a leaf has first
/// holds the leaf's readers, then raises the number of each node above it; a thread that counts
/// reads a node's number first, and keeps nothing that it counted in leaves that were held. So of a
/// change and a count at the same time one sees the other. Who makes a node raises its number,
/// since another one may have been counted in its place. Test: TreeRanksTest.
///
/// Numbers are in a table by the node's offset: nodes that share one are counted again for nothing.
///
/// Thread-safe.
public final class SubtreeCounts {
  private static final int CHANGES = 1 << 12;
  private static final int TABLE_MIN = 1 << 10;

  /// A count for each of some 4,000 entries: enough for the largest region's.
  private static final int TABLE_MAX = 1 << 22;

  /// What was counted, and when.
  private record Known(long node, long change, long epoch, long entries) {}

  /// `null` before somebody asks.
  private volatile AtomicLongArray changes;

  private volatile AtomicReferenceArray<Known> table;
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

  /// A node was made.
  void made(long node) {
    if (isUsed()) {
      changing(node);
    }
  }

  /// How many entries are below a node.
  ///
  /// @return -1 if that is not known
  public long find(long node, long epoch) {
    AtomicReferenceArray<Known> known = table;
    Known found = known.get(index(node, known.length()));
    return found != null && found.node == node && isOfUse(found, epoch) ? found.entries : -1;
  }

  private boolean isOfUse(Known known, long epoch) {
    return known.epoch == epoch && known.change == change(known.node);
  }

  /// Keeps what was counted.
  ///
  /// @param change its number of changes, before
  public void keep(long node, long change, long epoch, long entries) {
    AtomicReferenceArray<Known> known = table;
    int at = index(node, known.length());
    Known before = known.get(at);
    known.set(at, new Known(node, change, epoch, entries));
    boolean displaces = before != null && before.node != node && isOfUse(before, epoch);
    if (displaces
        && known.length() < TABLE_MAX
        && displaced.incrementAndGet() > known.length() / 2) {
      displaced.set(0);
      table = new AtomicReferenceArray<>(known.length() * 4); // what was in it is counted again
    }
  }
}
