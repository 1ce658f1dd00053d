package io.holdfast.collections.tree;

import static io.holdfast.collections.tree.TreeLayout.HEIGHT_MASK;
import static io.holdfast.collections.tree.TreeLayout.KIND_OUTSIDE;
import static io.holdfast.collections.tree.TreeLayout.LEAF_BYTES;

import io.holdfast.collections.map.Encoded;
import io.holdfast.core.RegionDamagedException;
import io.holdfast.core.heap.Heap;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.recovery.Region;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.function.LongUnaryOperator;

/// Checks a whole tree: blocks, each reached once; the order of keys and separators; that leaves
/// can be read and that their hints, if they count, say what their records say, and so the counts
/// of subtrees (RANK-1).
///
/// For a time in which nobody changes the tree. Takes memory in proportion to its blocks.
final class TreeValidator {
  private final Memory memory;
  private final Heap heap;
  private final KeyOrder order;
  private final Leaf leafs;
  private final Inner inner;
  private final long epoch;
  private final LongUnaryOperator known;
  private final Set<Long> seen = new HashSet<>();
  private LongConsumer visitor;
  private boolean isOrdered = true;
  private long top;
  private long entries;

  /// @param known how many entries were counted below a node, -1 if none were
  TreeValidator(Region region, KeyOrder order, long epoch, LongUnaryOperator known) {
    this.memory = region.memory();
    this.heap = region.heap();
    this.order = order;
    this.leafs = new Leaf(memory.unordered(), order);
    this.inner = new Inner(memory.unordered(), order);
    this.epoch = epoch;
    this.known = known;
  }

  /// @param word the top with its height; 0 for none
  /// @param toVisit called with each block, if it is not `null`
  /// @return how many entries there are
  long run(long word, LongConsumer toVisit) {
    visitor = toVisit;
    entries = 0;
    long height = word & HEIGHT_MASK;
    top = word & ~HEIGHT_MASK;
    require(height <= TreeLayout.HEIGHT_MAX, "height", height, word);
    if (word != 0) {
      try {
        node(top, (int) height, null, null);
      } catch (Torn e) {
        throw damaged("a node that can't be one, below", height, word);
      }
    }
    return entries;
  }

  /// The same for what a clearing has left, which is in no order any more.
  void runGarbage(long word, LongConsumer toVisit) {
    isOrdered = false;
    run(word, toVisit);
  }

  private void node(long node, int height, Encoded low, Encoded high) {
    if (height == 0) {
      leaf(node, low, high);
      return;
    }
    heap.checkBlock(node, TreeLayout.INNER_CHILDREN, "a tree's node");
    int count = inner.count(node);
    reach(node, memory.readPlain(node + TreeLayout.INNER_BYTES), "a tree's node");
    long before = entries;
    Encoded from = low;
    for (int i = 0; i < count; i++) {
      Encoded to = i == count - 1 || !isOrdered ? high : inner.separator(node, count, i);
      require(
          from == null || to == null || order.compare(from, to) < 0,
          "order of separators",
          i,
          node);
      node(inner.child(node, i), height - 1, from, to);
      from = to;
    }
    // RANK-1: nobody asks for the top's, and changes are not noted there; it may have been counted
    // when it was below another. Test: TreeRanksTest.aTopThatWasBelowAnother.
    long counted = node == top ? -1 : known.applyAsLong(node);
    require(
        counted < 0 || !isOrdered || counted == entries - before,
        "entries below a node, as counted",
        counted,
        node);
  }

  private void reach(long block, long bytes, String what) {
    heap.checkBlock(block, bytes, what);
    require(seen.add(block), "reached twice", 0, block);
    if (visitor != null) {
      visitor.accept(block);
    }
  }

  private void leaf(long leaf, Encoded low, Encoded high) {
    reach(leaf, LEAF_BYTES, "a tree's leaf");
    LeafLog log = LeafLog.read(memory.unordered(), leaf);
    List<Encoded> keys = new ArrayList<>();
    int words = 0;
    for (int place = 0; place < log.tail(); place++) {
      if (log.isLive(place)) {
        long header = leafs.header(leaf, place);
        words += TreeLayout.words(header);
        Encoded key = leafs.key(leaf, place);
        keys.add(key);
        require(low == null || order.compare(low, key) <= 0, "a key too small, place", place, leaf);
        require(
            high == null || order.compare(key, high) < 0, "a key too great, place", place, leaf);
        if (TreeLayout.kind(header) == KIND_OUTSIDE) {
          long block = leafs.stored(leaf, place).word();
          reach(block, TreeLayout.valueLength(header), "a tree's value");
        }
      }
    }
    keys.sort(order::compare);
    for (int i = 1; i < keys.size(); i++) {
      require(order.compare(keys.get(i - 1), keys.get(i)) < 0, "a key twice, number", i, leaf);
    }
    if (leafs.epoch(leaf) == epoch) {
      hints(leaf, log, keys.size(), words);
    }
    entries += keys.size();
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
      require(
          leafs.find(leaf, key, leafs.fingerprint(key)) == slot, "FINGERPRINTS, slot", slot, leaf);
    }
  }

  private void require(boolean holds, String what, long found, long offset) {
    if (!holds) {
      throw damaged(what, found, offset);
    }
  }

  private RegionDamagedException damaged(String what, long found, long offset) {
    return new RegionDamagedException(
        "%s: the region is damaged: a tree: %s=0x%X, offset=0x%X. Restore it from a backup"
            .formatted(memory.name(), what, found, offset));
  }
}
