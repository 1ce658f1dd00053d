package io.holdfast.jmh.atlas;

import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/// A B-tree of words to words in a program's memory, which is changed in place. Its lock is the
/// program's.
///
/// | block | word 0 | word 1 to 31 | word 32 to 62 |
/// |---|---|---|---|
/// | leaf | 2 × keys | the keys | the values |
/// | inner node | 2 × children + 1 | the least key that each child may have; nobody looks at the first's | the children |
///
/// An insertion splits full nodes on the way down. Nodes are not merged; one that becomes empty is
/// taken out.
///
/// **BTREE-1** Keys are in order, each between its neighbours in the nodes above.
final class WordTree {
  /// Entries of a node.
  private static final int MOST = 31;

  private static final int VALUES = 1 + MOST;

  private final ProgramMemory memory;
  private final long root;

  /// @param root the word that has the topmost node, 0 if the tree is empty
  WordTree(ProgramMemory memory, long root) {
    this.memory = memory;
    this.root = root;
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

  /// The place of the child that a key belongs to.
  private int childFor(long node, long key) {
    return Math.max(0, place(node, key));
  }

  /// The value of a key, 0 if it is not there.
  long find(long key) {
    long node = memory.read(root);
    if (node == 0) {
      return 0;
    }
    while (!isLeaf(node)) {
      node = memory.read(valueAt(node, childFor(node, key)));
    }
    int place = place(node, key);
    return place >= 0 && memory.read(keyAt(node, place)) == key
        ? memory.read(valueAt(node, place))
        : 0;
  }

  /// The least key from one on, 0 if there is none.
  long from(long key) {
    long top = memory.read(root);
    return top == 0 ? 0 : from(top, key);
  }

  private long from(long node, long key) {
    for (int place = childFor(node, key); place < count(node); place++) {
      long found = memory.read(isLeaf(node) ? keyAt(node, place) : valueAt(node, place));
      if (!isLeaf(node)) {
        found = from(found, key);
      }
      if (found >= key) {
        return found;
      }
    }
    return 0;
  }

  /// Inserts an entry if the key is not there.
  ///
  /// @param key greater than 0
  /// @return whether it was not
  boolean add(long key, long value) {
    long node = top();
    while (!isLeaf(node)) {
      int place = childFor(node, key);
      long child = memory.read(valueAt(node, place));
      if (count(child) < MOST) {
        node = child;
      } else {
        split(node, place, child); // and look again which half it is
      }
    }
    int place = place(node, key);
    if (place >= 0 && memory.read(keyAt(node, place)) == key) {
      return false;
    }
    open(node, place + 1, key, value);
    return true;
  }

  /// The topmost node, which is not full.
  private long top() {
    long top = memory.read(root);
    if (top == 0) {
      top = newNode(0);
      memory.write(root, top);
    } else if (count(top) == MOST) {
      long above = newNode(1);
      memory.writeNew(keyAt(above, 0), 0);
      memory.writeNew(valueAt(above, 0), top);
      memory.writeNew(above, 2 + 1);
      memory.write(root, above);
      return above;
    }
    return top;
  }

  private long newNode(int kind) {
    long node = memory.allocate(OneLock.ENTRY_BYTES);
    memory.writeNew(node, kind);
    return node;
  }

  /// Moves the upper half of a full child to a new one after it.
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

  /// Removes a key, which is there.
  void remove(long key) {
    long top = memory.read(root);
    remove(top, key);
    if (count(top) == 0) {
      memory.write(root, 0);
      memory.free(top, OneLock.ENTRY_BYTES);
    }
  }

  private void remove(long node, long key) {
    if (isLeaf(node)) {
      close(node, place(node, key));
      return;
    }
    int place = childFor(node, key);
    long child = memory.read(valueAt(node, place));
    remove(child, key);
    if (count(child) == 0) {
      memory.free(child, OneLock.ENTRY_BYTES);
      close(node, place);
    }
  }

  /// Removes an entry from a node.
  private void close(long node, int place) {
    for (int i = place; i < count(node) - 1; i++) {
      memory.write(keyAt(node, i), memory.read(keyAt(node, i + 1)));
      memory.write(valueAt(node, i), memory.read(valueAt(node, i + 1)));
    }
    memory.write(node, memory.read(node) - 2);
  }

  /// All of it.
  ///
  /// @throws IllegalStateException if BTREE-1 does not hold
  NavigableMap<Long, Long> entries() {
    NavigableMap<Long, Long> entries = new TreeMap<>();
    visit(0, memory.read(root), Long.MAX_VALUE, entries);
    return entries;
  }

  /// How many there are.
  int nodes() {
    return visit(0, memory.read(root), Long.MAX_VALUE, new TreeMap<>());
  }

  private int visit(long least, long node, long beyond, Map<Long, Long> entries) {
    if (node == 0) {
      return 0;
    }
    int nodes = 1;
    int count = count(node);
    Program.require(count > 0 && count <= MOST, "BTREE-1: count=%d", count);
    for (int i = 0; i < count; i++) {
      long key = i == 0 && !isLeaf(node) ? least : memory.read(keyAt(node, i));
      long next = i + 1 < count ? memory.read(keyAt(node, i + 1)) : beyond;
      Program.require(key >= least && key < next, "BTREE-1: order, key=%d, next=%d", key, next);
      long value = memory.read(valueAt(node, i));
      if (isLeaf(node)) {
        entries.put(key, value);
      } else {
        nodes += visit(key, value, next, entries);
      }
    }
    return nodes;
  }
}
