package io.holdfast.collections.tree.leaf;

import io.holdfast.collections.overlay.Claims;
import io.holdfast.collections.tree.node.Inner;
import io.holdfast.collections.tree.node.KeyOrder;
import io.holdfast.collections.tree.node.NodeLocks;
import io.holdfast.collections.tree.node.Seqlocks;
import io.holdfast.collections.tree.node.SubtreeCounts;
import io.holdfast.collections.tree.node.TreeLayout;
import io.holdfast.collections.tree.node.TreeReader;
import io.holdfast.collections.tree.node.TreeStructure;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.region.Region;

/// What the operations of a tree have in common.
///
/// @param memory for what is flushed, and what sections publish
/// @param unordered for what is not
/// @param root the tree's first block
/// @param leafs reads and writes leaves
/// @param seqlocks of inner nodes
/// @param usable throws if the tree must not be used
public record TreeParts(
    Region region,
    Memory memory,
    Memory unordered,
    long root,
    KeyOrder order,
    Leaf leafs,
    LeafHints hints,
    NodeLocks locks,
    Inner inner,
    Seqlocks seqlocks,
    TreeReader reader,
    TreeStructure structure,
    SubtreeCounts counts,
    TreeEpoch epoch,
    TreeCount count,
    Claims claims,
    Runnable usable) {

  public static TreeParts of(Region region, long root, KeyOrder order, Runnable usable) {
    Memory memory = region.memory();
    Memory unordered = memory.unordered();
    NodeLocks locks = NodeLocks.ofLeaves(region.sections());
    TreeCount count = new TreeCount(locks.seqlocks());
    TreeEpoch epoch = new TreeEpoch(memory, root, count);
    Leaf leafs = new Leaf(unordered, order);
    Inner inner = new Inner(unordered, order);
    NodeLocks innerLocks = NodeLocks.ofInner(region.sections());
    Seqlocks seqlocks = innerLocks.seqlocks();
    SubtreeCounts counts = new SubtreeCounts();
    long top = root + TreeLayout.ROOT_TOP;
    TreeReader reader = new TreeReader(unordered, inner, seqlocks, top);
    return new TreeParts(
        region,
        memory,
        unordered,
        root,
        order,
        leafs,
        new LeafHints(region, leafs, epoch),
        locks,
        inner,
        seqlocks,
        reader,
        new TreeStructure(region, inner, innerLocks, reader, counts, top),
        counts,
        epoch,
        count,
        new Claims(order::compare),
        usable);
  }

  /// Where the offset of the tree's top is.
  public long anchor() {
    return root + TreeLayout.ROOT_TOP;
  }
}
