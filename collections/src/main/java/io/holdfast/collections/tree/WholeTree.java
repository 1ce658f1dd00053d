package io.holdfast.collections.tree;

import io.holdfast.collections.tree.node.NodeLocks;
import io.holdfast.collections.tree.node.TreeStructure;

/// All of a tree, for who takes all its nodes out: nobody is in a leaf, and nobody else changes
/// which nodes there are. Whoever stored in a leaf has ended, or is depended on (P2): the leaves
/// are to be freed, and what a rollback stores must not reach them then. A thread that waits for a
/// leaf's lock meanwhile looks for the leaf again.
///
/// Confined to a thread.
final class WholeTree {
  private final NodeLocks locks;
  private final TreeStructure structure;
  private boolean hasLeaves;
  private boolean hasStructure;

  WholeTree(NodeLocks locks, TreeStructure structure) {
    this.locks = locks;
    this.structure = structure;
  }

  void lock() {
    locks.lockAll();
    hasLeaves = true;
    structure.lock();
    hasStructure = true;
  }

  /// Lets others in, after the operation's level (LEVEL-1).
  void giveUp() {
    if (hasStructure) {
      structure.giveUp();
    }
    if (hasLeaves) {
      locks.giveUpAll();
    }
  }
}
