package io.holdfast.collections.tree.node;

import static io.holdfast.collections.tree.node.TreeLayout.INNER_BYTES_MAX;

import io.holdfast.codec.Encoded;
import io.holdfast.collections.tree.node.Inner.Child;
import io.holdfast.collections.tree.node.Inner.Side;
import io.holdfast.core.heap.Heap;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.section.Section;
import java.util.ArrayList;
import java.util.List;

/// A change of which nodes there are, in a section (TREE-4): new nodes are written into blocks of
/// their own, then one word of what there was is stored, and the nodes that it led to are freed. A
/// crash leaves all of it or nothing.
///
/// Leaves are made before anything is locked, for which others wait; what leads to them, under one
/// lock or all (STRUCT-2).
///
/// Confined to a thread.
public final class StructureChange {
  private static final int NONE = -1, ALL = -2;

  /// How often what leads to a leaf is looked for before what can't be is a fault.
  private static final int ATTEMPTS_MAX = 1_000;

  private final TreeStructure structure;
  private final Memory memory;
  private final Heap heap;
  private final Inner inner;
  private final long anchor;
  private final boolean keeps;

  private final List<Long> made = new ArrayList<>();
  private final List<Long> gone = new ArrayList<>();
  private long word;
  private long value;

  /// Which lock it is to give up: that of a number, all, or none, since there is none or all are
  /// kept.
  private int locked = NONE;

  // What is locked.

  private final Path path;
  private final TreeReader.Found found = new TreeReader.Found();
  private long leaf;
  private Encoded key;

  /// Whether it is more than the lowest node.
  private boolean goesFurther;

  StructureChange(TreeStructure structure, boolean keeps) {
    this.structure = structure;
    this.memory = structure.region.memory();
    this.heap = structure.region.heap();
    this.inner = structure.inner;
    this.anchor = structure.anchor;
    this.path = structure.reader.path();
    this.keeps = keeps;
  }

  /// Allocates a block that the change will lead to.
  public long allocate(long bytes) {
    long block = heap.allocate(bytes);
    structure.counts.made(block);
    made.add(block);
    return block;
  }

  /// Has the change free a block.
  public void freeLater(long block) {
    gone.add(block);
  }

  /// Takes back what was allocated, for the change can't be made; if the section is undone, that
  /// has done it.
  public void drop(Section section) {
    if (!section.isUndone()) {
      made.forEach(heap::free);
    }
  }

  /// Locks the node that leads to a leaf.
  ///
  /// @param leaf 0 for an empty tree's
  /// @param key one that belongs to the leaf, whose lock the caller has
  /// @return the way to the leaf
  public Path lock(long leaf, Encoded key) {
    this.leaf = leaf;
    this.key = key;
    if (keeps) {
      return lockAll();
    }
    for (int attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
      if (structure.find(key, Side.AT, found, path, attempt)) {
        structure.locks.hold(found.parent);
        locked = found.parent;
        if (structure.reader.isStill(found)) {
          return checked();
        }
        locked = NONE;
        structure.locks.unlock(found.parent);
      }
    }
    throw astray();
  }

  private Path lockAll() {
    giveUp();
    if (keeps) {
      structure.keep();
    } else {
      structure.lock();
      locked = ALL;
    }
    if (!structure.reader.findLocked(key, Side.AT, found, path)) {
      throw astray();
    }
    return checked();
  }

  private Path checked() {
    if (found.leaf != leaf) {
      throw astray();
    }
    return path;
  }

  private RuntimeException astray() {
    return OrderFault.of(
        inner.order(),
        memory.name(),
        "its nodes do not lead to the leaf at offset 0x%X".formatted(leaf));
  }

  /// Lets readers in and unlocks, after the level of the operation (LEVEL-1).
  public void giveUp() {
    int index = locked;
    locked = NONE;
    if (index == ALL) {
      structure.giveUp();
    } else if (index != NONE) {
      structure.locks.giveUp(index);
    }
  }

  /// Replaces children of the node that was locked, and does all that was put off until then.
  ///
  /// @param from the first child to go
  /// @param count how many go
  /// @param news what comes in their place
  public void replace(Section section, int from, int count, List<Child> news) {
    if (!plan(1, from, count, news)) {
      lockAll();
      plan(1, path.chosen[1], count, news);
    }
    section.reserve(4 + 2 * gone.size());
    structure.changed(news, gone);
    // TREE-5: all that it changes is held by now. Test: TreeReadersTest.
    if (goesFurther) {
      structure.holdAll();
    } else {
      structure.locks.seqlocks().hold(found.parent);
    }
    section.write(word, value);
    for (long block : gone) {
      heap.free(block);
    }
  }

  /// @param level the node's height; that above the top for the top itself
  /// @return false if more than the lowest node must be locked first; then nothing was made
  private boolean plan(int level, int from, int count, List<Child> news) {
    if (level > path.height) {
      return store(anchor, top(level, news));
    }
    long node = path.nodes[level];
    if (count == 1 && news.size() == 1) {
      return store(Inner.childAt(node, from), news.getFirst().offset());
    }
    NodeChildren children = inner.children(node);
    boolean isFirst = from == 0;
    boolean isLast = from + count == children.count();
    children.replace(from, count, news);
    boolean fits = children.bytes(0, children.count()) <= INNER_BYTES_MAX;
    goesFurther |= level < path.height && (children.count() == 0 || !fits);
    if (goesFurther && locked != ALL && !keeps) {
      return false;
    }
    gone.add(node);
    if (level == path.height && children.count() == 1) {
      return store(anchor, children.offset(0) | level - 1);
    }
    int at = fits ? 0 : divide(children, isFirst, isLast);
    List<Child> nodes = children.count() == 0 ? List.of() : nodes(children, at);
    return plan(level + 1, level < path.height ? path.chosen[level + 1] : 0, 1, nodes);
  }

  private boolean store(long at, long what) {
    word = at;
    value = what;
    return true;
  }

  /// What the anchor is to hold.
  private long top(int level, List<Child> news) {
    if (news.isEmpty()) {
      return 0;
    }
    if (news.size() == 1) {
      return news.getFirst().offset() | level - 1;
    }
    return node(NodeChildren.of(news), 0, news.size()) | level;
  }

  /// How many children go into the first of two nodes: nearly all or hardly any, if they come in at
  /// an end; else half.
  private static int divide(NodeChildren children, boolean isFirst, boolean isLast) {
    int size = children.count();
    for (int at = size - 2; isLast && !isFirst && at > size / 2; at--) {
      if (children.bytes(0, at) <= INNER_BYTES_MAX) {
        return at;
      }
    }
    if (isFirst && !isLast && children.bytes(2, size) <= INNER_BYTES_MAX) {
      return 2;
    }
    return size / 2;
  }

  /// @param at how many children go into the first of two nodes; 0 for a single node
  private List<Child> nodes(NodeChildren children, int at) {
    int count = children.count();
    if (at == 0) {
      return List.of(new Child(node(children, 0, count), null));
    }
    return List.of(
        new Child(node(children, 0, at), null),
        new Child(node(children, at, count), children.separator(at)));
  }

  private long node(NodeChildren children, int from, int to) {
    long node = allocate(children.bytes(from, to));
    children.write(memory, node, from, to);
    return node;
  }
}
