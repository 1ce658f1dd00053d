package io.holdfast.collections.tree;

import io.holdfast.collections.map.Encoded;
import io.holdfast.collections.tree.EntryTree.Entry;
import io.holdfast.collections.tree.Inner.Side;

/// Looks for entries by the order of their keys.
///
/// Thread-safe.
final class TreeScan {
  private final LeafReads reads;
  private final Leaf leafs;
  private final Inner inner;
  private final Sequences sequences;
  private final KeyOrder order;

  /// @param sequences of inner nodes
  TreeScan(LeafReads reads, Leaf leafs, Inner inner, Sequences sequences, KeyOrder order) {
    this.reads = reads;
    this.leafs = leafs;
    this.inner = inner;
    this.sequences = sequences;
    this.order = order;
  }

  /// Where a search goes on, and what it has found.
  private record Step(Entry entry, Encoded bound) {}

  /// The first entry from a key on.
  ///
  /// @param from `null` for the tree's end
  /// @param inclusive whether the key's own entry counts
  /// @param ascending whether to look among greater keys, or lesser ones
  /// @return `null` if there is none
  Entry nearest(Encoded from, boolean inclusive, boolean ascending) {
    Path path = new Path(inner, sequences);
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
    Entry entry = best < 0 ? null : new Entry(bestKey, leafs.value(leaf, best, isLocked));
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
    return new TreeWalk(reads, leafs, order, new Path(inner, sequences), ascending);
  }
}
