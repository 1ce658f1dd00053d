package io.holdfast.collections.tree.rank;

import io.holdfast.collections.tree.node.Seqlocks;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;

/// How many entries there are below inner nodes, as far as somebody has counted them: a cache, in
/// memory alone. Before anybody asks, changes cost it nothing.
///
/// **RANK-1** A count is of use as long as its node was not changed (its seqlock), nothing below it
/// was (its number of changes), and the epoch is the same. A thread that changes how many entries a
/// leaf has first holds the leaf's readers, then raises the number of each node above it; a thread
/// that counts reads a node's number first, and keeps nothing that it counted in leaves that were
/// held. So of a change and a count at the same time one sees the other. Test: TreeRanksTest.
///
/// Numbers are in a table by the node's offset: nodes that share one are counted again for nothing.
///
/// Thread-safe.
final class SubtreeCounts {
  private static final int CHANGES = 1 << 12;
  private static final int TABLE_MIN = 1 << 10;

  /// A count for each of some 4,000 entries: enough for the largest region's.
  private static final int TABLE_MAX = 1 << 22;

  /// What was counted, and when.
  private record Known(long node, long seqlock, long change, long epoch, long entries) {}

  private final Seqlocks seqlocks;

  /// `null` before somebody asks.
  private volatile AtomicLongArray changes;

  private volatile AtomicReferenceArray<Known> table;
  private final AtomicInteger displaced = new AtomicInteger();

  /// @param seqlocks of inner nodes
  SubtreeCounts(Seqlocks seqlocks) {
    this.seqlocks = seqlocks;
  }

  /// From here on changes are noted.
  void use() {
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

  boolean isUsed() {
    return changes != null;
  }

  private static int index(long node, int length) {
    return (int) (node * 0x9E3779B97F4A7C15L >>> 36) & length - 1;
  }

  long change(long node) {
    return changes.get(index(node, CHANGES));
  }

  /// Something below a node is about to change.
  void changing(long node) {
    changes.getAndIncrement(index(node, CHANGES));
  }

  /// How many entries are below a node.
  ///
  /// @param seqlock its own, which the caller has read
  /// @return -1 if that is not known
  long find(long node, long seqlock, long epoch) {
    AtomicReferenceArray<Known> known = table;
    Known found = known.get(index(node, known.length()));
    return found != null
            && found.node == node
            && found.seqlock == seqlock
            && found.epoch == epoch
            && found.change == change(node)
        ? found.entries
        : -1;
  }

  private boolean isOfUse(Known known, long epoch) {
    int index = seqlocks.indexOf(known.node);
    return known.epoch == epoch
        && known.change == change(known.node)
        && seqlocks.isStill(index, known.seqlock);
  }

  /// Keeps what was counted.
  ///
  /// @param seqlock the node's, before
  /// @param change its number of changes, before
  void keep(long node, long seqlock, long change, long epoch, long entries) {
    AtomicReferenceArray<Known> known = table;
    int at = index(node, known.length());
    Known before = known.get(at);
    known.set(at, new Known(node, seqlock, change, epoch, entries));
    boolean displaces = before != null && before.node != node && isOfUse(before, epoch);
    if (displaces
        && known.length() < TABLE_MAX
        && displaced.incrementAndGet() > known.length() / 2) {
      displaced.set(0);
      table = new AtomicReferenceArray<>(known.length() * 4); // what was in it is counted again
    }
  }
}
