package io.holdfast.collections.tree.leaf;

import io.holdfast.collections.tree.node.Seqlocks;
import io.holdfast.core.section.Section;
import io.holdfast.core.section.SectionLock;
import io.holdfast.core.section.Sections;
import io.holdfast.core.section.hooks.SectionHooks;

/// The locks of leaves, in a table by their offsets, and their seqlocks.
///
/// Thread-safe.
public final class LeafLocks {
  /// So many that two threads seldom meet.
  private static final int SHIFT = 7;

  private final Seqlocks seqlocks = new Seqlocks(SHIFT);
  private final SectionLock[] locks = new SectionLock[1 << SHIFT];
  private final Object[] keys = new Object[1 << SHIFT];

  private final Sections sections;

  LeafLocks(Sections sections) {
    this.sections = sections;
    for (int i = 0; i < locks.length; i++) {
      int index = i;
      keys[i] = new Object();
      locks[i] = new SectionLock(sections, keys[i], () -> seqlocks.release(index));
    }
  }

  public Seqlocks seqlocks() {
    return seqlocks;
  }

  public int indexOf(long leaf) {
    return seqlocks.indexOf(leaf);
  }

  Section lock(int index) {
    return locks[index].lock();
  }

  /// The section that the calling thread is in.
  Section current() {
    return sections.current();
  }

  void endSection(int index, Section section) {
    locks[index].endSection(section);
  }

  /// Lets readers in, if they were held, and unlocks; after the section's end, or its uncommitted
  /// release.
  ///
  /// Test: KeyedThreadsContract.nothingIsSeenBeforeItsSectionEnds.
  void unlock(int index) {
    if (locks[index].waiting().getHoldCount() == 1) {
      seqlocks.release(index);
    }
    locks[index].waiting().unlock();
  }

  public int count() {
    return locks.length;
  }

  /// Says that something may have changed.
  void changed() {
    sections.changed();
  }

  // Without a level of the section

  void hold(int index) {
    locks[index].hold();
  }

  /// Holds a further lock, if nobody else has it.
  boolean tryHold(int index) {
    boolean taken = locks[index].waiting().tryLock();
    if (taken) {
      try {
        locks[index].hold();
      } finally {
        locks[index].waiting().unlock();
      }
    }
    return taken;
  }

  /// How often the calling thread has a lock.
  int holds(int index) {
    return locks[index].waiting().getHoldCount();
  }

  /// Lets readers in and unlocks, after the section's end.
  void letGo(int index) {
    locks[index].letGo();
  }

  /// The same in the middle of the section.
  void letGoOpenly(int index) {
    locks[index].letGoOpenly();
  }

  /// The same at the end of an operation ({@link SectionLock#giveUp}).
  void giveUp(int index) {
    locks[index].giveUp();
  }

  /// TREE-6, for a reader.
  public void observe(int index) {
    SectionHooks.observed(keys[index]);
  }

  /// Waits until whoever is in a leaf has left it.
  public void await(int index) {
    locks[index].take();
    try {
      Thread.onSpinWait(); // nothing else is to be done
    } finally {
      locks[index].waiting().unlock();
    }
  }

  /// Locks all leaves, one after the other: whoever is in a leaf waits for no other.
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

  /// Has all readers of leaves wait until they are unlocked; under all locks.
  public void holdReaders() {
    for (int i = 0; i < locks.length; i++) {
      seqlocks.hold(i);
    }
  }

  public void giveUpAll() {
    for (int i = 0; i < locks.length; i++) {
      giveUp(i);
    }
  }
}
