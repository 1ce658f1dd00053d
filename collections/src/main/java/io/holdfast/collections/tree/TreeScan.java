package io.holdfast.collections.tree;

import io.holdfast.codec.Encoded;
import io.holdfast.codec.EncodedEntry;
import io.holdfast.collections.tree.leaf.EntriesReader;
import io.holdfast.collections.tree.leaf.Leaf;
import io.holdfast.collections.tree.leaf.LeafReads;
import io.holdfast.collections.tree.leaf.TreeParts;
import io.holdfast.collections.tree.node.Inner.Side;
import io.holdfast.collections.tree.node.KeyOrder;
import io.holdfast.collections.tree.node.Path;
import io.holdfast.collections.tree.node.TreeReader;

/// Looks for entries by the order of their keys.
///
/// Thread-safe.
final class TreeScan {
  private final LeafReads reads;
  private final Leaf leafs;
  private final TreeReader reader;
  private final KeyOrder order;
  private final EntriesReader entries;

  TreeScan(TreeParts parts, LeafReads reads) {
    this.reads = reads;
    this.leafs = parts.leafs();
    this.reader = parts.reader();
    this.order = parts.order();
    this.entries = new EntriesReader(leafs, order);
  }

  /// Where a search goes on, and what it has found.
  private record Step(EncodedEntry entry, Encoded bound) {}

  /// The first entry from a key on.
  ///
  /// @param from `null` for the tree's end
  /// @param inclusive whether the key's own entry counts
  /// @param ascending whether to look among greater keys, or lesser ones
  /// @return `null` if there is none
  EncodedEntry nearest(Encoded from, boolean inclusive, boolean ascending) {
    Path path = reader.path();
    Encoded at = from;
    Side side = firstSide(from, inclusive, ascending);
    while (true) {
      Step step =
          reads.read(
              at,
              side,
              path,
              0,
              (leaf, way, isLocked) -> nearestIn(leaf, way, isLocked, from, inclusive, ascending));
      if (step.entry() != null || step.bound() == null) {
        return step.entry();
      }
      at = step.bound();
      side = ascending ? Side.AT : Side.BEFORE;
    }
  }

  static Side firstSide(Encoded from, boolean inclusive, boolean ascending) {
    if (from == null) {
      return ascending ? Side.FIRST : Side.LAST;
    }
    return ascending || inclusive ? Side.AT : Side.BEFORE;
  }

  private Step nearestIn(
      long leaf, Path path, boolean isLocked, Encoded from, boolean inclusive, boolean ascending) {
    if (leaf == 0) {
      return new Step(null, null);
    }
    int best = -1;
    Encoded bestKey = null;
    for (long live = leafs.live(leaf); live != 0; live &= live - 1) {
      int place = leafs.place(leaf, Long.numberOfTrailingZeros(live));
      Encoded key = leafs.key(leaf, place);
      if (isBehind(key, from, inclusive, ascending)
          && (bestKey == null || order.compare(key, bestKey) < 0 == ascending)) {
        best = place;
        bestKey = key;
      }
    }
    EncodedEntry entry =
        best < 0 ? null : new EncodedEntry(bestKey, leafs.value(leaf, best, isLocked));
    return new Step(entry, bound(path, ascending));
  }

  static Encoded bound(Path path, boolean ascending) {
    return ascending ? path.high() : path.low();
  }

  private boolean isBehind(Encoded key, Encoded from, boolean inclusive, boolean ascending) {
    if (from == null) {
      return true;
    }
    int compared = order.compare(key, from);
    return compared == 0 ? inclusive : compared > 0 == ascending;
  }

  /// A walk that begins where it is told to.
  TreeWalk walk(boolean ascending) {
    return new TreeWalk(reads, entries, order, reader.path(), ascending);
  }
}
