package io.holdfast.collections.tree.node;

import io.holdfast.core.heap.Heap;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.region.Region;
import io.holdfast.core.section.Section;
import io.holdfast.core.section.SectionLock;
import io.holdfast.core.section.hooks.SectionHooks;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/// Which nodes there are, and what leads to them: one lock for all changes, which is taken after a
/// leaf's. Readers find the nodes that go held, from before the store that leads to others to the
/// section's end or its uncommitted release.
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

  /// Guarded by the lock.
  private final List<Integer> held = new ArrayList<>();

  /// @param anchor the word with the top
  public TreeStructure(Region region, Inner inner, Seqlocks seqlocks, long anchor) {
    this.memory = region.memory();
    this.heap = region.heap();
    this.inner = inner;
    this.seqlocks = seqlocks;
    this.anchor = anchor;
    this.anchorIndex = seqlocks.indexOf(anchor);
    this.lock = new SectionLock(region.sections(), key);
  }

  public int anchorIndex() {
    return anchorIndex;
  }

  public Section lock() {
    return lock.lock();
  }

  public void endSection(Section section) {
    lock.endSection(section);
  }

  /// Lets readers in, and unlocks; after the end of all the thread's sections here.
  public void unlock() {
    held.forEach(seqlocks::release);
    held.clear();
    lock.waiting().unlock();
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
