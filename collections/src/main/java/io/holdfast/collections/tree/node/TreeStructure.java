package io.holdfast.collections.tree.node;

import io.holdfast.collections.tree.node.Inner.Child;
import io.holdfast.core.heap.Heap;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.region.Region;
import io.holdfast.core.section.SectionLock;
import io.holdfast.core.section.hooks.SectionHooks;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/// Which nodes there are, and what leads to them: one lock for all changes, which is taken after a
/// leaf's. Readers find the nodes that go held, from before the store that leads to others to the
/// section's end or its uncommitted release.
///
/// **STRUCT-1** A section that changes the structure while it stores what it has held back keeps
/// the lock, and the held nodes, until it lets go of the leaves. So nobody else comes to the leaves
/// that it has made, whose locks it does not have, nor sees or depends on what it has not finished.
/// It takes no other lock of the tree meanwhile but by a try. Test:
/// TransactionTreeTest.struct1ASplitIsNotSeenBeforeTheEnd.
public final class TreeStructure {
  private final Memory memory;
  private final Heap heap;
  private final Inner inner;
  private final Seqlocks seqlocks;
  private final long anchor;

  /// The anchor's seqlock.
  private final int anchorIndex;

  /// Stands for the structure in dependencies.
  private final Object key = new Object();

  private final SectionLock lock;

  // Guarded by the lock.

  private final List<Integer> held = new ArrayList<>();

  /// STRUCT-1. Read in a race by others, which then don't have the lock.
  private boolean kept;

  /// The leaves that were made or are led to anew since it is kept.
  private final Set<Long> own = new HashSet<>();

  /// The locks of leaves that were taken besides since then.
  private final List<Integer> neighbours = new ArrayList<>(0);

  /// @param anchor the word with the top
  public TreeStructure(Region region, Inner inner, Seqlocks seqlocks, long anchor) {
    this.memory = region.memory();
    this.heap = region.heap();
    this.inner = inner;
    this.seqlocks = seqlocks;
    this.anchor = anchor;
    this.anchorIndex = seqlocks.indexOf(anchor);
    this.lock = new SectionLock(region.sections(), key, this::letReadersIn);
  }

  public int anchorIndex() {
    return anchorIndex;
  }

  /// Locks it, in an operation (LEVEL-1).
  public void lock() {
    lock.hold();
  }

  /// Lets readers in, unless it is kept, and unlocks ({@link SectionLock#giveUp}).
  public void giveUp() {
    lock.giveUp();
  }

  private void letReadersIn() {
    for (int i = 0; i < held.size(); i++) {
      seqlocks.release(held.get(i));
    }
    held.clear();
  }

  /// Keeps the lock until it is let go (STRUCT-1).
  public void keep() {
    if (!isKept()) {
      lock.hold();
      kept = true;
    }
  }

  /// Whether the calling thread keeps the lock.
  public boolean isKept() {
    return kept && lock.waiting().isHeldByCurrentThread();
  }

  /// Whether nobody but the calling thread can come to a leaf.
  public boolean isOwn(long leaf) {
    return isKept() && own.contains(leaf);
  }

  /// Has a leaf's lock be given up with this one.
  public void keepNeighbour(int index) {
    neighbours.add(index);
  }

  /// Of a change: what it leads to, and what it does not any more.
  void changed(List<Child> leaves, List<Long> gone) {
    if (kept) {
      leaves.forEach(leaf -> own.add(leaf.offset()));
      own.removeAll(gone);
    }
  }

  /// Those that are to be given up with this one, and before it.
  public List<Integer> neighbours() {
    return neighbours;
  }

  /// Gives up what is kept; see {@link SectionLock}.
  ///
  /// @param isOver whether the section has ended
  public void letGo(boolean isOver) {
    neighbours.clear();
    own.clear();
    kept = false;
    if (isOver) {
      lock.letGo();
    } else {
      lock.letGoOpenly();
    }
  }

  /// Runs something while nobody changes the structure; without a section.
  public <R> R whileQuiet(Supplier<R> action) {
    lock.take();
    try {
      return action.get();
    } finally {
      lock.waiting().unlock();
    }
  }

  /// TREE-6.
  public void observe() {
    SectionHooks.observed(key);
  }

  /// Begins a change. What it leads to can be made before the lock is taken.
  public StructureChange change() {
    return new StructureChange(this, memory, heap, inner, anchor);
  }

  /// Has readers of a node wait.
  void hold(long node) {
    hold(seqlocks.indexOf(node));
  }

  private void hold(int index) {
    seqlocks.hold(index);
    held.add(index);
  }

  /// Has all readers look again, wherever they are: the tree they are in is on its way out.
  public void holdAll() {
    for (int i = 0; i < seqlocks.count(); i++) {
      hold(i);
    }
  }
}
