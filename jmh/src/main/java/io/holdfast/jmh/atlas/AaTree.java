package io.holdfast.jmh.atlas;

import java.util.function.LongConsumer;

/// A red-black tree in Andersson's form, in which only right children are red ("Balanced Search
/// Trees Made Simple", 1993): its levels say what colours would. A node begins with four words,
/// what follows is its maker's; 0 is no node.
///
/// | word 0 | word 1 | word 2 | word 3 |
/// |---|---|---|---|
/// | its key | left | right | its level, from 1 on |
///
/// **RB-1** A left child is one level below its parent, a right child one or none, a right child of
/// a right child is below the grandparent, and a missing child counts as level 0. Keys are in
/// order.
///
/// Who holds the topmost node calls, and then holds the one that is returned. As safe for threads
/// as what the words are in.
public abstract class AaTree {
  public static final int LEFT = 8, RIGHT = 16, LEVEL = 24;

  protected abstract long read(long offset);

  protected abstract void write(long offset, long value);

  /// Frees a node that is no longer in the tree.
  protected abstract void free(long node);

  /// The node of a key, or 0.
  public final long find(long top, long key) {
    long node = top;
    while (node != 0 && read(node) != key) {
      node = read(node + (key < read(node) ? LEFT : RIGHT));
    }
    return node;
  }

  /// Stores a word if it is another one: what is not changed is not logged.
  private void set(long offset, long value) {
    if (read(offset) != value) {
      write(offset, value);
    }
  }

  private long level(long node) {
    return node == 0 ? 0 : read(node + LEVEL);
  }

  /// Inserts a node without children, at level 1.
  ///
  /// @param key its key, which is not there
  public final long insert(long top, long key, long added) {
    if (top == 0) {
      return added;
    }
    int side = key < read(top) ? LEFT : RIGHT;
    set(top + side, insert(read(top + side), key, added));
    return split(skew(top));
  }

  /// Turns a left child of the same level into the parent.
  private long skew(long node) {
    long left = node == 0 ? 0 : read(node + LEFT);
    if (left == 0 || level(left) != level(node)) {
      return node;
    }
    set(node + LEFT, read(left + RIGHT));
    set(left + RIGHT, node);
    return left;
  }

  /// Raises the middle of three nodes of one level.
  private long split(long node) {
    long right = node == 0 ? 0 : read(node + RIGHT);
    if (right == 0 || level(read(right + RIGHT)) != level(node)) {
      return node;
    }
    set(node + RIGHT, read(right + LEFT));
    set(right + LEFT, node);
    set(right + LEVEL, level(right) + 1);
    return right;
  }

  /// Takes the node of a key out, which is there, and frees it.
  public final long delete(long node, long key) {
    if (key != read(node)) {
      int side = key < read(node) ? LEFT : RIGHT;
      set(node + side, delete(read(node + side), key));
      return rebalance(node);
    }
    if (read(node + LEFT) == 0) {
      long right = read(node + RIGHT);
      free(node);
      return right;
    }
    // The node before takes its place: as a node, since its payload stays where it is.
    long before = read(node + LEFT);
    while (read(before + RIGHT) != 0) {
      before = read(before + RIGHT);
    }
    long left = withoutLast(read(node + LEFT));
    set(before + LEFT, left);
    set(before + RIGHT, read(node + RIGHT));
    set(before + LEVEL, read(node + LEVEL));
    free(node);
    return rebalance(before);
  }

  /// Takes the last node out.
  private long withoutLast(long node) {
    long right = read(node + RIGHT);
    if (right == 0) {
      return read(node + LEFT);
    }
    set(node + RIGHT, withoutLast(right));
    return rebalance(node);
  }

  private long rebalance(long node) {
    long should = Math.min(level(read(node + LEFT)), level(read(node + RIGHT))) + 1;
    if (should < level(node)) {
      set(node + LEVEL, should);
      long right = read(node + RIGHT);
      if (level(right) > should) {
        set(right + LEVEL, should);
      }
    }
    long top = skew(node);
    set(top + RIGHT, skew(read(top + RIGHT)));
    long right = read(top + RIGHT);
    if (right != 0) {
      set(right + RIGHT, skew(read(right + RIGHT)));
    }
    top = split(top);
    set(top + RIGHT, split(read(top + RIGHT)));
    return top;
  }

  /// Calls with every node, by their keys.
  ///
  /// @throws IllegalStateException if the invariant does not hold
  public final void forEach(long top, LongConsumer visitor) {
    long[] before = {Long.MIN_VALUE};
    visit(
        top,
        node -> {
          Program.require(
              before[0] < read(node), "RB-1: order, keys=%d, %d", before[0], read(node));
          before[0] = read(node);
          visitor.accept(node);
        });
  }

  private void visit(long node, LongConsumer visitor) {
    if (node == 0) {
      return;
    }
    long left = read(node + LEFT);
    long right = read(node + RIGHT);
    long level = level(node);
    Program.require(
        level(left) == level - 1
            && (level(right) == level || level(right) == level - 1)
            && (right == 0 || level(read(right + RIGHT)) < level),
        "RB-1: key=%d, level=%d, left=%d, right=%d",
        read(node),
        level,
        level(left),
        level(right));
    visit(left, visitor);
    visitor.accept(node);
    visit(right, visitor);
  }
}
