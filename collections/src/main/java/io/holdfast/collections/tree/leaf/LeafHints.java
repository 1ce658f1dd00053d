package io.holdfast.collections.tree.leaf;

import static io.holdfast.collections.tree.node.TreeLayout.LEAF_BYTES;

import io.holdfast.collections.tree.node.TreeLayout;
import io.holdfast.core.RegionDamagedException;
import io.holdfast.core.heap.Heap;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.region.Region;

/// Makes the hints of leaves anew (TREE-3), for whoever holds the leaf's lock.
public final class LeafHints {
  private final Memory memory;
  private final Heap heap;
  private final Leaf leafs;
  private final TreeEpoch epoch;

  LeafHints(Region region, Leaf leafs, TreeEpoch epoch) {
    this.memory = region.memory().unordered();
    this.heap = region.heap();
    this.leafs = leafs;
    this.epoch = epoch;
  }

  /// Makes a leaf's hints anew, if they are of another epoch.
  public void prepare(Operation operation, long leaf) {
    long current = epoch.current();
    if (leafs.epoch(leaf) == current) {
      return;
    }
    boolean areHeld = operation.holdsReaders();
    operation.holdReaders();
    heap.checkBlock(leaf, LEAF_BYTES, "a tree's leaf");
    LeafLog log = LeafLog.read(memory, leaf);
    log.scrub();
    memory.writePlain(leaf + TreeLayout.LIVE, 0);
    int slot = 0;
    int words = 0;
    for (int place = 0; place < log.tail(); place++) {
      if (log.isLive(place)) {
        if (slot == TreeLayout.SLOTS) {
          throw damaged(leaf);
        }
        leafs.setSlot(leaf, slot++, leafs.fingerprint(leafs.key(leaf, place)), place);
        words += TreeLayout.words(leafs.header(leaf, place));
      }
    }
    leafs.setFilled(leaf, log.tail(), words);
    memory.writePlain(leaf + TreeLayout.EPOCH, current);
    if (!areHeld) {
      // A commit has the lock already, and keeps it: it would wait for its own change to be over.
      // Test: TransactionTreeTest.aCommitLooksAtALeafWhoseHintsAreStale.
      operation.admitReaders();
    }
  }

  /// Has them made anew by whoever comes next, because what they say may be wrong.
  void makeStale(long leaf, Throwable cause) {
    try {
      memory.writePlain(leaf + TreeLayout.EPOCH, 0);
    } catch (RuntimeException | Error e) {
      cause.addSuppressed(e);
    }
  }

  RegionDamagedException damaged(long leaf) {
    return new RegionDamagedException(
        "%s: the region is damaged: a tree's leaf contradicts itself: offset=0x%X. Restore it from a backup"
            .formatted(memory.name(), leaf));
  }
}
