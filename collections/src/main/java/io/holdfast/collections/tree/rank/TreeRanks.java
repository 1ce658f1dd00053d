package io.holdfast.collections.tree.rank;

import static io.holdfast.collections.tree.node.TreeLayout.HEIGHT_MASK;
import static io.holdfast.collections.tree.node.TreeLayout.LEAF_BYTES;

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
import io.holdfast.collections.tree.node.SubtreeCounts.Counted;
import io.holdfast.collections.tree.node.Torn;
import io.holdfast.collections.tree.node.TreeReader;
import io.holdfast.collections.tree.node.TreeStructure;
import io.holdfast.core.RegionDamagedException;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.section.Sections;
import java.util.function.Function;
import java.util.stream.IntStream;

/// The ranks of keys: goes down from the top, and adds up what is below the children that it passes
/// by. What it has counted below a node's children is kept (`SubtreeCounts`), so it goes down once,
/// and besides that looks again only at the nodes below which something has changed since, and in
/// them at the children where it has.
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
    counts.changing(found.leaf);
    for (int level = 1; level < path.height; level++) { // the top's would be stored to by all
      counts.changing(path.nodes[level]);
    }
    // RANK-1: a node that comes between the leaf and the top after this has no count yet.
    return reader.isStill(found) && path.isStill();
  }

  /// How many entries are known to be below a node; -1 if that is not known.
  public long known(long node) {
    if (!counts.isUsed()) {
      return -1;
    }
    Counted counted = counts.find(node, epoch.current());
    return counted != null && counts.isStill(counted) ? counted.entries() : -1;
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

    /// Whether no leaf was held of what was counted last.
    private boolean isSettled;

    Count(boolean holds) {
      this.holds = holds;
    }

    public long indexOf(Encoded key) {
      if (!reader.find(key, Side.AT, found, path)) {
        throw Torn.TORN;
      }
      long lesser = 0;
      for (int level = path.height; level > 0; level--) {
        lesser +=
            below(path.nodes[level], path.index(level), path.number(level), level)
                .before()[path.chosen[level]];
      }
      boolean isThere = false;
      for (Encoded its : keys()) {
        int compared = order.compare(its, key);
        lesser += compared < 0 ? 1 : 0;
        isThere |= compared == 0;
      }
      return isThere ? lesser : -1 - lesser;
    }

    public Encoded keyAt(long index) {
      long left = down(index);
      Encoded[] keys = keys();
      if (left < keys.length) {
        order.sort(keys);
        return keys[(int) left];
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
        long[] before = below(node, found.parent, found.number, level).before();
        int count = before.length - 1;
        int chosen = 0;
        while (chosen < count - 1 && before[chosen + 1] <= left) {
          chosen++;
        }
        left -= before[chosen];
        int its = found.parent;
        long number = found.number;
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

    /// How many entries are below a node's children.
    ///
    /// @param word the seqlock of what leads to the node
    private Counted below(long node, int word, long number, int level) {
      Counted last = counts.find(node, current);
      isSettled = last != null && level < path.height && counts.isStill(last);
      requireStill(word, number); // so that is the node's
      return isSettled ? last : count(node, word, number, level, last);
    }

    private Counted count(long node, int word, long number, int level, Counted last) {
      long change = counts.change(node); // RANK-1: before what it counts
      int size = inner.count(node);
      long[] children = new long[size];
      long[] changes = new long[size];
      long[] before = new long[size + 1];
      boolean areSettled = true;
      for (int i = 0; i < size; i++) {
        children[i] = inner.child(node, i);
        changes[i] = counts.change(children[i]); // RANK-1
        long entries = last == null ? -1 : last.entries(i, children[i], changes[i]);
        if (entries < 0) {
          entries =
              level == 1
                  ? inLeaf(children[i], word, number)
                  : inNode(node, i, word, number, level - 1);
          if (!isSettled) {
            changes[i] = Counted.NEVER;
            areSettled = false;
          }
        }
        before[i + 1] = before[i] + entries;
      }
      requireStill(word, number);
      isSettled = areSettled;
      Counted counted =
          new Counted(
              node, areSettled ? change : Counted.NEVER, current, children, changes, before);
      counts.keep(counted);
      return counted;
    }

    private long inNode(long node, int i, int word, long number, int level) {
      int childs = seqlocks.indexOf(Inner.childAt(node, i));
      long childNumber = seqlocks.read(childs);
      requireStill(word, number); // so it leads to its child
      return below(inner.child(node, i), childs, childNumber, level).entries();
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

    private long inLeaf(long leaf, int word, long wordsNumber) {
      requireInside(leaf);
      if (!holds && leafs.epoch(leaf) != current) {
        prepare(leaf, word, wordsNumber);
      }
      int its = locks.indexOf(leaf);
      long number = locks.seqlocks().read(its);
      isSettled = !Seqlocks.isHeld(number); // RANK-1
      boolean hasHints = leafs.epoch(leaf) == current;
      if (!isSettled && !hasHints) {
        busy = its;
        throw Torn.TORN;
      }
      long entries = hasHints ? Long.bitCount(leafs.live(leaf)) : log(leaf, its, number).length;
      if (!locks.seqlocks().isStill(its, number)) {
        throw Torn.TORN;
      }
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

    /// The keys of the leaf that was found, in no order; makes sure of all that was found.
    private Encoded[] keys() {
      if (found.leaf == 0) {
        requireAllStill();
        return new Encoded[0];
      }
      requireInside(found.leaf);
      int its = locks.indexOf(found.leaf);
      long number = locks.seqlocks().read(its);
      requireLeafStill(its, number);
      int[] places = places(found.leaf, its, number);
      Encoded[] keys = new Encoded[places.length];
      for (int i = 0; i < keys.length; i++) {
        keys[i] = leafs.key(found.leaf, places[i]);
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
      int[] places = new int[Long.bitCount(live)];
      for (int i = 0; i < places.length; i++, live &= live - 1) {
        places[i] = leafs.place(leaf, Long.numberOfTrailingZeros(live));
      }
      return places;
    }
  }
}
