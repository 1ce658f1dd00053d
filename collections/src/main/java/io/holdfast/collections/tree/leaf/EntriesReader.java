package io.holdfast.collections.tree.leaf;

import io.holdfast.codec.Encoded;
import io.holdfast.collections.tree.node.KeyOrder;
import io.holdfast.collections.tree.node.Torn;

/// Reads the entries of leaves.
///
/// Thread-safe.
public final class EntriesReader {
  private final Leaf leafs;
  private final KeyOrder order;

  public EntriesReader(Leaf leafs, KeyOrder order) {
    this.leafs = leafs;
    this.order = order;
  }

  /// The live entries of a leaf, which are in no order yet: all, or those from a key on.
  ///
  /// @param isLocked whether the caller has the leaf's lock
  /// @param from `null` for all
  /// @throws Torn if somebody has changed it meanwhile, or it must be locked
  public LeafEntries read(
      long leaf, boolean isLocked, Encoded from, boolean inclusive, boolean ascending) {
    if (order.isOfWords()) {
      LeafCopy copy = LeafCopy.ofThread();
      leafs.copy(leaf, copy);
      LeafWords words = LeafWords.read(copy, from, inclusive, ascending);
      if (words != null) {
        return words;
      }
    }
    return LeafRecords.read(leafs.copy(leaf), leafs, leaf, isLocked);
  }
}
