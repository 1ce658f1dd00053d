package io.holdfast.collections.tree;

import static io.holdfast.collections.tree.TreeLayout.HEIGHT_MASK;
import static io.holdfast.collections.tree.TreeLayout.INNER_COUNT;
import static io.holdfast.collections.tree.TreeLayout.KIND_OUTSIDE;
import static io.holdfast.collections.tree.TreeLayout.ROOT_GARBAGE;
import static io.holdfast.collections.tree.TreeLayout.ROOT_TOP;

import io.holdfast.core.heap.Heap;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.recovery.Region;
import io.holdfast.core.section.Section;
import io.holdfast.core.section.SectionHooks;
import io.holdfast.core.section.SectionLock;

/// What a clearing has taken out of a tree: freed from its end on, some blocks at a time, each time
/// in a section of its own, so that clearing takes no log in proportion to the tree.
///
/// **TREE-7** A block of garbage is freed in the section that makes its parent, or the root, end
/// before it: a crash leaves what is not freed, and the next opening goes on. Test:
/// TreeSectionCrashTest.tree7Clear.
///
/// Thread-safe.
final class TreeGarbage {
  /// Blocks freed in a section: a log's first chunk holds them.
  private static final int BLOCKS_MAX = 500;

  private final Region region;
  private final Memory memory;
  private final Heap heap;
  private final Inner inner;
  private final long root;
  private final SectionLock lock;

  TreeGarbage(Region region, Inner inner, long root) {
    this.region = region;
    this.memory = region.memory();
    this.heap = region.heap();
    this.inner = inner;
    this.root = root;
    this.lock = new SectionLock(region.sections(), new Object());
  }

  interface Action {
    void run(Section section);
  }

  /// Runs something that adds garbage, in a section, and something else behind its end.
  void adding(Action action, Runnable behind) {
    Section section = lock.lock();
    boolean ran = false;
    try {
      region.sections().checkUsable();
      while (top() != 0) { // of a clearing in a section
        freeSome(section);
      }
      ran = true;
      action.run(section);
    } finally {
      lock.endSection(section);
      if (ran) {
        behind.run();
      }
      lock.unlock();
    }
    region.sections().checkKept();
  }

  private long top() {
    return memory.readPlain(root + ROOT_GARBAGE);
  }

  /// Takes the top out of the tree.
  void take(Section section, long top) {
    section.reserve(4);
    section.write(root + ROOT_GARBAGE, top);
    section.write(root + ROOT_TOP, 0);
  }

  /// Frees all there is; a section of the caller's would hold all of it, so there it is left.
  void freeOutsideOfSections() {
    while (!SectionHooks.inSection() && top() != 0) {
      Section section = lock.lock();
      try {
        region.sections().checkUsable();
        freeSome(section);
      } finally {
        lock.endSection(section);
        lock.unlock();
      }
      region.sections().checkKept();
    }
  }

  private void freeSome(Section section) {
    long top = top();
    if (top == 0) {
      return;
    }
    section.reserve(2 * BLOCKS_MAX + 2 * TreeLayout.HEIGHT_MAX);
    long node = top & ~HEIGHT_MASK;
    int height = (int) (top & HEIGHT_MASK);
    if (height == 0 ? freeLeaf(node, BLOCKS_MAX) >= 0 : freeChildren(section, node, height)) {
      if (height > 0) {
        heap.free(node);
      }
      section.write(root + ROOT_GARBAGE, 0);
    }
  }

  /// Frees children of a node, the last ones first.
  ///
  /// @return whether it has none left
  private boolean freeChildren(Section section, long node, int height) {
    int count = inner.count(node);
    int left = count;
    int budget = BLOCKS_MAX;
    while (left > 0 && budget > 0) {
      long child = inner.child(node, left - 1);
      if (height == 1) {
        budget = freeLeaf(child, budget);
      } else if (freeChildren(section, child, height - 1)) {
        heap.free(child);
        budget = 0; // one node's children at a time
      } else {
        return false;
      }
      left--;
    }
    if (left > 0 && left < count) {
      section.write(node + INNER_COUNT, left);
    }
    return left == 0;
  }

  /// @return how many more blocks may be freed
  private int freeLeaf(long leaf, int budget) {
    LeafLog log = LeafLog.read(memory, leaf);
    int left = budget - 1;
    for (int place = 0; place < log.tail(); place++) {
      long header = memory.readPlain(TreeLayout.at(leaf, place));
      if (log.isLive(place) && TreeLayout.kind(header) == KIND_OUTSIDE) {
        int at = place + 1 + TreeLayout.wordsOf(TreeLayout.keyLength(header));
        heap.free(memory.readPlain(TreeLayout.at(leaf, at)));
        left--;
      }
    }
    heap.free(leaf);
    return Math.max(0, left);
  }
}
