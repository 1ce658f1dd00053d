package io.holdfast.collections.tree.repair;

import static io.holdfast.collections.tree.node.TreeLayout.HEIGHT_MASK;
import static io.holdfast.collections.tree.node.TreeLayout.LEAF_BYTES;
import static io.holdfast.collections.tree.node.TreeLayout.ROOT_OPENINGS;
import static io.holdfast.collections.tree.node.TreeLayout.ROOT_TOP;
import static io.holdfast.core.memory.RegionLayout.LINE_BYTES;

import io.holdfast.codec.Encoded;
import io.holdfast.codec.EncodedEntry;
import io.holdfast.collections.inspect.Rescue;
import io.holdfast.collections.inspect.Trail;
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
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/// Gets the entries out of a tree of which parts are damaged: from the top down, and, if the region
/// has no other tree, from each used block that can be a leaf and was not reached. Nothing is
/// stored. Entries come in no order, and a damaged leaf is lost as a whole.
///
/// Not thread-safe.
public final class TreeRescue {
  private final Memory memory;
  private final Heap heap;
  private final Inner inner;
  private final Leaf leafs;
  private final long root;
  private final long top;
  private final int height;
  private final Rescue rescue;

  /// Whether what leaves hint at is so: what recovery has undone is not taken from the hints, which
  /// the next opening lets go of (TREE-3). Test: SalvageTest.aSectionThatWasUndoneIsNoLoss.
  private final boolean areHintsRight;

  private final Set<Long> seen = new HashSet<>();

  public TreeRescue(Region region, long root, Rescue rescue) {
    this.memory = region.memory();
    this.heap = region.heap();
    this.inner = new Inner(memory.unordered(), KeyOrder.UNKNOWN);
    this.leafs = new Leaf(memory.unordered(), KeyOrder.UNKNOWN);
    this.root = root;
    this.top = memory.readPlain(root + ROOT_TOP) & ~HEIGHT_MASK;
    this.height = (int) (memory.readPlain(root + ROOT_TOP) & HEIGHT_MASK);
    this.rescue = rescue;
    this.areHintsRight = region.report().sectionsUndone() == 0;
  }

  /// Receives used blocks.
  public interface BlockVisitor {
    void visit(long block, long bytes);
  }

  /// Reads all that can be read.
  ///
  /// @param others visits all used blocks of the region; does nothing if another tree may own them
  public void run(Trail trail, Consumer<BlockVisitor> others) {
    if (memory.readPlain(root + ROOT_OPENINGS) == 0) {
      rescue.lost(trail, "its root block is zeros");
    }
    if (height > TreeLayout.HEIGHT_MAX) {
      rescue.lost(trail, "its top node: found=0x%X, height=%d".formatted(top, height));
    } else if (top != 0) {
      node(top, height, trail);
    }
    others.accept(
        (block, bytes) -> {
          if (bytes >= LEAF_BYTES && bytes < LEAF_BYTES + LINE_BYTES) {
            strayLeaf(block);
          }
        });
  }

  private void node(long node, int height, Trail parent) {
    Trail trail = parent.to(height == 0 ? "leaf" : "node", node);
    if (!inner.isInside(node, height == 0 ? LEAF_BYTES : LINE_BYTES) || !seen.add(node)) {
      rescue.lost(trail, "its link leads nowhere");
      return;
    }
    try {
      if (height == 0) {
        leaf(node, trail);
      } else {
        int count = inner.count(node);
        for (int i = 0; i < count; i++) {
          node(inner.child(node, i), height - 1, trail);
        }
      }
    } catch (Torn e) {
      rescue.lost(trail, height == 0 ? "the leaf can't be read" : "the node can't be read");
    } catch (RegionDamagedException e) {
      rescue.lost(trail, e.getMessage());
    }
  }

  /// Zeros look like a leaf that has room: what they have replaced is told by TREE-9, and by the
  /// hints, if they count.
  private void leaf(long leaf, Trail trail) {
    LeafLog log = LeafLog.read(memory.unordered(), leaf);
    boolean isHinted = areHintsRight && leafs.epoch(leaf) == memory.readPlain(root + ROOT_OPENINGS);
    if (log.tail() == 0 && leaf != top || isHinted && leafs.tail(leaf) > log.tail()) {
      rescue.lost(trail, "records: readable words=%d".formatted(log.tail()));
    }
    found(leaf, log);
  }

  private void strayLeaf(long block) {
    if (seen.add(block)) {
      try {
        found(block, LeafLog.read(memory.unordered(), block));
      } catch (Torn | RegionDamagedException e) {
        // It need not be a leaf.
      }
    }
  }

  /// All of a leaf's entries, or none.
  private void found(long leaf, LeafLog log) {
    List<EncodedEntry> entries = new ArrayList<>();
    for (int place = 0; place < log.tail(); place++) {
      if (log.isLive(place)) {
        long header = leafs.header(leaf, place);
        if (TreeLayout.kind(header) == TreeLayout.KIND_OUTSIDE) {
          heap.checkBlock(
              leafs.stored(leaf, place).word(), TreeLayout.valueLength(header), "a tree's value");
        }
        Encoded key = leafs.key(leaf, place);
        entries.add(new EncodedEntry(key, leafs.value(leaf, place, true)));
      }
    }
    entries.forEach(each -> rescue.found(each.key().copy(), each.value().copy()));
  }
}
