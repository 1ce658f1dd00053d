package io.holdfast.collections.tree.node;

import io.holdfast.codec.Encoded;
import io.holdfast.collections.tree.node.Inner.Child;
import io.holdfast.collections.tree.node.Inner.Side;
import io.holdfast.core.region.Region;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/// Which nodes there are, and what leads to them.
///
/// **STRUCT-2** An inner node hangs on the word that leads to it, its parent's or the anchor: that
/// word's lock guards it and the node, and so does its seqlock, but for the node's words that lead
/// to other inner nodes. Nearly every change puts another node in the place of a lowest one, on the
/// same word. It takes one lock, and disturbs no reader of other nodes. A change that goes further
/// up copies nodes, whose words then lie elsewhere: it takes all locks, and holds all readers. So
/// nodes above the lowest stay where they are as long as a thread has any of the locks. There is no
/// deadlock: a thread takes one lock, after a leaf's, or, when it has none, all in their order.
/// Test: TreeStructureTest.
///
/// Readers find a word that is about to change held, from before the store to the section's end or
/// its uncommitted release.
///
/// **STRUCT-1** A section that changes the structure while it stores what it has held back keeps
/// all locks, and the held words, until it lets go of the leaves. So nobody else comes to the
/// leaves that it has made, whose locks it does not have, nor sees or depends on what it has not
/// finished. It takes no other lock of the tree meanwhile but by a try. Test:
/// TransactionTreeTest.struct1ASplitIsNotSeenBeforeTheEnd.
public final class TreeStructure {
  /// How often a reader tries before it waits for the change in its way, and before it locks all.
  private static final int ATTEMPTS = 3, ATTEMPTS_MAX = 30;

  final Region region;
  final Inner inner;
  final NodeLocks locks;
  final TreeReader reader;
  final SubtreeCounts counts;

  /// The word with the top.
  final long anchor;

  // Guarded by all locks.

  /// STRUCT-1. Read in a race by others, which then don't have the locks.
  private boolean kept;

  /// The leaves that were made or are led to anew since it is kept.
  private final Set<Long> own = new HashSet<>();

  /// The locks of leaves that were taken besides since then.
  private final List<Integer> neighbours = new ArrayList<>(0);

  /// @param locks of inner nodes
  /// @param anchor the word with the top
  public TreeStructure(
      Region region,
      Inner inner,
      NodeLocks locks,
      TreeReader reader,
      SubtreeCounts counts,
      long anchor) {
    this.region = region;
    this.inner = inner;
    this.locks = locks;
    this.reader = reader;
    this.counts = counts;
    this.anchor = anchor;
  }

  /// Locks all of it, in an operation (LEVEL-1).
  public void lock() {
    locks.lockAll();
  }

  /// Lets readers in, and unlocks ({@link io.holdfast.core.section.SectionLock#giveUp}).
  public void giveUp() {
    locks.giveUpAll();
  }

  /// Keeps all locks until they are let go (STRUCT-1).
  void keep() {
    if (!isKept()) {
      locks.lockAll();
      kept = true;
    }
  }

  /// Whether the calling thread keeps the locks.
  public boolean isKept() {
    return kept && locks.holds(0) > 0;
  }

  /// Whether nobody but the calling thread can come to a leaf.
  public boolean isOwn(long leaf) {
    return isKept() && own.contains(leaf);
  }

  /// Has a leaf's lock be given up with these.
  public void keepNeighbour(int index) {
    neighbours.add(index);
  }

  /// Of a change: what it leads to, and what it does not any more.
  void changed(List<Child> leaves, List<Long> gone) {
    if (isKept()) {
      leaves.forEach(leaf -> own.add(leaf.offset()));
      own.removeAll(gone);
    }
  }

  /// Those that are to be given up with these, and before them.
  public List<Integer> neighbours() {
    return neighbours;
  }

  /// Gives up what is kept; see {@link io.holdfast.core.section.SectionLock}.
  ///
  /// @param isOver whether the section has ended
  public void letGo(boolean isOver) {
    neighbours.clear();
    own.clear();
    kept = false;
    locks.letAllGo(isOver);
  }

  /// Goes from the top to a leaf; not in vain for ever.
  ///
  /// @param attempt how often that was tried before
  /// @return false if something was changed on the way: look again
  public boolean find(Encoded key, Side side, TreeReader.Found found, Path path, int attempt) {
    if (attempt >= ATTEMPTS_MAX || isKept()) {
      return whileQuiet(() -> reader.findLocked(key, side, found, path));
    }
    if (attempt >= ATTEMPTS) {
      locks.await(found.parent);
    }
    return reader.find(key, side, found, path);
  }

  /// Runs something while nobody else changes the structure; without a section.
  public <R> R whileQuiet(Supplier<R> action) {
    if (isKept()) {
      return action.get();
    }
    locks.lockAll();
    try {
      return action.get();
    } finally {
      locks.unlockAll();
    }
  }

  /// TREE-6.
  public void observe() {
    locks.observe(0);
  }

  /// Begins a change. What it leads to can be made before anything is locked.
  ///
  /// @param keeps whether what it locks is to be kept (STRUCT-1)
  public StructureChange change(boolean keeps) {
    return new StructureChange(this, keeps);
  }

  /// Has all readers look again, wherever they are: the tree they are in is on its way out.
  public void holdAll() {
    locks.holdReaders();
  }
}
