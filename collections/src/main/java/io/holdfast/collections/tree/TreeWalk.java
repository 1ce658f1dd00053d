package io.holdfast.collections.tree;

import io.holdfast.codec.Encoded;
import io.holdfast.collections.tree.leaf.EntriesReader;
import io.holdfast.collections.tree.leaf.LeafEntries;
import io.holdfast.collections.tree.leaf.LeafReads;
import io.holdfast.collections.tree.leaf.LeafRecords;
import io.holdfast.collections.tree.node.Inner.Side;
import io.holdfast.collections.tree.node.KeyOrder;
import io.holdfast.collections.tree.node.Path;
import io.holdfast.collections.tree.node.TreeReader;

/// Goes over the entries of a tree, a leaf at a time. It holds nothing, and finds each key once
/// that is there from its beginning to its end: after a leaf it goes on at the bound that the nodes
/// above gave it. If the lowest of them is still as it was, that is its next child, and need not be
/// searched for.
///
/// Confined to a thread.
public final class TreeWalk {
  private final LeafReads reads;
  private final KeyOrder order;
  private final EntriesReader reader;
  private final Path path;
  private final boolean ascending;
  private final TreeReader.Found found = new TreeReader.Found();
  private Encoded bound;

  /// That of the leaf when it was read.
  private long number;

  private int part;

  TreeWalk(LeafReads reads, EntriesReader reader, KeyOrder order, Path path, boolean ascending) {
    this.reads = reads;
    this.order = order;
    this.reader = reader;
    this.path = path;
    this.ascending = ascending;
  }

  /// The entries from a key on that are in its leaf; perhaps none though others follow.
  ///
  /// @param from `null` for the tree's first entry, or last one
  public LeafEntries from(Encoded from, boolean inclusive) {
    return read(from, TreeScan.firstSide(from, inclusive, ascending), inclusive, 0);
  }

  /// The entries of the next leaf; perhaps none though others follow.
  ///
  /// @return `null` if there is no further leaf
  public LeafEntries next() {
    if (bound == null) {
      return null;
    }
    return read(bound, ascending ? Side.AT : Side.BEFORE, ascending, ascending ? 1 : -1);
  }

  /// Whether nobody has changed the leaf since its entries were read, or the way to it: then none
  /// of them is gone. Takes no lock, and looks nothing up.
  public boolean isStill() {
    return reads.isStill(found, number);
  }

  /// Where the next leaf begins, inclusive when ascending, exclusive when descending; `null` at the
  /// end.
  public Encoded bound() {
    return bound;
  }

  public boolean isAscending() {
    return ascending;
  }

  /// The part that the leaf is in ({@link io.holdfast.collections.overlay.KeyedStore}).
  public int part() {
    return part;
  }

  /// The part's number before the leaf was read.
  public long number() {
    return number;
  }

  private LeafEntries read(Encoded from, Side side, boolean inclusive, int step) {
    long ofEmpty = reads.numberOf(reads.part(0));
    LeafEntries entries =
        reads.read(
            from,
            side,
            path,
            step,
            found,
            (leaf, way, isLocked) -> {
              bound = leaf == 0 ? null : TreeScan.bound(way, ascending);
              part = reads.part(leaf);
              if (leaf == 0) {
                number = ofEmpty;
                return LeafRecords.NONE;
              }
              number = reads.numberOf(part);
              return reader.read(leaf, isLocked, from, inclusive, ascending);
            });
    // After the reading, since that others change the leaf matters no more.
    entries.select(order, from, inclusive, ascending);
    return entries;
  }
}
