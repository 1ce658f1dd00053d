package io.holdfast.collections.tree.repair;

import static io.holdfast.collections.tree.node.TreeLayout.HEIGHT_MASK;
import static io.holdfast.collections.tree.node.TreeLayout.KIND_OUTSIDE;
import static io.holdfast.collections.tree.node.TreeLayout.LEAF_BYTES;

import io.holdfast.codec.CodecException;
import io.holdfast.codec.Encoded;
import io.holdfast.collections.inspect.Inspector;
import io.holdfast.collections.inspect.Trail;
import io.holdfast.collections.tree.leaf.Leaf;
import io.holdfast.collections.tree.leaf.LeafLog;
import io.holdfast.collections.tree.node.Inner;
import io.holdfast.collections.tree.node.KeyOrder;
import io.holdfast.collections.tree.node.OrderFault;
import io.holdfast.collections.tree.node.Torn;
import io.holdfast.collections.tree.node.TreeLayout;
import io.holdfast.core.RegionDamagedException;
import io.holdfast.core.heap.Heap;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.region.Region;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongUnaryOperator;

/// Checks a whole tree: blocks, each reached once; the order of keys and separators; that leaves
/// can be read and that their hints, if they count, say what their records say, and so the counts
/// of subtrees (RANK-1).
///
/// An order that is not known is not checked. What is wrong with a node is reported with the way to
/// it, and the walk goes on beside it, if the inspector has it go on.
///
/// For a time in which nobody changes the tree.
public final class TreeValidator {
  private final Memory memory;
  private final Heap heap;
  private final KeyOrder order;
  private final Leaf leafs;
  private final Inner inner;
  private final long epoch;
  private final LongUnaryOperator known;
  private final Inspector inspector;
  private final LongAdder entries = new LongAdder();
  private boolean isOrdered;
  private long top;

  /// @param known how many entries were counted below a node, -1 if none were
  public TreeValidator(
      Region region, KeyOrder order, long epoch, LongUnaryOperator known, Inspector inspector) {
    this.memory = region.memory();
    this.heap = region.heap();
    this.order = order;
    this.leafs = new Leaf(memory.unordered(), order);
    this.inner = new Inner(memory.unordered(), order);
    this.epoch = epoch;
    this.known = known;
    this.inspector = inspector;
    this.isOrdered = order.isKnown();
  }

  /// @param word the top with its height; 0 for none
  /// @param root the way to it
  /// @return how many entries there are, as soon as all parts have run
  public LongAdder run(long word, Trail root) {
    long height = word & HEIGHT_MASK;
    top = word & ~HEIGHT_MASK;
    if (height > TreeLayout.HEIGHT_MAX) {
      inspector.fault(root, damaged("height", height, word));
    } else if (word != 0) {
      node(top, (int) height, null, null, root);
    }
    return entries;
  }

  /// The same for what a clearing has left, which is in no order any more.
  public void runGarbage(long word, Trail root) {
    isOrdered = false;
    run(word, root);
  }

  /// @return how many entries are below it, -1 if not all were counted here
  private long node(long node, int height, Encoded low, Encoded high, Trail parent) {
    Trail trail = parent.to(height == 0 ? "leaf" : "node", node);
    try {
      if (height > 0) {
        return inner(node, height, low, high, trail);
      }
      long found = leaf(node, low, high);
      entries.add(found);
      return found;
    } catch (RegionDamagedException e) {
      inspector.fault(trail, e);
    } catch (Torn e) {
      inspector.fault(trail, damaged("a node that can't be one, height", height, node));
    } catch (CodecException e) {
      inspector.fault(trail, damaged("a key: " + e.getMessage() + ", height", height, node));
    }
    return -1;
  }

  private long inner(long node, int height, Encoded low, Encoded high, Trail trail) {
    heap.checkBlock(node, TreeLayout.INNER_CHILDREN, "a tree's node");
    int count = inner.count(node);
    reach(node, memory.readPlain(node + TreeLayout.INNER_BYTES), "a tree's node");
    // RANK-1: nobody asks for the top's, and changes are not noted there; it may have been counted
    // when it was below another. Test: TreeRanksTest.aTopThatWasBelowAnother.
    long counted = node == top ? -1 : known.applyAsLong(node);
    long below = 0;
    Encoded from = low;
    for (int i = 0; i < count; i++) {
      Encoded to = i == count - 1 || !isOrdered ? high : inner.separator(node, count, i);
      requireOrder(
          from == null || to == null || order.compare(from, to) < 0,
          "order of separators",
          i,
          node);
      long child = inner.child(node, i);
      if (counted < 0 && height > 1) {
        Encoded lower = from;
        inspector.run(() -> node(child, height - 1, lower, to, trail));
        below = -1;
      } else {
        long found = node(child, height - 1, from, to, trail);
        below = found < 0 || below < 0 ? -1 : below + found;
      }
      from = to;
    }
    require(
        counted < 0 || below < 0 || !isOrdered || counted == below,
        "entries below a node, as counted",
        counted,
        node);
    return below;
  }

  private void reach(long block, long bytes, String what) {
    heap.checkBlock(block, bytes, what);
    require(inspector.reach(block), "reached twice", 0, block);
  }

  private long leaf(long leaf, Encoded low, Encoded high) {
    reach(leaf, LEAF_BYTES, "a tree's leaf");
    LeafLog log = LeafLog.read(memory.unordered(), leaf);
    require(log.tail() > 0 || leaf == top, "TREE-9: TAIL", 0, leaf);
    List<Encoded> keys = new ArrayList<>();
    int words = 0;
    for (int place = 0; place < log.tail(); place++) {
      if (log.isLive(place)) {
        long header = leafs.header(leaf, place);
        words += TreeLayout.words(header);
        Encoded key = leafs.key(leaf, place);
        keys.add(key);
        if (order.isKnown()) {
          requireOrder(
              low == null || order.compare(low, key) <= 0, "a key too small, place", place, leaf);
          requireOrder(
              high == null || order.compare(key, high) < 0, "a key too great, place", place, leaf);
        }
        if (TreeLayout.kind(header) == KIND_OUTSIDE) {
          long block = leafs.stored(leaf, place).word();
          reach(block, TreeLayout.valueLength(header), "a tree's value");
        }
      }
    }
    if (order.isKnown()) {
      keys.sort(order::compare);
      for (int i = 1; i < keys.size(); i++) {
        requireOrder(
            order.compare(keys.get(i - 1), keys.get(i)) < 0, "a key twice, number", i, leaf);
      }
    }
    if (leafs.epoch(leaf) == epoch) {
      hints(leaf, log, keys.size(), words);
    }
    return keys.size();
  }

  private void hints(long leaf, LeafLog log, int live, int words) {
    require(leafs.tail(leaf) == log.tail(), "TAIL", leafs.tail(leaf), leaf);
    require(leafs.liveWords(leaf) == words, "words of live records", words, leaf);
    require(Long.bitCount(leafs.live(leaf)) == live, "LIVE", leafs.live(leaf), leaf);
    for (long bits = leafs.live(leaf); bits != 0; bits &= bits - 1) {
      int slot = Long.numberOfTrailingZeros(bits);
      int place = leafs.place(leaf, slot);
      require(place < log.tail() && log.isLive(place), "PLACES, slot", slot, leaf);
      Encoded key = leafs.key(leaf, place);
      requireOrder(
          !order.isKnown() || leafs.find(leaf, key, leafs.fingerprint(key)) == slot,
          "FINGERPRINTS, slot",
          slot,
          leaf);
    }
  }

  private void require(boolean holds, String what, long found, long offset) {
    if (!holds) {
      throw damaged(what, found, offset);
    }
  }

  private void requireOrder(boolean holds, String what, long found, long offset) {
    if (!holds) {
      throw OrderFault.of(
          order, memory.name(), "%s=0x%X, offset=0x%X".formatted(what, found, offset));
    }
  }

  private RegionDamagedException damaged(String what, long found, long offset) {
    return new RegionDamagedException(
        "%s: the region is damaged: a tree: %s=0x%X, offset=0x%X. Restore it from a backup"
            .formatted(memory.name(), what, found, offset));
  }
}
