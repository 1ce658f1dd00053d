package io.holdfast.collections.tree;

import static io.holdfast.collections.tree.node.TreeLayout.HEIGHT_MASK;
import static io.holdfast.collections.tree.node.TreeLayout.INNER_CHILDREN;
import static io.holdfast.collections.tree.node.TreeLayout.INNER_COUNT;
import static io.holdfast.collections.tree.node.TreeLayout.KIND_ENTRY;
import static io.holdfast.collections.tree.node.TreeLayout.KIND_OUTSIDE;
import static io.holdfast.collections.tree.node.TreeLayout.LEAF_BYTES;
import static io.holdfast.collections.tree.node.TreeLayout.ROOT_GARBAGE;
import static io.holdfast.collections.tree.node.TreeLayout.ROOT_TOP;

import io.holdfast.collections.tree.leaf.LeafLog;
import io.holdfast.collections.tree.node.Inner;
import io.holdfast.collections.tree.node.KeyOrder;
import io.holdfast.collections.tree.node.Torn;
import io.holdfast.collections.tree.node.TreeLayout;
import io.holdfast.core.RegionDamagedException;
import io.holdfast.core.heap.Heap;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.region.Region;
import io.holdfast.core.section.Section;
import io.holdfast.core.section.SectionLock;
import io.holdfast.core.section.hooks.SectionHooks;
import java.util.function.Consumer;

/// What a clearing has taken out of a tree: freed from its end on, some blocks at a time, each time
/// in a section of its own, so that clearing takes no log in proportion to the tree.
///
/// **TREE-7** A block of garbage is freed in the section that makes its parent, or the root, end
/// before it: a crash leaves what is not freed, and the next opening goes on. Test:
/// TreeSectionCrashTest.tree7Clear.
///
/// **TREE-10** Whoever adds garbage or frees it asks under its lock, which a deletion takes too,
/// whether the tree is still there: after a deletion the blocks are somebody else's. Test:
/// TreeIntruderTest.clearingAndDeletion.
///
/// Thread-safe.
final class TreeGarbage {
  /// Changes that a section logs: its log's first chunk holds them.
  private static final int CHANGES_MAX = 1_000;

  private final Memory memory;
  private final Heap heap;
  private final Inner inner;
  private final long root;
  private final Runnable usable;
  private final SectionLock lock;

  /// @param usable throws if the tree was deleted, or the store closed
  TreeGarbage(Region region, Inner inner, long root, Runnable usable) {
    this.memory = region.memory();
    this.heap = region.heap();
    this.inner = inner;
    this.root = root;
    this.usable = usable;
    this.lock = new SectionLock(region.sections(), new Object());
  }

  /// Runs something that adds or frees garbage, in a section, and something else after its end.
  void adding(Consumer<Section> action, Runnable after) {
    lock.inSection(
        section -> {
          usable.run(); // TREE-10
          action.accept(section);
          return null;
        },
        after);
  }

  private long top() {
    return memory.readPlain(root + ROOT_GARBAGE);
  }

  /// Takes the top out of the tree, once there is no other garbage.
  void take(Section section) {
    while (!freeSome(section, CHANGES_MAX)) {
      // What a clearing in a section has left.
    }
    section.reserve(4);
    section.write(root + ROOT_GARBAGE, memory.readPlain(root + ROOT_TOP));
    section.write(root + ROOT_TOP, 0);
  }

  /// Frees all there is; a section of the caller's would hold all of it, so there it is left.
  void freeOutsideOfSections() {
    while (!SectionHooks.inSection() && top() != 0) {
      adding(section -> freeSome(section, CHANGES_MAX), () -> {});
    }
  }

  /// Frees some blocks of a tree that nobody can find, the root last.
  ///
  /// @param most changes to log, at least 40
  /// @return whether these were the last
  static boolean freeSome(Region region, long root, int most) {
    region.heap().checkBlock(root, TreeLayout.ROOT_BYTES, "a tree's root");
    Inner inner = new Inner(region.memory(), KeyOrder.BYTES);
    TreeGarbage garbage = new TreeGarbage(region, inner, root, region.sections()::checkUsable);
    Section section = region.sections().current();
    if (garbage.top() == 0) {
      garbage.take(section);
    }
    boolean all = garbage.top() == 0;
    if (all) {
      garbage.heap.free(root);
    } else {
      garbage.freeSome(section, most - 4);
    }
    return all;
  }

  /// @param most changes to log
  /// @return whether nothing is left
  private boolean freeSome(Section section, int most) {
    long top = top();
    if (top == 0) {
      return true;
    }
    section.reserve(most);
    try {
      int left = free(section, top & ~HEIGHT_MASK, (int) (top & HEIGHT_MASK), most - 1);
      if (left >= 0) {
        section.write(root + ROOT_GARBAGE, 0);
      }
      return left >= 0;
    } catch (Torn e) { // nobody changes what nobody can find
      throw new RegionDamagedException(
          "%s: the region is damaged: what a clearing has left of a tree is none: found=0x%X, offset=0x%X. Restore it from a backup"
              .formatted(memory.name(), top, root + ROOT_GARBAGE));
    }
  }

  /// Frees a node with all that is below it, the last children first, as far as it may.
  ///
  /// @param most changes to log
  /// @return how many are left; -1 if they did not do
  private int free(Section section, long node, int height, int most) {
    if (height == 0) {
      return freeLeaf(section, node, most);
    }
    heap.checkBlock(node, INNER_CHILDREN, "a tree's node"); // it is stored into
    int count = inner.count(node);
    int left = most - 1; // COUNT, or the node
    for (int children = count; children > 0; children--) {
      int after = left < 1 ? -1 : free(section, inner.child(node, children - 1), height - 1, left);
      if (after < 0) {
        if (children < count) {
          section.write(node + INNER_COUNT, children);
        }
        return -1;
      }
      left = after;
    }
    heap.free(node);
    return left;
  }

  private int freeLeaf(Section section, long leaf, int most) {
    heap.checkBlock(leaf, LEAF_BYTES, "a tree's leaf");
    LeafLog log = LeafLog.read(memory, leaf);
    int left = most - 1;
    for (int place = 0; place < log.tail(); place++) {
      long header = memory.readPlain(TreeLayout.at(leaf, place));
      if (log.isLive(place) && TreeLayout.kind(header) == KIND_OUTSIDE) {
        if (left < 2) {
          return -1;
        }
        int key = TreeLayout.keyLength(header);
        heap.free(memory.readPlain(TreeLayout.at(leaf, place + 1 + TreeLayout.wordsOf(key))));
        // The offset is a value from now on, of the same length.
        section.write(
            TreeLayout.at(leaf, place),
            TreeLayout.header(
                KIND_ENTRY | (int) header & TreeLayout.SHORT,
                TreeLayout.gone(header),
                key,
                Long.BYTES));
        left -= 2;
      }
    }
    heap.free(leaf);
    return left;
  }
}
