package io.holdfast.collections.tree.repair;

import static io.holdfast.collections.tree.node.TreeLayout.HEIGHT_MASK;
import static io.holdfast.collections.tree.node.TreeLayout.LEAF_BYTES;
import static io.holdfast.collections.tree.node.TreeLayout.ROOT_TOP;

import io.holdfast.codec.Encoded;
import io.holdfast.codec.EncodedEntry;
import io.holdfast.collections.tree.leaf.Leaf;
import io.holdfast.collections.tree.leaf.LeafLog;
import io.holdfast.collections.tree.node.Inner;
import io.holdfast.collections.tree.node.KeyOrder;
import io.holdfast.collections.tree.node.Torn;
import io.holdfast.collections.tree.node.TreeLayout;
import io.holdfast.core.RegionDamagedException;
import io.holdfast.core.heap.Heap;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.region.Region;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/// Reads a tree that nobody changes, from its first leaf to its last, without knowing how its keys
/// are compared, and without storing anything, not even hints: for tools.
///
/// Leaves come in the tree's order; the entries of one, 64 at most, in that in which they were
/// written.
///
/// Thread-safe.
public final class TreeListing {
  private final Memory memory;
  private final Heap heap;
  private final Inner inner;
  private final Leaf leafs;
  private final long top;

  /// @param root the tree's first block
  /// @throws RegionDamagedException if there is no such block
  public TreeListing(Region region, long root) {
    this.memory = region.memory();
    this.heap = region.heap();
    heap.checkBlock(root, TreeLayout.ROOT_BYTES, "a tree's root");
    this.inner = new Inner(memory, KeyOrder.BYTES); // which is asked nothing
    this.leafs = new Leaf(memory, KeyOrder.BYTES);
    this.top = memory.readPlain(root + ROOT_TOP);
  }

  /// Visits each leaf's entries, until a visitor has seen enough.
  ///
  /// @param visitor says whether to go on
  /// @throws RegionDamagedException naming the place, if what is read can't be
  public void forEachLeaf(Predicate<List<EncodedEntry>> visitor) {
    walk(leaf -> visitor.test(entries(leaf)));
  }

  /// How many entries there are.
  ///
  /// @param leavesMax after so many it is given up
  /// @return -1 if there are more leaves
  public long count(long leavesMax) {
    long[] counted = new long[2];
    walk(
        leaf -> {
          if (++counted[1] > leavesMax) {
            return false;
          }
          LeafLog log = LeafLog.read(memory, leaf);
          for (int place = 0; place < log.tail(); place++) {
            counted[0] += log.isLive(place) ? 1 : 0;
          }
          return true;
        });
    return counted[1] > leavesMax ? -1 : counted[0];
  }

  private interface LeafVisitor {
    boolean visit(long leaf);
  }

  private void walk(LeafVisitor visitor) {
    if (top == 0) {
      return;
    }
    long height = top & HEIGHT_MASK;
    if (height > TreeLayout.HEIGHT_MAX) {
      throw damaged("height", height, top);
    }
    try {
      node(top & ~HEIGHT_MASK, (int) height, visitor);
    } catch (Torn e) {
      throw damaged("a node that can't be one, below", height, top);
    }
  }

  /// Each node is of less height than the one above it, so a damaged tree is left, too.
  private boolean node(long node, int height, LeafVisitor visitor) {
    if (height == 0) {
      heap.checkBlock(node, LEAF_BYTES, "a tree's leaf");
      return visitor.visit(node);
    }
    heap.checkBlock(node, TreeLayout.INNER_CHILDREN, "a tree's node");
    int count = inner.count(node);
    for (int i = 0; i < count; i++) {
      if (!node(inner.child(node, i), height - 1, visitor)) {
        return false;
      }
    }
    return true;
  }

  private List<EncodedEntry> entries(long leaf) {
    LeafLog log = LeafLog.read(memory, leaf);
    List<EncodedEntry> entries = new ArrayList<>();
    for (int place = 0; place < log.tail(); place++) {
      if (log.isLive(place)) {
        Encoded key = leafs.key(leaf, place);
        entries.add(new EncodedEntry(key, value(leaf, place)));
      }
    }
    return entries;
  }

  private Encoded value(long leaf, int place) {
    long header = leafs.header(leaf, place);
    if (TreeLayout.kind(header) == TreeLayout.KIND_OUTSIDE) {
      heap.checkBlock(
          leafs.stored(leaf, place).word(), TreeLayout.valueLength(header), "a tree's value");
    }
    return leafs.value(leaf, place, true);
  }

  private RegionDamagedException damaged(String what, long found, long offset) {
    return new RegionDamagedException(
        "%s: the region is damaged: a tree: %s=0x%X, offset=0x%X. Restore it from a backup"
            .formatted(memory.name(), what, found, offset));
  }
}
