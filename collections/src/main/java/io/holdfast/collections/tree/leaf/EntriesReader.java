package io.holdfast.collections.tree.leaf;

import io.holdfast.collections.tree.node.KeyOrder;
import io.holdfast.collections.tree.node.Torn;

/// Reads the entries of leaves, one after the other: into the same copy, unless entries keep it.
///
/// Confined to a thread.
public final class EntriesReader {
  private final Leaf leafs;
  private final KeyOrder order;

  /// `null` if there is none that can be used again.
  private LeafCopy free;

  public EntriesReader(Leaf leafs, KeyOrder order) {
    this.leafs = leafs;
    this.order = order;
  }

  /// The live entries of a leaf, which are in no order yet.
  ///
  /// @param isLocked whether the caller has the leaf's lock
  /// @throws Torn if somebody has changed it meanwhile, or it must be locked
  public LeafEntries read(long leaf, boolean isLocked) {
    LeafCopy copy = free != null ? free : new LeafCopy();
    free = null;
    leafs.copy(leaf, copy);
    LeafWords words = order.isOfWords() ? LeafWords.read(copy) : null;
    if (words == null) {
      return LeafRecords.read(copy, leafs, leaf, isLocked);
    }
    free = copy;
    return words;
  }
}
