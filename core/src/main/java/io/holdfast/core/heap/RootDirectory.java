package io.holdfast.core.heap;

import static io.holdfast.core.memory.RegionLayout.ANCHOR_DELETED;
import static io.holdfast.core.memory.RegionLayout.ANCHOR_ROOTS;

import io.holdfast.core.RegionDamagedException;
import io.holdfast.core.heap.RootLists.Entry;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.section.Section;
import io.holdfast.core.section.SectionLock;
import io.holdfast.core.section.Sections;
import io.holdfast.core.section.VolatileState;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import java.util.function.Supplier;

/// The named roots of a region: the only way into its data.
///
/// A list of blocks from the anchor ROOTS, newest first: {@link RootBlocks}.
///
/// **ROOT-1** A root is published by one store in the section that created its collection: both are
/// there or neither is.
///
/// **ROOT-2** The directory is a lock as sections see it (P2): a thread that finds a root that an
/// unfinished section created, or links another one to it, depends on that section.
///
/// **ROOT-3** A root of another name or fingerprint is another block, which takes the old one's
/// place in the list in one section: under one of its names, and only one, a collection is always
/// found.
///
/// **ROOT-4** A root that is deleted goes from the list to another one, from the anchor DELETED, in
/// one section: the collection is there whole, or it is gone. Its blocks are then freed a few at a
/// time, each time in a section that leaves behind a collection that begins later ({@link
/// Disposal}), and the root itself with the last of them. So no section is large, a full device
/// hinders nothing, and whoever opens the region after a crash goes on where it stopped: nothing
/// leaks.
///
/// What is read is checked (**ROOT-5**): a block of the directory, and a collection's first one, is
/// an allocated block of its size, a root has its checksum, and no block comes twice. Texts: {@link
/// RootTexts}.
///
/// Thread-safe.
public final class RootDirectory {
  /// What a creation logs: its block, the publication, the block's freeing if there is no
  /// publication, and up to 13 stores of the collection. What finds no room fails before the first.
  private static final int STORES_MAX = 16;

  private final Memory memory;
  private final Heap heap;
  private final RootBlocks blocks;
  private final Sections sections;
  private final SectionLock lock;

  /// `null` until they are read; replaced by every change. Volatile for {@link #nameOf}.
  private volatile RootLists lists;

  private final VolatileState state =
      new VolatileState() {
        private RootLists saved;

        @Override
        public void save() {
          saved = lists;
        }

        @Override
        public void restore() {
          lists = saved;
        }
      };

  public RootDirectory(Memory memory, Heap heap, Sections sections) {
    this.memory = memory;
    this.heap = heap;
    this.blocks = new RootBlocks(memory, heap);
    this.sections = sections;
    this.lock = new SectionLock(sections, this);
  }

  /// Finds a root. What the calling thread does from here on depends on the section that created
  /// it.
  ///
  /// @return `null` if there is none of this name
  /// @throws RegionDamagedException naming the place, if the directory can't be right
  public Root find(String name) {
    return read(
        () -> {
          Entry found = roots().get(name);
          return found == null ? null : found.root();
        });
  }

  /// All roots, oldest first.
  ///
  /// @throws RegionDamagedException naming the place, if the directory can't be right
  public Collection<Root> all() {
    return read(() -> roots().values().stream().map(Entry::root).toList());
  }

  /// The name of the collection that a block begins, for messages: takes no lock, and the caller
  /// depends on nothing by it.
  ///
  /// @return `null` if it has none, or the roots have not been read
  public String nameOf(long firstBlock) {
    RootLists known = lists;
    if (known != null) {
      for (Entry entry : known.roots().values()) {
        if (entry.root().firstBlock() == firstBlock) {
          return entry.root().name();
        }
      }
    }
    return null;
  }

  /// Calls a visitor with each block of the directory's own, those of deleted roots included.
  ///
  /// @throws RegionDamagedException naming the place, if the directory can't be right
  public void forEachBlock(LongConsumer visitor) {
    RootLists all = read(this::lists);
    all.roots().values().forEach(entry -> visitor.accept(entry.block()));
    all.deleted().forEach(entry -> visitor.accept(entry.block()));
  }

  /// Makes the first block of a collection, inside of the section that publishes its root. If it
  /// throws, it has given back what it had allocated.
  public interface FirstBlock {
    long make();
  }

  /// Creates a root and its collection, in a section.
  ///
  /// @throws IllegalArgumentException if a text is too long or UTF-8 can't hold it (ROOT-6), or if
  ///   the name is taken
  public Root create(String name, String kind, String fingerprint, FirstBlock collection) {
    return create(name, kind, fingerprint, System.currentTimeMillis(), collection);
  }

  /// The same, as old as another one that it is a copy of.
  ///
  /// @param createdMillis in milliseconds since 1970
  public Root create(
      String name, String kind, String fingerprint, long createdMillis, FirstBlock collection) {
    byte[][] texts = blocks.texts(name, kind, fingerprint);
    return locked(
        () -> {
          checkFree(name);
          Section section = sections.current();
          section.reserve(STORES_MAX);
          long block = heap.allocate(RootBlocks.bytes(texts));
          long firstBlock;
          try {
            firstBlock = collection.make();
          } catch (RuntimeException | Error e) {
            if (!section.isUndone()) {
              heap.free(block);
            }
            throw e;
          }
          Root root = new Root(name, kind, fingerprint, firstBlock, createdMillis);
          blocks.write(block, root, texts, memory.readPlain(ANCHOR_ROOTS));
          section.write(ANCHOR_ROOTS, block); // ROOT-1
          change(section, lists().with(new Entry(root, block)));
          return root;
        });
  }

  /// Gives a root another name, in a section. It keeps its place among the others.
  ///
  /// @throws IllegalArgumentException if there is none, if the new name is taken, too long, or none
  ///   that UTF-8 can hold (ROOT-6)
  /// @throws io.holdfast.core.RegionFullException if the device has no room; nothing has changed
  public void rename(String name, String newName) {
    locked(
        () -> {
          Entry old = existing(name);
          if (!name.equals(newName)) {
            checkFree(newName);
            replace(old, old.root().named(newName));
          }
          return old;
        });
  }

  /// Gives a root another fingerprint, in a section. What is stored under the new one before that
  /// section is durable must depend on it: whoever stores has found the root before (ROOT-2).
  ///
  /// @throws IllegalArgumentException if there is none, or the fingerprint is too long
  /// @throws io.holdfast.core.RegionFullException if the device has no room; nothing has changed
  public void changeFingerprint(String name, String fingerprint) {
    locked(
        () -> {
          Entry old = existing(name);
          replace(old, old.root().of(fingerprint));
          return old;
        });
  }

  private Entry existing(String name) {
    Entry entry = roots().get(name);
    if (entry == null) {
      throw new IllegalArgumentException(
          "%s: there is no collection of the name \"%s\"".formatted(memory.name(), name));
    }
    return entry;
  }

  /// Puts a root with other texts in the place of one.
  private void replace(Entry old, Root root) {
    byte[][] texts = blocks.texts(root.name(), root.kind(), root.fingerprint());
    Section section = sections.current();
    section.reserve(STORES_MAX);
    long block = heap.allocate(RootBlocks.bytes(texts));
    blocks.write(block, root, texts, memory.readPlain(old.block() + RootBlocks.NEXT));
    section.write(linkTo(old.block()), block); // ROOT-3. Test: RootsCrashTest.root3RenamedOrNot.
    heap.free(old.block());
    change(section, lists().with(new Entry(root, block), old));
  }

  /// Deletes a root, in a section. From then on its name is free; its blocks are freed by {@link
  /// #disposeSome}.
  ///
  /// @return whether there was one
  public boolean delete(String name) {
    return locked(() -> deleteLocked(name));
  }

  /// The same, in an operation of the collection's: nobody sees it before that has ended (LEVEL-1
  /// in {@link SectionLock}), and the caller waits for the device (ACK-2).
  ///
  /// @param operation is given what deletes the root, and runs it in its section
  /// @return what it returns
  public boolean delete(String name, Predicate<BooleanSupplier> operation) {
    boolean[] isHeld = new boolean[1];
    try {
      return sections.withoutWaiting(
          () ->
              operation.test(
                  () -> {
                    lock.hold();
                    isHeld[0] = true;
                    return whole(() -> deleteLocked(name));
                  }));
    } finally {
      if (isHeld[0]) {
        try {
          lock.giveUp();
        } catch (StackOverflowError | OutOfMemoryError | LinkageError e) {
          sections.breakOff(e); // where the very call fails, the lock is kept (LOCK-4)
        }
      }
    }
  }

  private boolean deleteLocked(String name) {
    Entry entry = roots().get(name);
    if (entry == null) {
      return false;
    }
    Section section = sections.current();
    section.reserve(STORES_MAX);
    // ROOT-4. Test: RootsCrashTest.root4DeletedOrNot.
    section.write(linkTo(entry.block()), memory.readPlain(entry.block() + RootBlocks.NEXT));
    section.write(entry.block() + RootBlocks.NEXT, memory.readPlain(ANCHOR_DELETED));
    section.write(ANCHOR_DELETED, entry.block());
    change(section, lists().withDeleted(entry));
    return true;
  }

  /// Frees the blocks of a collection that nobody can find any more.
  public interface Disposal {
    /// The most changes that it may log at a time: with the directory's own they fit an empty log,
    /// so that they need no room on the device.
    int CHANGES_MAX = 44;

    /// Frees some blocks in the calling thread's section, and sees to it in the same section that
    /// the next call frees others.
    ///
    /// @return whether these were the last
    boolean freeSome(Root root);
  }

  /// Whether blocks of deleted roots are still to be freed. Reads one word.
  public boolean hasDeleted() {
    return memory.readAcquire(ANCHOR_DELETED) != 0;
  }

  /// Frees some blocks of the root that was deleted last, in a section (ROOT-4).
  ///
  /// @return whether there are more to free
  /// @throws RegionDamagedException naming the place, if the directory can't be right
  public boolean disposeSome(Disposal disposal) {
    return locked(
        () -> {
          if (lists().deleted().isEmpty()) {
            return false;
          }
          Entry entry = lists().deleted().getFirst();
          Section section = sections.current();
          section.reserve(Disposal.CHANGES_MAX + 4);
          if (disposal.freeSome(entry.root())) {
            // ROOT-4: with the last of its blocks. Test: RootsCrashTest.root4NothingLeaks.
            section.write(ANCHOR_DELETED, memory.readPlain(entry.block() + RootBlocks.NEXT));
            heap.free(entry.block());
            change(section, lists().withoutNewestDeleted());
          }
          return !lists().deleted().isEmpty();
        });
  }

  /// ROOT-2. Nobody comes to depend on a thread that only looks, and what it holds back stays so.
  private <T> T read(Supplier<T> action) {
    return lock.holding(() -> sections.guarded(action));
  }

  /// ROOT-2. Test: DependencyCrashTest.p2OrderedThroughANewRoot.
  private <T> T locked(Supplier<T> action) {
    return lock.inSection(_ -> whole(action), () -> {});
  }

  private <T> T whole(Supplier<T> action) {
    try {
      return action.get();
    } catch (InternalError e) {
      throw sections.faulted(e);
    } catch (VirtualMachineError | LinkageError e) {
      sections.breakOff(e);
      throw e;
    }
  }

  private void checkFree(String name) {
    if (roots().containsKey(name)) {
      throw new IllegalArgumentException(
          "%s: there is a collection of the name \"%s\" already".formatted(memory.name(), name));
    }
  }

  /// Where the list's link to a block is.
  private long linkTo(long block) {
    long at = ANCHOR_ROOTS;
    while (memory.readPlain(at) != block) {
      at = memory.readPlain(at) + RootBlocks.NEXT;
    }
    return at;
  }

  /// @throws IllegalArgumentException if no root can have one of these texts (ROOT-6)
  public void check(String name, String kind, String fingerprint) {
    blocks.texts(name, kind, fingerprint);
  }

  private Map<String, Entry> roots() {
    return lists().roots();
  }

  private void change(Section section, RootLists changed) {
    section.enlist(state);
    lists = changed;
  }

  /// Every root whose checksum is right, wherever it is and whether the lists lead to it or not,
  /// those that were replaced or deleted included: for salvage. Reads all of the region.
  public List<Root> scan() {
    return blocks.scan();
  }

  private RootLists lists() {
    if (lists == null) {
      Set<Long> seen = new HashSet<>();
      List<Entry> oldestFirst = readList(ANCHOR_ROOTS, seen).reversed();
      List<Entry> deleted = readList(ANCHOR_DELETED, seen);
      List<String> stored = new ArrayList<>();
      for (Entry entry : oldestFirst) {
        stored.add(entry.root().name());
      }
      List<String> names = RootTexts.shown(memory.name(), stored);
      SequencedMap<String, Entry> read = new LinkedHashMap<>();
      for (int i = 0; i < names.size(); i++) {
        Entry entry = oldestFirst.get(i);
        Root shown = entry.root().named(names.get(i));
        if (read.put(shown.name(), new Entry(shown, entry.block())) != null) {
          throw blocks.damaged("two roots have the name " + shown.name(), entry.block());
        }
      }
      lists = new RootLists(read, deleted);
    }
    return lists;
  }

  /// ROOT-5. Test: HostileFilesTest.p8DamagedFiles.
  private List<Entry> readList(long anchor, Set<Long> seen) {
    List<Entry> entries = new ArrayList<>();
    long block = memory.readPlain(anchor);
    while (block != 0) {
      heap.checkBlock(block, RootBlocks.TEXTS, "the directory of roots");
      if (!seen.add(block)) {
        throw blocks.damaged("a block comes twice in the directory of roots", block);
      }
      entries.addLast(new Entry(blocks.read(block), block));
      block = memory.readPlain(block + RootBlocks.NEXT);
    }
    return entries;
  }
}
