package io.holdfast.collections.tree.leaf;

import io.holdfast.collections.overlay.Part;
import io.holdfast.collections.tree.node.NodeLocks;
import io.holdfast.collections.tree.node.TreeStructure;
import java.util.BitSet;

/// Locks of leaves that a thread holds to store what it has held back, or to look at what others
/// have claimed; with the structure's, if it must change that (STRUCT-1).
///
/// Giving them up makes no object (GIVE-1).
///
/// Confined to a thread.
public final class HeldLeaves implements Part {
  private final NodeLocks locks;
  private final TreeStructure structure;
  private final BitSet indexes;

  private HeldLeaves(NodeLocks locks, TreeStructure structure, BitSet indexes) {
    this.locks = locks;
    this.structure = structure;
    this.indexes = indexes;
  }

  /// Holds some locks, in their order.
  ///
  /// @param indexes at least one; not to be changed after that
  public static HeldLeaves hold(NodeLocks locks, TreeStructure structure, BitSet indexes) {
    HeldLeaves held = new HeldLeaves(locks, structure, indexes);
    int end = 0;
    try {
      for (int i = indexes.nextSetBit(0); i >= 0; i = indexes.nextSetBit(i + 1)) {
        locks.hold(i);
        end = i + 1;
      }
    } catch (RuntimeException | Error e) {
      held.unlockLeaves(end);
      throw e;
    }
    return held;
  }

  public boolean has(int index) {
    return indexes.get(index);
  }

  @Override
  public void unlock() {
    letStructureGo(false);
    unlockLeaves(Integer.MAX_VALUE);
  }

  /// @param end of those that are held
  private void unlockLeaves(int end) {
    for (int i = indexes.nextSetBit(0); i >= 0 && i < end; i = indexes.nextSetBit(i + 1)) {
      locks.unlock(i);
    }
  }

  @Override
  public void letGoOpenly() {
    letGo(false);
  }

  @Override
  public void letGo() {
    letGo(true);
  }

  /// @param isOver whether the section has ended
  private void letGo(boolean isOver) {
    letStructureGo(isOver);
    for (int i = indexes.nextSetBit(0); i >= 0; i = indexes.nextSetBit(i + 1)) {
      locks.letGo(i, isOver);
    }
    locks.changed();
  }

  /// With the outermost hold.
  private void letStructureGo(boolean isOver) {
    if (locks.holds(indexes.nextSetBit(0)) == 1 && structure.isKept()) {
      for (int i = 0; i < structure.neighbours().size(); i++) {
        locks.letGo(structure.neighbours().get(i), isOver);
      }
      structure.letGo(isOver);
    }
  }
}
