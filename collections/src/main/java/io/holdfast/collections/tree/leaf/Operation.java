package io.holdfast.collections.tree.leaf;

import io.holdfast.collections.tree.node.TreeStructure;
import io.holdfast.core.section.Section;

/// A change of a leaf, and of what follows from it: the locks that it holds, which it gives up in
/// the order that sections need.
///
/// Where the thread holds the leaf's lock already, to store what it has held back, it changes the
/// structure in the same way: what it locks besides stays so until the leaves are let go
/// (STRUCT-1).
///
/// Confined to a thread.
public final class Operation {
  private final LeafLocks locks;
  private final TreeStructure structure;

  /// Of the leaf's lock; -1 if nobody else can come to the leaf.
  private final int index;

  /// `null` if it has none.
  private final Section section;

  /// Of the leaf's neighbour; -1 if it was not locked.
  private int neighbour = -1;

  private boolean changesStructure;

  /// Locks a leaf, in a section.
  public Operation(LeafLocks locks, TreeStructure structure, long leaf) {
    this(locks, structure, leaf, true);
  }

  /// Locks a leaf to read it, and perhaps to make its hints.
  public static Operation reading(LeafLocks locks, TreeStructure structure, long leaf) {
    return new Operation(locks, structure, leaf, false);
  }

  private Operation(LeafLocks locks, TreeStructure structure, long leaf, boolean hasSection) {
    this.locks = locks;
    this.structure = structure;
    boolean isOwn = structure.isOwn(leaf);
    this.index = isOwn ? -1 : locks.indexOf(leaf);
    if (isOwn) {
      this.changesStructure = hasSection;
      this.section = hasSection ? structure.lock() : null;
    } else if (hasSection) {
      this.section = locks.lock(index);
    } else {
      this.section = null;
      locks.hold(index);
    }
  }

  public Section section() {
    return section;
  }

  /// From here to its end readers of the leaf wait.
  void holdReaders() {
    if (index >= 0) {
      locks.seqlocks().hold(index);
    }
  }

  public void lockStructure() {
    if (!changesStructure) {
      if (locks.holds(index) > 1) {
        structure.keep();
      }
      structure.lock();
      changesStructure = true;
    }
  }

  /// Locks another leaf and holds its readers, if nobody has it. To wait for it could be for ever.
  boolean tryNeighbour(long leaf) {
    if (structure.isOwn(leaf)) {
      return true;
    }
    int its = locks.indexOf(leaf);
    if (structure.isKept()) {
      if (locks.holds(its) == 0) {
        if (!locks.tryHold(its)) {
          return false;
        }
        structure.keepNeighbour(its);
      }
    } else {
      if (!locks.tryLock(its)) {
        return false;
      }
      neighbour = its;
    }
    locks.seqlocks().hold(its);
    return true;
  }

  /// Ends the section, or comes up in it, and then lets others in.
  public void end() {
    try {
      endAndUnlock();
    } catch (VirtualMachineError e) {
      if (section != null) {
        section.breakOff(e); // LOCK-4
      }
      throw e;
    }
  }

  private void endAndUnlock() {
    if (neighbour >= 0) {
      locks.endSection(neighbour, section);
    }
    if (index >= 0 && section != null) {
      locks.endSection(index, section);
    }
    // Last, since others observe it without the lock: released before the section's end it would
    // have them depend on that, and a kill in between would take what they have acknowledged (P6).
    if (changesStructure) {
      structure.endSection(section);
      structure.unlock();
    }
    if (neighbour >= 0) {
      locks.unlock(neighbour);
    }
    if (index >= 0) {
      locks.unlock(index);
    }
    locks.changed();
  }
}
