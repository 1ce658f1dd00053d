package io.holdfast.collections.tree.leaf;

import io.holdfast.collections.tree.node.TreeStructure;
import io.holdfast.core.section.Section;

/// A change of a leaf, and of what follows from it: the locks that it holds, which it gives up in
/// the order that sections need.
///
/// Confined to a thread.
public final class Operation {
  private final LeafLocks locks;
  private final TreeStructure structure;
  private final int index;
  private final Section section;

  /// Of the leaf's neighbour; -1 if it was not locked.
  private int neighbour = -1;

  private boolean changesStructure;

  /// Locks a leaf.
  ///
  /// @param index of its lock
  public Operation(LeafLocks locks, TreeStructure structure, int index) {
    this.locks = locks;
    this.structure = structure;
    this.index = index;
    this.section = locks.lock(index);
  }

  public Section section() {
    return section;
  }

  /// From here to its end readers of the leaf wait.
  void holdReaders() {
    locks.seqlocks().hold(index);
  }

  void lockStructure() {
    if (!changesStructure) {
      structure.lock();
      changesStructure = true;
    }
  }

  /// Locks another leaf and holds its readers, if nobody has it. To wait for it could be for ever.
  boolean tryNeighbour(long leaf) {
    int its = locks.indexOf(leaf);
    if (!locks.tryLock(its)) {
      return false;
    }
    neighbour = its;
    locks.seqlocks().hold(its);
    return true;
  }

  /// Ends the section, or comes up in it, and then lets others in.
  public void end() {
    try {
      endAndUnlock();
    } catch (VirtualMachineError e) {
      section.breakOff(e); // LOCK-4
      throw e;
    }
  }

  private void endAndUnlock() {
    if (changesStructure) {
      structure.endSection(section);
    }
    if (neighbour >= 0) {
      locks.endSection(neighbour, section);
    }
    locks.endSection(index, section);
    if (changesStructure) {
      structure.unlock();
    }
    if (neighbour >= 0) {
      locks.unlock(neighbour);
    }
    locks.unlock(index);
  }
}
