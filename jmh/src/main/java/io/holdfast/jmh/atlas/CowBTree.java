package io.holdfast.jmh.atlas;

import java.util.ArrayList;
import java.util.List;

/// A B-tree whose every change copies the nodes from the leaf to the top, as that of MDB does
/// (Atlas, 6.4.5, *mdb*): so what is stored is new, but for one word, and hardly anything is
/// logged. An operation searches a key, and inserts it or, if it is there, deletes it.
///
/// | block | word 0 | word 1 to 31 | word 32 to 62 |
/// |---|---|---|---|
/// | root | the topmost node, 0 if there is none | | |
/// | leaf | 2 × keys | the keys | the values: minus the keys |
/// | inner node | 2 × children + 1 | the least key that each child may have | the children |
///
/// A leaf that becomes empty is taken out, and nodes are not merged; MDB merges.
///
/// **COWB-1** Keys are in order, each between its neighbours in the nodes above, and its value its
/// own; no node is empty.
public final class CowBTree extends OneLock {
  private static final int KEYS = 4_096;

  /// Of a node.
  private static final int MOST = 31;

  private static final int VALUES = 1 + MOST;

  private final long root;

  /// What a change made of a node: it, and what was split off on its right; 0 for none.
  private record Copies(long node, long right) {}

  public CowBTree(ProgramMemory memory) {
    super(memory);
    root = memory.root(Long.BYTES);
  }

  private int count(long node) {
    return (int) (memory.read(node) >>> 1);
  }

  private boolean isLeaf(long node) {
    return (memory.read(node) & 1) == 0;
  }

  private long key(long node, int index) {
    return memory.read(node + (1L + index) * Long.BYTES);
  }

  private long value(long node, int index) {
    return memory.read(node + (long) (VALUES + index) * Long.BYTES);
  }

  /// The place of the last key that is not greater, -1 if all are.
  private int place(long node, long key) {
    int place = count(node) - 1;
    while (place >= 0 && key(node, place) > key) {
      place--;
    }
    return place;
  }

  @Override
  void change(long draw) {
    long key = 1 + below(draw, KEYS);
    long top = memory.read(root);
    Copies copies = top == 0 ? new Copies(leafOf(key), 0) : change(top, key);
    long changed = copies.node;
    if (copies.right != 0) {
      changed = memory.allocate(ENTRY_BYTES);
      put(changed, 0, Long.MIN_VALUE, copies.node);
      put(changed, 1, key(copies.right, 0), copies.right);
      memory.writeNew(changed, 2 * 2 + 1);
    }
    memory.write(root, changed);
  }

  private long leafOf(long key) {
    long leaf = memory.allocate(ENTRY_BYTES);
    put(leaf, 0, key, -key);
    memory.writeNew(leaf, 2);
    return leaf;
  }

  private void put(long node, int index, long key, long value) {
    memory.writeNew(node + (1L + index) * Long.BYTES, key);
    memory.writeNew(node + (long) (VALUES + index) * Long.BYTES, value);
  }

  /// Toggles a key below a node, which is freed.
  private Copies change(long node, long key) {
    List<long[]> entries = new ArrayList<>();
    for (int i = 0; i < count(node); i++) {
      entries.add(new long[] {key(node, i), value(node, i)});
    }
    if (isLeaf(node)) {
      int place = place(node, key);
      if (place >= 0 && key(node, place) == key) {
        entries.remove(place);
      } else {
        entries.add(place + 1, new long[] {key, -key});
      }
    } else {
      int place = Math.max(0, place(node, key));
      Copies below = change(value(node, place), key);
      if (below.node == 0) {
        entries.remove(place);
      } else {
        entries.get(place)[1] = below.node;
      }
      if (below.right != 0) {
        entries.add(place + 1, new long[] {key(below.right, 0), below.right});
      }
    }
    int kind = isLeaf(node) ? 0 : 1;
    memory.free(node, ENTRY_BYTES);
    if (entries.size() <= MOST) {
      return new Copies(copy(entries, kind), 0);
    }
    int half = entries.size() / 2;
    return new Copies(
        copy(entries.subList(0, half), kind), copy(entries.subList(half, entries.size()), kind));
  }

  private long copy(List<long[]> entries, int kind) {
    if (entries.isEmpty()) {
      return 0;
    }
    long copy = memory.allocate(ENTRY_BYTES);
    for (int i = 0; i < entries.size(); i++) {
      put(copy, i, entries.get(i)[0], entries.get(i)[1]);
    }
    memory.writeNew(copy, 2L * entries.size() + kind);
    return copy;
  }

  @Override
  public List<Long> content() {
    List<Long> keys = new ArrayList<>();
    visit(memory.read(root), Long.MIN_VALUE, Long.MAX_VALUE, keys);
    return keys;
  }

  /// @return nodes
  private int visit(long node, long least, long beyond, List<Long> keys) {
    if (node == 0) {
      return 0;
    }
    int nodes = 1;
    int count = count(node);
    require(count > 0 && count <= MOST, "COWB-1: count=%d", count);
    for (int i = 0; i < count; i++) {
      long key = key(node, i);
      long next = i + 1 < count ? key(node, i + 1) : beyond;
      require(key < next, "COWB-1: order, key=%d, next=%d", key, next);
      if (isLeaf(node)) {
        require(key >= least && value(node, i) == -key, "COWB-1: key=%d", key);
        keys.add(key);
      } else {
        nodes += visit(value(node, i), i == 0 ? least : key, next, keys);
      }
    }
    return nodes;
  }

  @Override
  public int blocks() {
    return 1 + visit(memory.read(root), Long.MIN_VALUE, Long.MAX_VALUE, new ArrayList<>());
  }
}
