package io.holdfast.collections.tree.leaf;

import io.holdfast.collections.overlay.Part;
import io.holdfast.collections.tree.node.TreeStructure;
import java.util.BitSet;

/// Locks of leaves that a thread holds to store what it has held back, or to look at what others
/// have claimed; with the structure's, if it must change that (STRUCT-1).
///
/// Confined to a thread.
public final class HeldLeaves implements Part {
  private final LeafLocks locks;
  private final TreeStructure structure;
  private final BitSet indexes;

  private HeldLeaves(LeafLocks locks, TreeStructure structure, BitSet indexes) {
    this.locks = locks;
    this.structure = structure;
    this.indexes = indexes;
  }

  /// Holds some locks, in their order.
  ///
  /// @param indexes at least one; not to be changed after that
  public static HeldLeaves hold(LeafLocks locks, TreeStructure structure, BitSet indexes) {
    BitSet held = new BitSet(indexes.length());
    try {
      indexes.stream()
          .forEach(
              index -> {
                locks.hold(index);
                held.set(index);
              });
    } catch (RuntimeException | Error e) {
      held.stream().forEach(locks::unlock);
      throw e;
    }
    return new HeldLeaves(locks, structure, held);
  }

  public boolean has(int index) {
    return indexes.get(index);
  }

  @Override
  public void unlock() {
    letStructureGo(false);
    indexes.stream().forEach(locks::unlock);
  }

  @Override
  public void letGoOpenly() {
    letStructureGo(false);
    indexes.stream().forEach(locks::letGoOpenly);
    locks.changed();
  }

  @Override
  public void letGo() {
    letStructureGo(true);
    indexes.stream().forEach(locks::letGo);
    locks.changed();
  }

  /// With the outermost hold.
  private void letStructureGo(boolean isOver) {
    if (locks.holds(indexes.nextSetBit(0)) == 1) {
      structure.letGo(isOver, isOver ? locks::letGo : locks::letGoOpenly);
    }
  }
}
