package io.holdfast.collections.tree.node;

import static io.holdfast.collections.tree.node.TreeLayout.INNER_BYTES_MAX;

import io.holdfast.collections.tree.node.Inner.Child;
import io.holdfast.core.heap.Heap;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.section.Section;
import java.util.ArrayList;
import java.util.List;

/// A change of which nodes there are, in a section (TREE-4): new nodes are written into blocks of
/// their own, then one word of what there was is stored, and the nodes that it led to are freed. A
/// crash leaves all of it or nothing.
///
/// Leaves are made before the structure's lock is taken, for which others wait; what leads to them,
/// under it.
///
/// Confined to a thread.
public final class StructureChange {
  private final TreeStructure structure;
  private final Memory memory;
  private final Heap heap;
  private final Inner inner;

  /// The word with the top.
  private final long anchor;

  private final List<Long> made = new ArrayList<>();
  private final List<Long> gone = new ArrayList<>();
  private long word;
  private long value;

  StructureChange(TreeStructure structure, Memory memory, Heap heap, Inner inner, long anchor) {
    this.structure = structure;
    this.memory = memory;
    this.heap = heap;
    this.inner = inner;
    this.anchor = anchor;
  }

  /// Allocates a block that the change will lead to.
  public long allocate(long bytes) {
    long block = heap.allocate(bytes);
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

  /// Replaces children of a node on the way to a leaf, and does all that was put off until then;
  /// the structure is locked.
  ///
  /// @param level the node's height; that above the top for the top itself
  /// @param from the first child to go
  /// @param count how many go
  /// @param news what comes in their place
  public void replace(
      Section section, Path path, int level, int from, int count, List<Child> news) {
    plan(path, level, from, count, news);
    section.reserve(4 + 2 * gone.size());
    structure.changed(news, gone);
    // TREE-5: all that it changes is held by now. Test: TreeReadersTest.
    section.write(word, value);
    for (long block : gone) {
      heap.free(block);
    }
  }

  private void plan(Path path, int level, int from, int count, List<Child> news) {
    if (level > path.height) {
      store(anchor, top(level, news));
      return;
    }
    long node = path.nodes[level];
    if (count == 1 && news.size() == 1) {
      structure.hold(node);
      store(Inner.childAt(node, from), news.getFirst().offset());
      return;
    }
    NodeChildren children = inner.children(node);
    boolean isFirst = from == 0;
    boolean isLast = from + count == children.count();
    children.replace(from, count, news);
    structure.hold(node);
    gone.add(node);
    if (level == path.height && children.count() == 1) {
      store(anchor, children.offset(0) | level - 1);
    } else if (children.count() == 0) {
      plan(path, level + 1, parentIndex(path, level), 1, List.of());
    } else {
      boolean fits = children.bytes(0, children.count()) <= INNER_BYTES_MAX;
      int at = fits ? 0 : divide(children, isFirst, isLast);
      plan(path, level + 1, parentIndex(path, level), 1, nodes(children, at));
    }
  }

  private static int parentIndex(Path path, int level) {
    return level < path.height ? path.chosen[level + 1] : 0;
  }

  private void store(long at, long what) {
    if (at == anchor) {
      structure.hold(anchor);
    }
    word = at;
    value = what;
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
