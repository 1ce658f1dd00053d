package io.holdfast.jmh.atlas;

import java.util.ArrayList;
import java.util.List;

/// A B-tree that is changed in place (thesis, Table 4.2, *btree*): an operation searches a key, and
/// inserts it or, if it is there, deletes it.
///
/// | block | word 0 | word 1 to 31 | word 32 to 62 |
/// |---|---|---|---|
/// | root | the topmost node, 0 if there never was one | | |
/// | leaf | 2 × keys | the keys | the values: minus the keys |
/// | inner node | 2 × children + 1 | the least key that each child may have | the children |
///
/// Full nodes are split on the way down; nodes are not merged, and a leaf may be empty.
///
/// **BTREE-1** Keys are in order, each between its neighbours in the nodes above, and its value its
/// own.
public final class BTree extends OneLock {
  private static final int KEYS = 4_096;

  /// Of a node.
  private static final int MOST = 31;

  private static final int VALUES = 1 + MOST;

  private final long root;

  public BTree(ProgramMemory memory) {
    super(memory);
    root = memory.root(Long.BYTES);
  }

  private int count(long node) {
    return (int) (memory.read(node) >>> 1);
  }

  private boolean isLeaf(long node) {
    return (memory.read(node) & 1) == 0;
  }

  private static long keyAt(long node, int index) {
    return node + (1L + index) * Long.BYTES;
  }

  private static long valueAt(long node, int index) {
    return node + (long) (VALUES + index) * Long.BYTES;
  }

  /// The place of the last key that is not greater, -1 if all are.
  private int place(long node, long key) {
    int place = count(node) - 1;
    while (place >= 0 && memory.read(keyAt(node, place)) > key) {
      place--;
    }
    return place;
  }

  @Override
  void change(long draw) {
    long key = 1 + below(draw, KEYS);
    long node = top();
    while (!isLeaf(node)) {
      int place = place(node, key);
      long child = memory.read(valueAt(node, place));
      if (count(child) < MOST) {
        node = child;
      } else {
        split(node, place, child); // and look again which half it is
      }
    }
    int place = place(node, key);
    if (place >= 0 && memory.read(keyAt(node, place)) == key) {
      close(node, place);
    } else {
      open(node, place + 1, key, -key);
    }
  }

  /// The topmost node, which is not full.
  private long top() {
    long top = memory.read(root);
    if (top == 0) {
      top = newNode(0);
      memory.write(root, top);
    } else if (count(top) == MOST) {
      long above = newNode(1);
      memory.writeNew(keyAt(above, 0), Long.MIN_VALUE);
      memory.writeNew(valueAt(above, 0), top);
      memory.writeNew(above, 2 + 1);
      memory.write(root, above);
      return above;
    }
    return top;
  }

  private long newNode(int kind) {
    long node = memory.allocate(ENTRY_BYTES);
    memory.writeNew(node, kind);
    return node;
  }

  /// Moves the upper half of a full child to a new one behind it.
  private void split(long node, int place, long child) {
    int half = MOST / 2;
    long right = newNode(isLeaf(child) ? 0 : 1);
    for (int i = half; i < MOST; i++) {
      memory.writeNew(keyAt(right, i - half), memory.read(keyAt(child, i)));
      memory.writeNew(valueAt(right, i - half), memory.read(valueAt(child, i)));
    }
    memory.writeNew(right, 2L * (MOST - half) + (isLeaf(child) ? 0 : 1));
    open(node, place + 1, memory.read(keyAt(right, 0)), right);
    memory.write(child, 2L * half + (isLeaf(child) ? 0 : 1));
  }

  /// Inserts an entry into a node that is not full.
  private void open(long node, int place, long key, long value) {
    for (int i = count(node); i > place; i--) {
      memory.write(keyAt(node, i), memory.read(keyAt(node, i - 1)));
      memory.write(valueAt(node, i), memory.read(valueAt(node, i - 1)));
    }
    memory.write(keyAt(node, place), key);
    memory.write(valueAt(node, place), value);
    memory.write(node, memory.read(node) + 2);
  }

  /// Removes an entry.
  private void close(long node, int place) {
    for (int i = place; i < count(node) - 1; i++) {
      memory.write(keyAt(node, i), memory.read(keyAt(node, i + 1)));
      memory.write(valueAt(node, i), memory.read(valueAt(node, i + 1)));
    }
    memory.write(node, memory.read(node) - 2);
  }

  @Override
  public List<Long> content() {
    List<Long> keys = new ArrayList<>();
    visit(Long.MIN_VALUE, memory.read(root), Long.MAX_VALUE, keys);
    return keys;
  }

  /// @return nodes
  private int visit(long least, long node, long beyond, List<Long> keys) {
    if (node == 0) {
      return 0;
    }
    int nodes = 1;
    int count = count(node);
    require(count <= MOST, "BTREE-1: count=%d", count);
    for (int i = 0; i < count; i++) {
      long key = memory.read(keyAt(node, i));
      long next = i + 1 < count ? memory.read(keyAt(node, i + 1)) : beyond;
      require(key >= least && key < next, "BTREE-1: order, key=%d, next=%d", key, next);
      if (isLeaf(node)) {
        require(memory.read(valueAt(node, i)) == -key, "BTREE-1: value, key=%d", key);
        keys.add(key);
      } else {
        nodes += visit(key, memory.read(valueAt(node, i)), next, keys);
      }
    }
    return nodes;
  }

  @Override
  public int blocks() {
    return 1 + visit(Long.MIN_VALUE, memory.read(root), Long.MAX_VALUE, new ArrayList<>());
  }
}
