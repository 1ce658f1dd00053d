package io.holdfast.collections.tree.node;

import io.holdfast.core.section.Section;
import io.holdfast.core.section.SectionLock;
import io.holdfast.core.section.Sections;
import io.holdfast.core.section.hooks.SectionHooks;
import java.util.function.Supplier;

/// Locks of nodes, and the seqlocks that each of them guards, in tables: those of leaves by the
/// leaf's offset, those of inner nodes by the word that leads to the node ({@link TreeStructure}).
///
/// Thread-safe.
public final class NodeLocks {
  /// So many leaves' that two threads seldom meet.
  private static final int LEAVES = 1 << 7;

  /// Fewer: changes of inner nodes are rare, and some take them all.
  private static final int INNER = 1 << 4;

  /// More, for readers pass by inner nodes each time.
  private static final int INNER_SEQLOCKS = 1 << 8;

  private final Seqlocks seqlocks;
  private final SectionLock[] locks;
  private final Object[] keys;
  private final Sections sections;

  private NodeLocks(Sections sections, int count, int seqlockCount, Supplier<Object> key) {
    this.sections = sections;
    this.seqlocks = new Seqlocks(seqlockCount);
    this.locks = new SectionLock[count];
    this.keys = new Object[count];
    for (int i = 0; i < count; i++) {
      int first = i;
      keys[i] = key.get();
      locks[i] = new SectionLock(sections, keys[i], () -> admit(first));
    }
  }

  /// Leaves' locks, with a seqlock and a key each.
  public static NodeLocks ofLeaves(Sections sections) {
    return new NodeLocks(sections, LEAVES, LEAVES, Object::new);
  }

  /// Inner nodes' locks. They share a key, by which a reader observes in one look all that led it
  /// to a leaf.
  public static NodeLocks ofInner(Sections sections) {
    Object key = new Object();
    return new NodeLocks(sections, INNER, INNER_SEQLOCKS, () -> key);
  }

  private void admit(int first) {
    for (int i = first; i < seqlocks.count(); i += locks.length) {
      seqlocks.release(i);
    }
  }

  private SectionLock at(int index) {
    return locks[index & locks.length - 1];
  }

  public Seqlocks seqlocks() {
    return seqlocks;
  }

  /// The number of a seqlock; its lock is meant by it, too.
  ///
  /// @param offset of a leaf, or of the word that leads to an inner node
  public int indexOf(long offset) {
    return seqlocks.indexOf(offset);
  }

  public int count() {
    return seqlocks.count();
  }

  public Section lock(int index) {
    return at(index).lock();
  }

  /// The section that the calling thread is in.
  public Section current() {
    return sections.current();
  }

  public void endSection(int index, Section section) {
    at(index).endSection(section);
  }

  /// Lets readers in, if they were held, and unlocks; after the section's end, or its uncommitted
  /// release.
  ///
  /// Test: KeyedThreadsContract.nothingIsSeenBeforeItsSectionEnds.
  public void unlock(int index) {
    if (holds(index) == 1) {
      admit(index & locks.length - 1);
    }
    at(index).waiting().unlock();
  }

  /// Says that something may have changed.
  public void changed() {
    sections.changed();
  }

  // Without a level of the section

  public void hold(int index) {
    at(index).hold();
  }

  /// Holds a further lock, if nobody else has it.
  public boolean tryHold(int index) {
    boolean taken = at(index).waiting().tryLock();
    if (taken) {
      try {
        at(index).hold();
      } finally {
        at(index).waiting().unlock();
      }
    }
    return taken;
  }

  /// How often the calling thread has a lock.
  public int holds(int index) {
    return at(index).waiting().getHoldCount();
  }

  /// Lets readers in and unlocks, after the section's end or in the middle of it.
  ///
  /// @param isOver whether the section has ended
  public void letGo(int index, boolean isOver) {
    if (isOver) {
      at(index).letGo();
    } else {
      at(index).letGoOpenly();
    }
  }

  /// The same at the end of an operation ({@link SectionLock#giveUp}).
  public void giveUp(int index) {
    at(index).giveUp();
  }

  /// TREE-6, for a reader.
  public void observe(int index) {
    SectionHooks.observed(keys[index & locks.length - 1]);
  }

  /// Waits until whoever changes a node has done so.
  public void await(int index) {
    at(index).awaitFree();
  }

  /// Locks all, in their order, which is that of everybody who waits for several.
  public void lockAll() {
    int taken = 0;
    try {
      for (; taken < locks.length; taken++) {
        locks[taken].hold();
      }
    } finally {
      for (int i = 0; taken < locks.length && i < taken; i++) {
        unlock(i);
      }
    }
  }

  /// Has all readers wait until they are unlocked; under all locks.
  public void holdReaders() {
    for (int i = 0; i < seqlocks.count(); i++) {
      seqlocks.hold(i);
    }
  }

  /// Without anything having been changed.
  void unlockAll() {
    for (int i = 0; i < locks.length; i++) {
      unlock(i);
    }
  }

  public void giveUpAll() {
    for (SectionLock lock : locks) {
      lock.giveUp();
    }
  }

  /// Lets all go.
  ///
  /// @param isOver whether the section has ended
  public void letAllGo(boolean isOver) {
    for (int i = 0; i < locks.length; i++) {
      letGo(i, isOver);
    }
  }
}
