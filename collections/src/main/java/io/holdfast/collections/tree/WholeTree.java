package io.holdfast.collections.tree;

import io.holdfast.collections.tree.leaf.LeafLocks;
import io.holdfast.collections.tree.node.TreeStructure;
import io.holdfast.core.section.Section;

/// All of a tree, for who takes all its nodes out: nobody is in a leaf, and nobody else changes
/// which nodes there are. Whoever stored in a leaf has ended, or is depended on (P2): the leaves
/// are to be freed, and what a rollback stores must not reach them then. A thread that waits for a
/// leaf's lock meanwhile looks for the leaf again.
///
/// Confined to a thread.
final class WholeTree {
  private final LeafLocks locks;
  private final TreeStructure structure;
  private boolean hasLeaves;
  private boolean hasStructure;

  WholeTree(LeafLocks locks, TreeStructure structure) {
    this.locks = locks;
    this.structure = structure;
  }

  void lock() {
    locks.lockAll();
    hasLeaves = true;
    structure.lock();
    hasStructure = true;
  }

  /// Ends the sections of the locks that were taken.
  void endSections(Section section) {
    if (hasLeaves) {
      locks.endSections(section);
    }
    if (hasStructure) { // last, as in an operation
      structure.endSection(section);
    }
  }

  /// Lets others in; after the end of all the thread's sections here.
  void unlock() {
    if (hasStructure) {
      structure.unlock();
    }
    if (hasLeaves) {
      locks.unlockAll();
    }
  }
}
