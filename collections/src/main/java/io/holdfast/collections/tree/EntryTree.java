package io.holdfast.collections.tree;

import static io.holdfast.collections.tree.node.TreeLayout.KEY_MAX;
import static io.holdfast.collections.tree.node.TreeLayout.ROOT_BYTES;

import io.holdfast.codec.Encoded;
import io.holdfast.codec.EncodedEntry;
import io.holdfast.collections.inspect.Inspector;
import io.holdfast.collections.inspect.Trail;
import io.holdfast.collections.overlay.Claims;
import io.holdfast.collections.overlay.CollectionOverlay;
import io.holdfast.collections.overlay.KeyedStore;
import io.holdfast.collections.overlay.Part;
import io.holdfast.collections.tree.leaf.HeldLeaves;
import io.holdfast.collections.tree.leaf.Leaf;
import io.holdfast.collections.tree.leaf.LeafBatch;
import io.holdfast.collections.tree.leaf.LeafReads;
import io.holdfast.collections.tree.leaf.LeafWriter;
import io.holdfast.collections.tree.leaf.Operation;
import io.holdfast.collections.tree.leaf.TreeCount;
import io.holdfast.collections.tree.leaf.TreeEpoch;
import io.holdfast.collections.tree.leaf.TreeParts;
import io.holdfast.collections.tree.node.Inner.Side;
import io.holdfast.collections.tree.node.KeyOrder;
import io.holdfast.collections.tree.node.NodeLocks;
import io.holdfast.collections.tree.node.Path;
import io.holdfast.collections.tree.node.Seqlocks;
import io.holdfast.collections.tree.node.TreeLayout;
import io.holdfast.collections.tree.node.TreeReader;
import io.holdfast.collections.tree.node.TreeStructure;
import io.holdfast.collections.tree.rank.TreeRanks;
import io.holdfast.collections.tree.repair.TreeValidator;
import io.holdfast.core.RegionDamagedException;
import io.holdfast.core.RootDeletedException;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.region.Region;
import io.holdfast.core.section.Section;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/// A sorted map of encoded keys to encoded values, on media: `TreeLayout`.
///
/// Each operation is durable when it returns, with one flush and one fence if it splits no leaf,
/// unless it is in a section that has not ended or depends on one; then it stands and falls with
/// that.
///
/// Thread-safe. Readers take no lock.
public final class EntryTree implements KeyedStore {
  /// How often leaves that move are followed before all are locked.
  private static final int HOLD_ATTEMPTS = 10;

  private final Region region;
  private final Memory memory;
  private final KeyOrder order;
  private final long root;
  private final long top;
  private final TreeEpoch epoch;
  private final Leaf leafs;
  private final NodeLocks locks;
  private final TreeReader reader;
  private final TreeStructure structure;
  private final LeafReads reads;
  private final TreeScan scan;
  private final TreeRanks ranks;
  private final LeafWriter writer;
  private final TreeGarbage garbage;
  private final TreeCount count;
  private final Claims claims;
  private final Comparator<Encoded> keyOrder;
  private final long lockOrder = CollectionOverlay.nextLockOrder();

  /// Whether it is in the store no more.
  private volatile boolean deleted;

  /// Opens the tree that a root block begins. Reads nothing else, however large it is.
  ///
  /// @param order that which it was made with
  /// @throws RegionDamagedException if there is no such block
  public EntryTree(Region region, long root, KeyOrder order) {
    this.region = region;
    this.memory = region.memory();
    this.order = order;
    this.root = region.heap().checkBlock(root, ROOT_BYTES, "a tree's root");
    TreeParts parts = TreeParts.of(region, root, order, this::checkUsable);
    this.top = parts.anchor();
    this.epoch = parts.epoch();
    this.leafs = parts.leafs();
    this.locks = parts.locks();
    this.reader = parts.reader();
    this.structure = parts.structure();
    this.count = parts.count();
    this.claims = parts.claims();
    this.keyOrder = order::compare;
    this.reads = new LeafReads(parts);
    this.scan = new TreeScan(parts, reads);
    this.ranks = new TreeRanks(parts);
    this.writer = new LeafWriter(parts, ranks::changing);
    this.garbage = new TreeGarbage(region, parts.inner(), root, this::checkUsable);
    garbage.freeOutsideOfSections();
  }

  /// Makes an empty tree in the calling thread's section.
  ///
  /// @return its root block
  public static long create(Region region) {
    long root = region.heap().allocate(ROOT_BYTES);
    region.memory().zeroPlain(root, ROOT_BYTES);
    return root;
  }

  // Reading

  /// The value of a key, or `null`. Takes no lock.
  @Override
  public Encoded get(Encoded key) {
    int fingerprint = leafs.fingerprint(key);
    return reads.read(
        key,
        Side.AT,
        null,
        0,
        (leaf, path, isLocked) -> {
          int slot = leaf == 0 ? -1 : leafs.find(leaf, key, fingerprint);
          return slot < 0 ? null : leafs.value(leaf, leafs.place(leaf, slot), isLocked);
        });
  }

  /// The first entry from a key on.
  ///
  /// @param from `null` for the tree's end
  /// @param inclusive whether the key's own entry counts
  /// @param ascending whether to look among greater keys, or lesser ones
  /// @return `null` if there is none
  public EncodedEntry nearest(Encoded from, boolean inclusive, boolean ascending) {
    return scan.nearest(from, inclusive, ascending);
  }

  /// A walk over the entries.
  public TreeWalk walk(boolean ascending) {
    return scan.walk(ascending);
  }

  /// How many entries there are; while others change the tree, about so many. The first call after
  /// an opening looks at every leaf.
  public long size() {
    checkUsable();
    return count.count(this::walkCount);
  }

  private long walkCount() {
    long entries = 0;
    Encoded at = null;
    Path way = reader.path();
    do {
      long[] counted = new long[1];
      at =
          reads.read(
              at,
              at == null ? Side.FIRST : Side.AT,
              way,
              at == null ? 0 : 1,
              (leaf, path, isLocked) -> {
                counted[0] = leaf == 0 ? 0 : Long.bitCount(leafs.live(leaf));
                return leaf == 0 ? null : path.high();
              });
      entries += counted[0];
    } while (at != null);
    return entries;
  }

  /// How many entries there are, if they were counted before; else -1.
  public long knownSize() {
    return count.known();
  }

  /// How many keys came and went since the tree was opened.
  public long changes() {
    return count.changes();
  }

  /// How many keys are less than one that is there; if it is not, -1 less that number. While others
  /// change the tree it counts each lesser key that is there all the time, and no key that never
  /// is.
  ///
  /// In logarithmic time, and once more for the nodes below which something was changed since the
  /// last call here or of {@link #keyAt}; the first call after an opening looks at all before it.
  public long indexOf(Encoded key) {
    return ranks.indexOf(key);
  }

  /// The key that so many keys are less than, as {@link #indexOf} counts.
  ///
  /// @return `null` if there are not so many
  public Encoded keyAt(long index) {
    return ranks.keyAt(index);
  }

  /// A key about in the middle of a range, as the nodes have it. It need not be there: but before
  /// it, and from it on, is a leaf's part of the range each.
  ///
  /// @param low the range's beginning; `null` for the tree's
  /// @param high its end; `null` for the tree's
  /// @param highInclusive whether that is in it
  /// @return `null` if all of it is in a leaf, or somebody is changing what leads there
  public Encoded middle(Encoded low, Encoded high, boolean highInclusive) {
    Path first = way(low, TreeScan.firstSide(low, true, true));
    return first.middle(way(high, TreeScan.firstSide(high, highInclusive, false)));
  }

  private Path way(Encoded key, Side side) {
    checkUsable();
    Path path = reader.path();
    find(key, side, new TreeReader.Found(), path);
    return path;
  }

  // Changing

  @Override
  public void check(Encoded key, Encoded value) {
    if (key.length() > KEY_MAX) {
      throw new IllegalArgumentException(
          "%s: a tree's key is too long: key=%d bytes, max=%d"
              .formatted(memory.name(), key.length(), KEY_MAX));
    }
    if (value != null && value.length() > TreeLayout.VALUE_MAX) {
      throw new IllegalArgumentException(
          "%s: a tree's value is too long: value=%d bytes, max=%d"
              .formatted(memory.name(), value.length(), TreeLayout.VALUE_MAX));
    }
  }

  /// Stores an entry.
  ///
  /// @return the value before, or `null`
  /// @throws IllegalArgumentException if it is too long; nothing has changed
  /// @throws io.holdfast.core.RegionFullException if the device has no room; nothing has changed
  public Encoded put(Encoded key, Encoded value) {
    check(key, value);
    return change(key, true, true, before -> value);
  }

  /// Removes an entry.
  ///
  /// @return its value, or `null`
  public Encoded remove(Encoded key) {
    return change(key, false, true, before -> null);
  }

  /// Replaces a value by what a function makes of it, atomically; `null` stands for no entry, and
  /// the very object that the function was given for no change. The function is called once, and
  /// must not use the tree.
  ///
  /// @return the value before, or `null`
  public Encoded compute(Encoded key, UnaryOperator<Encoded> function) {
    return change(
        key,
        true,
        true,
        before -> {
          Encoded after = function.apply(before);
          if (after != null) {
            check(key, after);
          }
          return after;
        });
  }

  /// Stores entries whose keys ascend and are greater than all that are there, whole leaves at a
  /// time (TREE-8).
  ///
  /// @return how many
  /// @throws IllegalArgumentException if a key is not greater, or an entry too long; entries before
  ///   it may be stored
  /// @throws io.holdfast.core.RegionFullException if the device has no room; the same
  public long load(Iterator<EncodedEntry> sorted) {
    return new TreeLoader(this, order).load(sorted);
  }

  /// What a loading throws at a key that belongs before others.
  ///
  /// @param loaded how many entries it has stored
  public IllegalArgumentException unordered(long loaded) {
    return new IllegalArgumentException(
        "%s: a key to load is not greater than the one before it, or than one that is there: entry=%d or a later one, stored=%d. Sort the keys in the map's order, and put those that belong between others one by one"
            .formatted(memory.name(), loaded, loaded));
  }

  /// Puts whole leaves behind the last one, in a section.
  ///
  /// @return false if somebody has put a greater key since, or changed what leads there: look
  ///   again; or open sections have claimed keys, which are built on one by one
  boolean append(LeafBatch batch) {
    TreeReader.Found found = new TreeReader.Found();
    find(batch.firstKey(), Side.AT, found, null);
    if (found.leaf == 0) {
      makeFirst();
      return false;
    }
    return changeAll(
        found.leaf,
        operation -> {
          if (!reader.isStill(found) || !claims.isEmpty()) {
            return false;
          }
          structure.observe(); // TREE-6
          return writer.append(operation, found.leaf, batch);
        });
  }

  private void find(Encoded key, Side side, TreeReader.Found found, Path path) {
    for (int attempt = 0; !reads.find(key, side, found, path, attempt); attempt++) {
      checkUsable();
    }
  }

  /// Changes more than an entry, under a leaf's lock: an error breaks that off.
  private boolean changeAll(long leaf, Predicate<Operation> action) {
    boolean done;
    Operation operation = new Operation(locks, structure, leaf);
    Section section = operation.section;
    try {
      checkUsable();
      done = action.test(operation);
    } catch (VirtualMachineError | LinkageError e) {
      section.breakOff(e);
      throw e;
    } finally {
      try {
        operation.end();
      } catch (StackOverflowError | OutOfMemoryError | LinkageError e) {
        section.cut = e;
        section.breakOff(e); // where the very call fails, a lock is kept (LOCK-4)
      }
    }
    region.sections().checkCommitted();
    return done;
  }

  /// @param buildsOn whether it builds on what open sections have claimed
  private Encoded change(
      Encoded key, boolean mayAdd, boolean buildsOn, UnaryOperator<Encoded> function) {
    TreeReader.Found found = new TreeReader.Found();
    for (int attempt = 0; ; attempt++) {
      checkUsable();
      if (!reads.find(key, Side.AT, found, null, attempt)) {
        continue;
      }
      if (found.leaf == 0) {
        if (!mayAdd && (!buildsOn || claims.isEmpty())) {
          structure.observe();
          return null;
        }
        makeFirst();
        continue;
      }
      Encoded before = null;
      boolean done = false;
      Operation operation = new Operation(locks, structure, found.leaf);
      Section section = operation.section;
      try {
        if (reader.isStill(found)) {
          checkUsable();
          structure.observe(); // TREE-6
          before =
              buildsOn
                  ? writer.change(operation, found.leaf, key, function)
                  : writer.changeInPlace(operation, found.leaf, key, function);
          done = true;
        }
      } finally {
        try {
          operation.end();
        } catch (StackOverflowError | OutOfMemoryError | LinkageError e) {
          section.cut = e;
          section.breakOff(e); // where the very call fails, a lock is kept (LOCK-4)
        }
      }
      if (done) {
        region.sections().checkCommitted();
        return before;
      }
    }
  }

  /// The lock of an empty tree's leaf is that of its root.
  private void makeFirst() {
    changeAll(
        root,
        operation -> {
          TreeReader.Found found = new TreeReader.Found();
          find(null, Side.FIRST, found, null);
          structure.observe(); // TREE-6
          if (found.leaf == 0) {
            writer.makeFirst(operation);
          }
          return true;
        });
  }

  /// Removes all entries, in a section: all or none. Then frees the blocks, some at a time; in a
  /// section of the caller's the next clearing or opening does that.
  ///
  /// @throws io.holdfast.core.RegionFullException if the device has no room for the log; then the
  ///   tree may be empty already, and the next clearing or opening frees the rest
  /// @throws io.holdfast.core.RootDeletedException if the tree was deleted, be it while its blocks
  ///   are freed (TREE-10)
  public void clear() {
    takeOut(
        section -> {
          claims.coverAll(section);
          if (memory.readPlain(top) != 0) {
            locks.holdReaders();
            structure.holdAll();
            section.enlist(epoch);
            count.forget();
            garbage.take(section);
          }
        });
    garbage.freeOutsideOfSections();
  }

  /// Runs something that takes all nodes out of the tree, in a section.
  private void takeOut(Consumer<Section> action) {
    WholeTree whole = new WholeTree(locks, structure);
    garbage.adding(
        section -> {
          whole.lock();
          action.accept(section);
        },
        whole::giveUp);
    region.sections().changed();
  }

  /// Says that the tree is not there, or there again: its section was rolled back.
  public void deleted(boolean isDeleted) {
    deleted = isDeleted;
  }

  /// Deletes the tree's root while nobody changes the tree. From then on every call says that it is
  /// gone.
  ///
  /// @param deletion in a section of its own, or the calling thread's
  /// @return what it returns
  public boolean delete(BooleanSupplier deletion) {
    takeOut(
        section -> {
          claims.coverAll(section); // what they would store there has no place any more
          locks.holdReaders();
          structure.holdAll(); // who looks for a leaf after this finds the tree deleted
          deleted = deletion.getAsBoolean();
        });
    return deleted;
  }

  /// Frees some blocks of a tree that was deleted, in the calling thread's section.
  ///
  /// @param most changes to log, at least 40
  /// @return whether these were the last
  public static boolean freeSome(Region region, long root, int most) {
    return TreeGarbage.freeSome(region, root, most);
  }

  /// @throws RootDeletedException if the tree is gone
  /// @throws io.holdfast.core.StoreClosedException if the store was closed
  public void checkUsable() {
    region.sections().checkUsable();
    if (deleted) {
      throw new RootDeletedException(
          "%s: the map was deleted, or the section that created it was rolled back. Open or create it anew by its name"
              .formatted(memory.name()));
    }
  }

  // For what is held back

  @Override
  public long lockOrder() {
    return lockOrder;
  }

  @Override
  public Comparator<Encoded> keyOrder() {
    return keyOrder;
  }

  @Override
  public Claims claims() {
    return claims;
  }

  @Override
  public void store(Encoded key, Encoded value) {
    change(key, value != null, false, _ -> value);
  }

  @Override
  public void storeAlone(Encoded key, Encoded value) {
    store(key, value); // a leaf's change takes several stores
  }

  @Override
  public Part hold(Encoded key) {
    return holdThose(List.of(key));
  }

  @Override
  public List<Part> hold(Collection<Encoded> keys) {
    if (keys.isEmpty()) {
      return List.of();
    }
    List<Part> held = new ArrayList<>(1); // before the locks are held
    held.add(holdThose(keys));
    return held;
  }

  @Override
  public List<Part> holdAll() {
    List<Part> held = new ArrayList<>(1);
    held.add(holdAllLeaves());
    return held;
  }

  private HeldLeaves holdAllLeaves() {
    BitSet all = new BitSet(parts());
    all.set(0, parts());
    return HeldLeaves.hold(locks, structure, all);
  }

  /// Locks the leaves of keys; those of a tree that is gone too, which has none, as a section does
  /// whose changes of it are covered.
  private HeldLeaves holdThose(Collection<Encoded> keys) {
    BitSet needed = partsOf(keys);
    for (int attempt = 0; attempt < HOLD_ATTEMPTS; attempt++) {
      HeldLeaves held = HeldLeaves.hold(locks, structure, needed);
      boolean isHeld = false;
      try {
        structure.observe(); // TREE-6
        needed = partsOf(keys);
        isHeld = needed.stream().allMatch(held::has); // so these leaves stay the keys'
      } finally {
        if (!isHeld) {
          held.unlock();
        }
      }
      if (isHeld) {
        return held;
      }
    }
    HeldLeaves held = holdAllLeaves();
    structure.observe();
    return held;
  }

  private BitSet partsOf(Collection<Encoded> keys) {
    BitSet found = new BitSet(parts());
    for (Encoded key : keys) {
      found.set(partOf(key));
    }
    return found;
  }

  /// The part of a key; if its lock is held, it is that as long as it is.
  private int partOf(Encoded key) {
    TreeReader.Found found = new TreeReader.Found();
    int attempt = 0;
    do {
      region.sections().checkUsable();
      if (deleted) {
        return reads.part(0);
      }
    } while (!reads.find(key, Side.AT, found, null, attempt++) || !reader.isStill(found));
    return reads.part(found.leaf);
  }

  @Override
  public Encoded look(Encoded key, Look look) {
    int fingerprint = leafs.fingerprint(key);
    Encoded value;
    do {
      long ofEmpty = reads.numberOf(reads.part(0));
      value =
          reads.read(
              key,
              Side.AT,
              null,
              0,
              (leaf, path, isLocked) -> {
                look.part = reads.part(leaf);
                look.number = leaf == 0 ? ofEmpty : reads.numberOf(look.part);
                int slot = leaf == 0 ? -1 : leafs.find(leaf, key, fingerprint);
                return slot < 0 ? null : leafs.value(leaf, leafs.place(leaf, slot), isLocked);
              });
    } while (!isStill(look.part, look.number));
    return value;
  }

  @Override
  public int parts() {
    return locks.count();
  }

  @Override
  public long number(int part) {
    long number = reads.numberOf(part);
    while (Seqlocks.isHeld(number)) {
      checkUsable();
      locks.await(part);
      number = reads.numberOf(part);
    }
    return number;
  }

  @Override
  public boolean isStill(int part, long number) {
    return !Seqlocks.isHeld(number) && locks.seqlocks().isStill(part, number);
  }

  @Override
  public boolean areStill(int[] parts, long[] numbers, int count) {
    for (int i = 0; i < count; i++) {
      if (!isStill(parts[i], numbers[i])) {
        return false;
      }
    }
    return true;
  }

  /// Checks all that the layout promises, reading the whole tree; for a time in which nobody
  /// changes it.
  ///
  /// @return how many entries there are
  /// @throws RegionDamagedException naming the first fault and its offset
  public long validate() {
    Inspector strict = Inspector.strict(block -> {});
    return validator(strict).run(memory.readPlain(top), trail()).sum();
  }

  /// Calls a visitor with the offset of each block but the root's; for tests and tools.
  public void forEachBlock(LongConsumer visitor) {
    Inspector strict = Inspector.strict(visitor);
    validator(strict).run(memory.readPlain(top), trail());
    validator(strict).runGarbage(memory.readPlain(root + TreeLayout.ROOT_GARBAGE), trail());
  }

  /// Has an inspector look at all of the tree but its root block; for tools, while nobody changes
  /// it.
  ///
  /// @param trail the way to the tree
  /// @return how many entries there are, as soon as all parts have run
  public LongAdder inspect(Inspector inspector, Trail trail) {
    validator(inspector).runGarbage(memory.readPlain(root + TreeLayout.ROOT_GARBAGE), trail);
    return validator(inspector).run(memory.readPlain(top), trail);
  }

  private Trail trail() {
    return new Trail(null, "tree", root);
  }

  private TreeValidator validator(Inspector inspector) {
    return new TreeValidator(region, order, epoch.current(), ranks::known, inspector);
  }
}
