package io.holdfast.jmh.atlas;

import java.util.ArrayList;
import java.util.List;

/// A red-black tree in Andersson's form, in which only right children are red ("Balanced Search
/// Trees Made Simple", 1993): its levels say what colours would (thesis, Table 4.2, *rbtree*). An
/// operation searches a key, and inserts it or, if it is there, deletes it.
///
/// | block | word 0 | word 1 | word 2 | word 3 | word 4 to 63 |
/// |---|---|---|---|---|---|
/// | root | the topmost node | | | | |
/// | node | its key | left | right | its level, from 1 on | its key |
///
/// **RB-1** A left child is one level below its parent, a right child one or none, a right child of
/// a right child is below the grandparent, and a missing child counts as level 0. Keys are in
/// order, nodes whole.
public final class RedBlackTree extends OneLock {
  private static final int KEYS = 256;
  private static final int LEFT = 8, RIGHT = 16, LEVEL = 24;
  private static final int PAYLOAD = 4;

  private final long root;

  public RedBlackTree(ProgramMemory memory) {
    super(memory);
    root = memory.root(Long.BYTES);
  }

  @Override
  void change(long draw) {
    long key = 1 + below(draw, KEYS);
    long top = memory.read(root);
    set(root, contains(top, key) ? delete(top, key) : insert(top, key));
  }

  private boolean contains(long top, long key) {
    long node = top;
    while (node != 0 && memory.read(node) != key) {
      node = memory.read(node + (key < memory.read(node) ? LEFT : RIGHT));
    }
    return node != 0;
  }

  /// Stores a word if it is another one: what is not changed is not logged.
  private void set(long offset, long value) {
    if (memory.read(offset) != value) {
      memory.write(offset, value);
    }
  }

  private long level(long node) {
    return node == 0 ? 0 : memory.read(node + LEVEL);
  }

  private long insert(long node, long key) {
    if (node == 0) {
      long created = memory.allocate(ENTRY_BYTES);
      for (int i = 0; i < ENTRY_WORDS; i++) {
        memory.writeNew(created + (long) i * Long.BYTES, key);
      }
      memory.writeNew(created + LEFT, 0);
      memory.writeNew(created + RIGHT, 0);
      memory.writeNew(created + LEVEL, 1);
      return created;
    }
    int side = key < memory.read(node) ? LEFT : RIGHT;
    set(node + side, insert(memory.read(node + side), key));
    return split(skew(node));
  }

  /// Turns a left child of the same level into the parent.
  private long skew(long node) {
    long left = node == 0 ? 0 : memory.read(node + LEFT);
    if (left == 0 || level(left) != level(node)) {
      return node;
    }
    set(node + LEFT, memory.read(left + RIGHT));
    set(left + RIGHT, node);
    return left;
  }

  /// Raises the middle of three nodes of one level.
  private long split(long node) {
    long right = node == 0 ? 0 : memory.read(node + RIGHT);
    if (right == 0 || level(memory.read(right + RIGHT)) != level(node)) {
      return node;
    }
    set(node + RIGHT, memory.read(right + LEFT));
    set(right + LEFT, node);
    set(right + LEVEL, level(right) + 1);
    return right;
  }

  private long delete(long node, long key) {
    if (key != memory.read(node)) {
      int side = key < memory.read(node) ? LEFT : RIGHT;
      set(node + side, delete(memory.read(node + side), key));
      return rebalance(node);
    }
    if (memory.read(node + LEFT) == 0) {
      long right = memory.read(node + RIGHT);
      memory.free(node, ENTRY_BYTES);
      return right;
    }
    // The node before takes its place: as a node, since its payload stays where it is.
    long before = memory.read(node + LEFT);
    while (memory.read(before + RIGHT) != 0) {
      before = memory.read(before + RIGHT);
    }
    long left = withoutLast(memory.read(node + LEFT));
    set(before + LEFT, left);
    set(before + RIGHT, memory.read(node + RIGHT));
    set(before + LEVEL, memory.read(node + LEVEL));
    memory.free(node, ENTRY_BYTES);
    return rebalance(before);
  }

  /// Takes the last node out.
  private long withoutLast(long node) {
    long right = memory.read(node + RIGHT);
    if (right == 0) {
      return memory.read(node + LEFT);
    }
    set(node + RIGHT, withoutLast(right));
    return rebalance(node);
  }

  private long rebalance(long node) {
    long should = Math.min(level(memory.read(node + LEFT)), level(memory.read(node + RIGHT))) + 1;
    if (should < level(node)) {
      set(node + LEVEL, should);
      long right = memory.read(node + RIGHT);
      if (level(right) > should) {
        set(right + LEVEL, should);
      }
    }
    long top = skew(node);
    set(top + RIGHT, skew(memory.read(top + RIGHT)));
    long right = memory.read(top + RIGHT);
    if (right != 0) {
      set(right + RIGHT, skew(memory.read(right + RIGHT)));
    }
    top = split(top);
    set(top + RIGHT, split(memory.read(top + RIGHT)));
    return top;
  }

  @Override
  public List<Long> content() {
    List<Long> keys = new ArrayList<>();
    visit(memory.read(root), keys);
    for (int i = 1; i < keys.size(); i++) {
      require(keys.get(i - 1) < keys.get(i), "RB-1: order, keys=%s", keys);
    }
    return keys;
  }

  private void visit(long node, List<Long> keys) {
    if (node == 0) {
      return;
    }
    long key = memory.read(node);
    long left = memory.read(node + LEFT);
    long right = memory.read(node + RIGHT);
    long level = level(node);
    require(
        level(left) == level - 1
            && (level(right) == level || level(right) == level - 1)
            && (right == 0 || level(memory.read(right + RIGHT)) < level),
        "RB-1: key=%d, level=%d, left=%d, right=%d",
        key,
        level,
        level(left),
        level(right));
    for (int word = PAYLOAD; word < ENTRY_WORDS; word++) {
      require(memory.read(node + (long) word * Long.BYTES) == key, "RB-1: torn, key=%d", key);
    }
    visit(left, keys);
    keys.add(key);
    visit(right, keys);
  }

  @Override
  public int blocks() {
    return 1 + content().size();
  }
}
