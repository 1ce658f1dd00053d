package io.holdfast.collections.tree.leaf;

import io.holdfast.collections.tree.node.NodeLocks;
import io.holdfast.collections.tree.node.Seqlocks;
import io.holdfast.collections.tree.node.StructureChange;
import io.holdfast.collections.tree.node.TreeStructure;
import io.holdfast.core.section.Section;

/// A change of a leaf, and of what follows from it. The leaf's lock is a level of the section; the
/// others are held until that has ended (LEVEL-1 in {@link io.holdfast.core.section.SectionLock}).
///
/// Where the thread holds the leaf's lock already, to store what it has held back, it changes the
/// structure in the same way: what it locks besides stays so until the leaves are let go
/// (STRUCT-1).
///
/// Confined to a thread.
public final class Operation {
  private final NodeLocks locks;
  private final TreeStructure structure;

  /// Of the leaf's lock; -1 if nobody else can come to the leaf.
  private final int index;

  /// `null` if it has none. A field, so that it can be asked for where the stack ends.
  public final Section section;

  /// Of the leaf's neighbour; -1 if it was not locked.
  private int neighbour = -1;

  /// `null` as a rule.
  private StructureChange change;

  /// Locks a leaf, in a section.
  public Operation(NodeLocks locks, TreeStructure structure, long leaf) {
    this(locks, structure, leaf, true);
  }

  /// Locks a leaf to read it, and perhaps to make its hints.
  public static Operation reading(NodeLocks locks, TreeStructure structure, long leaf) {
    return new Operation(locks, structure, leaf, false);
  }

  private Operation(NodeLocks locks, TreeStructure structure, long leaf, boolean hasSection) {
    this.locks = locks;
    this.structure = structure;
    boolean isOwn = structure.isOwn(leaf);
    this.index = isOwn ? -1 : locks.indexOf(leaf);
    if (isOwn) {
      this.section = hasSection ? locks.current() : null;
    } else if (hasSection) {
      this.section = locks.lock(index);
    } else {
      this.section = null;
      locks.hold(index);
    }
  }

  /// The seqlock's line that nobody else adds to meanwhile: the leaf's, or of those that the lock
  /// of the structure guards.
  int line() {
    return index >= 0 ? index : locks.count();
  }

  /// From here to its end readers of the leaf wait.
  void holdReaders() {
    if (index >= 0) {
      locks.seqlocks().hold(index);
    }
  }

  /// Whether they wait, be it for an operation around this one.
  boolean holdsReaders() {
    return index >= 0 && Seqlocks.isHeld(locks.seqlocks().read(index));
  }

  /// Lets them in before its end.
  void admitReaders() {
    if (index >= 0) {
      locks.seqlocks().release(index);
    }
  }

  /// Begins the change of the structure that follows. What it locks stays so to this one's end.
  StructureChange change() {
    change = structure.change(index < 0 || locks.holds(index) > 1);
    return change;
  }

  /// Locks another leaf and holds its readers, if nobody has it. To wait for it could be for ever.
  boolean tryNeighbour(long leaf) {
    if (structure.isOwn(leaf)) {
      return true;
    }
    int its = locks.indexOf(leaf);
    if (locks.holds(its) == 0) {
      if (!locks.tryHold(its)) {
        return false;
      }
      if (structure.isKept()) {
        structure.keepNeighbour(its);
      } else {
        neighbour = its;
      }
    }
    locks.seqlocks().hold(its);
    return true;
  }

  /// Ends the section, or comes up in it, and then lets others in.
  public void end() {
    try {
      endAndUnlock();
    } catch (VirtualMachineError | LinkageError e) {
      if (section != null) {
        section.breakOff(e); // LOCK-4
      }
      throw e;
    }
  }

  private void endAndUnlock() {
    if (index >= 0 && section != null) {
      locks.endSection(index, section);
    }
    if (change != null) {
      change.giveUp();
    }
    if (neighbour >= 0) {
      locks.giveUp(neighbour);
    }
    if (index >= 0) {
      locks.unlock(index);
    }
    locks.changed();
  }
}
