package io.holdfast.collections.tree.rank;

import static io.holdfast.collections.tree.node.TreeLayout.HEIGHT_MASK;
import static io.holdfast.collections.tree.node.TreeLayout.LEAF_BYTES;
import static io.holdfast.collections.tree.node.TreeLayout.SLOTS;

import io.holdfast.codec.Encoded;
import io.holdfast.collections.tree.leaf.Leaf;
import io.holdfast.collections.tree.leaf.LeafHints;
import io.holdfast.collections.tree.leaf.LeafLog;
import io.holdfast.collections.tree.leaf.Operation;
import io.holdfast.collections.tree.leaf.TreeEpoch;
import io.holdfast.collections.tree.leaf.TreeParts;
import io.holdfast.collections.tree.node.Inner;
import io.holdfast.collections.tree.node.Inner.Side;
import io.holdfast.collections.tree.node.KeyOrder;
import io.holdfast.collections.tree.node.NodeLocks;
import io.holdfast.collections.tree.node.Path;
import io.holdfast.collections.tree.node.Seqlocks;
import io.holdfast.collections.tree.node.SubtreeCounts;
import io.holdfast.collections.tree.node.Torn;
import io.holdfast.collections.tree.node.TreeReader;
import io.holdfast.collections.tree.node.TreeStructure;
import io.holdfast.core.RegionDamagedException;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.section.Sections;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;

/// The ranks of keys: goes down from the top, and adds up what is below the children that it passes
/// by. What it has counted below an inner node is kept (`SubtreeCounts`), so it goes down once, and
/// besides that looks again only at the nodes below which something has changed since.
///
/// Reads without locks (TREE-5), and as a reader does: what it passed by was all there at one
/// moment or another while it went, in the same nodes. After some attempts it holds the structure's
/// lock.
///
/// Thread-safe.
public final class TreeRanks {
  private static final int ATTEMPTS = 3;
  private static final int ATTEMPTS_MAX = 1_000;

  private final Memory memory;
  private final long anchor;
  private final KeyOrder order;
  private final Leaf leafs;
  private final LeafHints hints;
  private final Inner inner;
  private final TreeReader reader;
  private final Seqlocks seqlocks;
  private final NodeLocks locks;
  private final TreeStructure structure;
  private final TreeEpoch epoch;
  private final SubtreeCounts counts;
  private final Sections sections;
  private final Runnable usable;

  public TreeRanks(TreeParts parts) {
    this.memory = parts.unordered();
    this.anchor = parts.anchor();
    this.order = parts.order();
    this.leafs = parts.leafs();
    this.hints = parts.hints();
    this.inner = parts.inner();
    this.reader = parts.reader();
    this.seqlocks = parts.seqlocks();
    this.locks = parts.locks();
    this.structure = parts.structure();
    this.epoch = parts.epoch();
    this.counts = parts.counts();
    this.sections = parts.region().sections();
    this.usable = parts.usable();
  }

  // Changing

  /// Notes that the number of a leaf's entries is about to change (RANK-1).
  ///
  /// @param key one that belongs to the leaf, whose lock the caller has, and whose readers it holds
  public void changing(Encoded key) {
    if (!counts.isUsed()) {
      return;
    }
    if (!note(key, false) && !structure.whileQuiet(() -> note(key, true))) {
      throw Torn.TORN; // the nodes do not lead to the leaf
    }
  }

  private boolean note(Encoded key, boolean isLocked) {
    TreeReader.Found found = new TreeReader.Found();
    Path path = reader.path();
    boolean isFound =
        isLocked
            ? reader.findLocked(key, Side.AT, found, path)
            : reader.find(key, Side.AT, found, path);
    if (!isFound) {
      return false;
    }
    for (int level = 1; level < path.height; level++) { // nobody needs the top's
      counts.changing(path.nodes[level]);
    }
    // RANK-1: a node that comes between the leaf and the top after this has no count yet.
    return reader.isStill(found) && path.isStill();
  }

  /// How many entries are known to be below a node; -1 if that is not known.
  public long known(long node) {
    return counts.isUsed() ? counts.find(node, epoch.current()) : -1;
  }

  // Reading

  /// How many keys are less than a key, as -1 less that number if the key is not there.
  public long indexOf(Encoded key) {
    return attempt(count -> count.indexOf(key));
  }

  /// The key that so many are less than.
  ///
  /// @return `null` if there are not so many
  public Encoded keyAt(long index) {
    return attempt(count -> count.keyAt(index));
  }

  private <R> R attempt(Function<Count, R> action) {
    counts.use();
    for (int attempt = 0; ; attempt++) {
      boolean holds = attempt >= ATTEMPTS;
      usable.run();
      Count count = new Count(holds);
      try {
        return holds ? structure.whileQuiet(() -> action.apply(count)) : action.apply(count);
      } catch (Torn e) {
        if (attempt > ATTEMPTS_MAX) {
          throw new RegionDamagedException(
              "%s: the region is damaged: a tree's node can't be one, TOP offset=0x%X. Restore it from a backup"
                  .formatted(memory.name(), anchor),
              e);
        }
      }
      if (count.busy >= 0) {
        locks.await(count.busy); // without the structure's locks, which its holder may need
      }
    }
  }

  /// One attempt. What it finds counts if nothing was changed on its way.
  private final class Count {
    private final long current = epoch.current();
    private final Path path = reader.path();
    private final TreeReader.Found found = new TreeReader.Found();

    /// Whether nobody changes the structure meanwhile.
    private final boolean holds;

    /// The lock of a leaf that was held where it must not be; -1 if none was.
    private int busy = -1;

    /// Whether no leaf was held that was counted.
    private boolean isSettled = true;

    Count(boolean holds) {
      this.holds = holds;
    }

    public long indexOf(Encoded key) {
      if (!reader.find(key, Side.AT, found, path)) {
        throw Torn.TORN;
      }
      long before = 0;
      for (int level = path.height; level > 0; level--) {
        before +=
            sum(
                path.nodes[level],
                path.index(level),
                path.number(level),
                level,
                path.chosen[level]);
      }
      List<Encoded> keys = keys();
      long lesser = before + keys.stream().filter(k -> order.compare(k, key) < 0).count();
      return keys.stream().anyMatch(k -> order.compare(k, key) == 0) ? lesser : -1 - lesser;
    }

    public Encoded keyAt(long index) {
      long left = down(index);
      List<Encoded> keys = keys();
      if (left < keys.size()) {
        return keys.get((int) left);
      }
      if (!path.isLast()) {
        throw Torn.TORN; // somebody has removed some
      }
      return null;
    }

    /// Goes to the leaf of an index, or to the last one.
    ///
    /// @return how many of the leaf's keys are less
    private long down(long index) {
      long left = index;
      found.parent = seqlocks.indexOf(anchor);
      found.number = seqlocks.read(found.parent);
      long top = memory.readAcquire(anchor);
      path.begin((int) (top & HEIGHT_MASK));
      requireStill(found.parent, found.number);
      long node = top & ~HEIGHT_MASK;
      for (int level = path.height; level > 0; level--) {
        int its = found.parent;
        long number = found.number;
        int count = inner.count(node);
        int chosen = 0;
        while (chosen < count - 1) {
          long below = below(node, its, number, level, chosen);
          if (left < below) {
            break;
          }
          left -= below;
          chosen++;
        }
        path.set(level, node, count, chosen, its, number);
        if (level > 1) {
          found.parent = seqlocks.indexOf(Inner.childAt(node, chosen));
          found.number = seqlocks.read(found.parent);
          requireStill(its, number);
        }
        node = inner.child(node, chosen);
      }
      found.leaf = node;
      return left;
    }

    private void requireStill(int index, long number) {
      if (Seqlocks.isHeld(number) || !seqlocks.isStill(index, number)) {
        throw Torn.TORN;
      }
    }

    /// How many entries are below a node's first children.
    private long sum(long node, int its, long number, int level, int children) {
      long entries = 0;
      for (int i = 0; i < children; i++) {
        entries += below(node, its, number, level, i);
      }
      return entries;
    }

    /// @param its the seqlock of what leads to the node
    private long below(long node, int its, long number, int level, int i) {
      if (level == 1) {
        long leaf = inner.child(node, i);
        requireInside(leaf);
        if (!holds && leafs.epoch(leaf) != current) {
          prepare(leaf, its, number);
        }
        return inLeaf(leaf);
      }
      int childs = seqlocks.indexOf(Inner.childAt(node, i));
      long childNumber = seqlocks.read(childs);
      requireStill(its, number); // so it leads to its child
      long child = inner.child(node, i);
      long known = counts.find(child, current);
      requireStill(childs, childNumber);
      return known >= 0 ? known : inNode(child, childs, childNumber, level - 1);
    }

    private long inNode(long node, int its, long number, int level) {
      boolean wasSettled = isSettled;
      isSettled = true;
      long change = counts.change(node); // RANK-1: before what it counts
      long entries = sum(node, its, number, level, inner.count(node));
      requireStill(its, number);
      if (isSettled) {
        counts.keep(node, change, current, entries);
      }
      isSettled &= wasSettled;
      return entries;
    }

    /// Has a leaf's hints made, so that it need not be read as a whole each time.
    private void prepare(long leaf, int parent, long number) {
      Operation operation = Operation.reading(locks, structure, leaf);
      try {
        requireStill(parent, number); // so it is a leaf, as long as it is locked
        usable.run();
        structure.observe();
        hints.prepare(operation, leaf);
      } finally {
        try {
          operation.end();
        } catch (StackOverflowError | OutOfMemoryError | LinkageError e) {
          sections.breakOff(e); // where the very call fails, a lock is kept (LOCK-4)
        }
      }
    }

    private long inLeaf(long leaf) {
      int its = locks.indexOf(leaf);
      long number = locks.seqlocks().read(its);
      boolean isHeld = Seqlocks.isHeld(number);
      boolean hasHints = leafs.epoch(leaf) == current;
      if (isHeld && !hasHints) {
        busy = its;
        throw Torn.TORN;
      }
      long entries = hasHints ? Long.bitCount(leafs.live(leaf)) : log(leaf, its, number).length;
      if (!locks.seqlocks().isStill(its, number)) {
        throw Torn.TORN;
      }
      isSettled &= !isHeld; // RANK-1
      return entries;
    }

    private void requireInside(long leaf) {
      if (!inner.isInside(leaf, LEAF_BYTES)) {
        throw Torn.TORN;
      }
    }

    /// The places of a leaf's live records, whatever its hints are.
    private int[] log(long leaf, int its, long number) {
      try {
        LeafLog log = LeafLog.read(memory, leaf);
        return IntStream.range(0, log.tail()).filter(log::isLive).toArray();
      } catch (RegionDamagedException e) {
        if (locks.seqlocks().isStill(its, number) && reader.isStill(found) && path.isStill()) {
          throw e;
        }
        throw Torn.TORN;
      }
    }

    /// The keys of the leaf that was found, in order; makes sure of all that was found.
    private List<Encoded> keys() {
      if (found.leaf == 0) {
        requireAllStill();
        return List.of();
      }
      requireInside(found.leaf);
      int its = locks.indexOf(found.leaf);
      long number = locks.seqlocks().read(its);
      requireLeafStill(its, number);
      List<Encoded> keys;
      try {
        keys = sorted(places(found.leaf, its, number));
      } catch (RuntimeException e) { // of a comparator, perhaps, that was given nonsense
        requireLeafStill(its, number);
        throw e;
      }
      usable.run();
      requireLeafStill(its, number);
      locks.observe(its); // TREE-6
      requireAllStill();
      return keys;
    }

    private void requireLeafStill(int its, long number) {
      if (Seqlocks.isHeld(number) || !locks.seqlocks().isStill(its, number)) {
        busy = its;
        throw Torn.TORN;
      }
    }

    private void requireAllStill() {
      if (!reader.isStill(found) || !path.isStill()) {
        throw Torn.TORN;
      }
      structure.observe(); // TREE-6
      if (epoch.current() != current) {
        throw Torn.TORN;
      }
    }

    private int[] places(long leaf, int its, long number) {
      if (leafs.epoch(leaf) != current) {
        return log(leaf, its, number);
      }
      long live = leafs.live(leaf);
      return IntStream.range(0, SLOTS)
          .filter(slot -> (live >>> slot & 1) != 0)
          .map(slot -> leafs.place(leaf, slot))
          .toArray();
    }

    private List<Encoded> sorted(int[] places) {
      return Arrays.stream(places)
          .mapToObj(place -> leafs.key(found.leaf, place))
          .sorted(order::compare)
          .toList();
    }
  }
}
