package io.holdfast.core.heap;

import static io.holdfast.core.memory.RegionLayout.ANCHOR_DELETED;
import static io.holdfast.core.memory.RegionLayout.ANCHOR_ROOTS;

import io.holdfast.core.RegionDamagedException;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.memory.RegionLayout;
import io.holdfast.core.section.Section;
import io.holdfast.core.section.Sections;
import io.holdfast.core.section.VolatileState;
import io.holdfast.core.section.hooks.SectionHooks;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import java.util.zip.CRC32C;

/// The named roots of a region: the only way into its data.
///
/// A list of blocks from the anchor ROOTS, newest first:
///
/// | offset | content |
/// |---|---|
/// | 0 | next older root, 0 for none |
/// | 8 | the collection's own first block |
/// | 16 | creation time, milliseconds since 1970 |
/// | 24 | lengths in bytes of kind, name and fingerprint, 21 bits each, lowest first |
/// | 32 | high half: `0xC5C32C00`; low half: CRC32C of the three words before it and the texts |
/// | 40 | the three texts, UTF-8, one after the other |
///
/// **ROOT-1** A root is published by one store in the section that created its collection: both are
/// there or neither is.
///
/// **ROOT-2** The directory is a lock as sections see it (P2): who finds a root that an unfinished
/// section created, or links another one to it, depends on that section.
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
  /// A name, kind or fingerprint is at most this long, in UTF-8 bytes. The three share a word: 3 ·
  /// 21 bits.
  public static final int MAX_TEXT_BYTES = (1 << 21) - 1;

  static final int NEXT = 0, FIRST_BLOCK = 8, CREATED = 16, LENGTHS = 24, CHECKSUM = 32, TEXTS = 40;
  static final int LENGTH_BITS = 21;
  static final long CHECKSUM_MARK = 0xC5C32C00_00000000L;

  /// What a creation logs: its block, the publication, the block's freeing if there is no
  /// publication, and up to 13 stores of the collection. What finds no room fails before the first.
  private static final int STORES_MAX = 16;

  /// A named root.
  ///
  /// @param kind which collection it is
  /// @param fingerprint what its elements are encoded by
  /// @param firstBlock where the collection begins
  /// @param createdMillis when it was created, in milliseconds since 1970
  public record Root(
      String name, String kind, String fingerprint, long firstBlock, long createdMillis) {
    private Root named(String newName) {
      return new Root(newName, kind, fingerprint, firstBlock, createdMillis);
    }

    private Root of(String newFingerprint) {
      return new Root(name, kind, newFingerprint, firstBlock, createdMillis);
    }
  }

  /// A root and its block.
  private record Entry(Root root, long block) {}

  /// What the two lists are at a time.
  ///
  /// @param roots oldest first, by name
  /// @param deleted newest first
  private record Lists(SequencedMap<String, Entry> roots, List<Entry> deleted) {
    Lists with(Entry entry) {
      SequencedMap<String, Entry> more = new LinkedHashMap<>(roots);
      more.put(entry.root().name(), entry);
      return new Lists(more, deleted);
    }

    Lists with(Entry replacement, Entry old) {
      SequencedMap<String, Entry> changed = new LinkedHashMap<>();
      for (Entry each : roots.values()) {
        Entry now = each.equals(old) ? replacement : each;
        changed.put(now.root().name(), now);
      }
      return new Lists(changed, deleted);
    }

    Lists withDeleted(Entry entry) {
      SequencedMap<String, Entry> fewer = new LinkedHashMap<>(roots);
      fewer.remove(entry.root().name());
      List<Entry> more = new ArrayList<>(deleted);
      more.addFirst(entry);
      return new Lists(fewer, more);
    }

    Lists withoutNewestDeleted() {
      return new Lists(roots, List.copyOf(deleted.subList(1, deleted.size())));
    }
  }

  private final Memory memory;
  private final Heap heap;
  private final Sections sections;

  /// `null` until they are read; replaced by every change. Volatile for {@link #nameOf}.
  private volatile Lists lists;

  private final VolatileState state =
      new VolatileState() {
        private Lists saved;

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
    this.sections = sections;
  }

  /// Finds a root. What the calling thread does from here on depends on the section that created
  /// it.
  ///
  /// @return `null` if there is none of this name
  /// @throws RegionDamagedException naming the place, if the directory can't be right
  public synchronized Root find(String name) {
    return locked(
        () -> {
          Entry found = roots().get(name);
          return found == null ? null : found.root();
        });
  }

  /// All roots, oldest first.
  ///
  /// @throws RegionDamagedException naming the place, if the directory can't be right
  public synchronized Collection<Root> all() {
    return locked(() -> roots().values().stream().map(Entry::root).toList());
  }

  /// The name of the collection that a block begins, for messages: takes no lock, and the caller
  /// depends on nothing by it.
  ///
  /// @return `null` if it has none, or the roots have not been read
  public String nameOf(long firstBlock) {
    Lists known = lists;
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
  public synchronized void forEachBlock(LongConsumer visitor) {
    lists().roots().values().forEach(entry -> visitor.accept(entry.block()));
    lists().deleted().forEach(entry -> visitor.accept(entry.block()));
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
  public synchronized Root create(
      String name, String kind, String fingerprint, long createdMillis, FirstBlock collection) {
    byte[][] texts = texts(name, kind, fingerprint);
    return locked(
        () -> {
          checkFree(name);
          Section section = sections.current();
          section.reserve(STORES_MAX);
          long block = heap.allocate(bytes(texts));
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
          write(block, root, texts, memory.readPlain(ANCHOR_ROOTS));
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
  public synchronized void rename(String name, String newName) {
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
  public synchronized void changeFingerprint(String name, String fingerprint) {
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
          "%s: there is no root of this name: name=%s".formatted(memory.name(), name));
    }
    return entry;
  }

  /// Puts a root with other texts in the place of one.
  private void replace(Entry old, Root root) {
    byte[][] texts = texts(root.name(), root.kind(), root.fingerprint());
    Section section = sections.current();
    section.reserve(STORES_MAX);
    long block = heap.allocate(bytes(texts));
    write(block, root, texts, memory.readPlain(old.block() + NEXT));
    section.write(linkTo(old.block()), block); // ROOT-3. Test: RootsCrashTest.root3RenamedOrNot.
    heap.free(old.block());
    change(section, lists().with(new Entry(root, block), old));
  }

  /// Deletes a root, in a section. From then on its name is free; its blocks are freed by {@link
  /// #disposeSome}.
  ///
  /// @return whether there was one
  public synchronized boolean delete(String name) {
    return locked(
        () -> {
          Entry entry = roots().get(name);
          if (entry == null) {
            return false;
          }
          Section section = sections.current();
          section.reserve(STORES_MAX);
          // ROOT-4. Test: RootsCrashTest.root4DeletedOrNot.
          section.write(linkTo(entry.block()), memory.readPlain(entry.block() + NEXT));
          section.write(entry.block() + NEXT, memory.readPlain(ANCHOR_DELETED));
          section.write(ANCHOR_DELETED, entry.block());
          change(section, lists().withDeleted(entry));
          return true;
        });
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
  public synchronized boolean disposeSome(Disposal disposal) {
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
            section.write(ANCHOR_DELETED, memory.readPlain(entry.block() + NEXT));
            heap.free(entry.block());
            change(section, lists().withoutNewestDeleted());
          }
          return !lists().deleted().isEmpty();
        });
  }

  /// ROOT-2. Test: DependencyCrashTest.p2OrderedThroughANewRoot.
  private <T> T locked(Supplier<T> action) {
    SectionHooks.acquired(this);
    try {
      return action.get();
    } catch (InternalError e) {
      throw sections.faulted(e);
    } catch (VirtualMachineError e) {
      sections.breakOff(e);
      throw e;
    } finally {
      SectionHooks.releasing(this);
    }
  }

  private void checkFree(String name) {
    if (roots().containsKey(name)) {
      throw new IllegalArgumentException(
          "%s: there is a root of this name: name=%s".formatted(memory.name(), name));
    }
  }

  /// Where the list's link to a block is.
  private long linkTo(long block) {
    long at = ANCHOR_ROOTS;
    while (memory.readPlain(at) != block) {
      at = memory.readPlain(at) + NEXT;
    }
    return at;
  }

  /// @throws IllegalArgumentException if no root can have one of these texts (ROOT-6)
  public void check(String name, String kind, String fingerprint) {
    texts(name, kind, fingerprint);
  }

  private byte[][] texts(String name, String kind, String fingerprint) {
    return new byte[][] {
      RootTexts.utf8(memory.name(), "kind", kind),
      RootTexts.utf8(memory.name(), "name", name),
      RootTexts.utf8(memory.name(), "fingerprint", fingerprint)
    };
  }

  private static long bytes(byte[][] texts) {
    return TEXTS + texts[0].length + texts[1].length + (long) texts[2].length;
  }

  /// Writes a root into a block of this section's, which nobody knows yet.
  private void write(long block, Root root, byte[][] texts, long next) {
    long lengths = 0;
    long at = block + TEXTS;
    for (int i = 0; i < texts.length; i++) {
      lengths |= (long) texts[i].length << (i * LENGTH_BITS);
      memory.writeBytesPlain(at, texts[i], 0, texts[i].length);
      at += texts[i].length;
    }
    memory.writePlain(block + NEXT, next);
    memory.writePlain(block + FIRST_BLOCK, root.firstBlock());
    memory.writePlain(block + CREATED, root.createdMillis());
    memory.writePlain(block + LENGTHS, lengths);
    memory.writePlain(
        block + CHECKSUM, checksum(root.firstBlock(), root.createdMillis(), lengths, texts));
  }

  private static long checksum(long firstBlock, long created, long lengths, byte[][] texts) {
    CRC32C crc = new CRC32C();
    ByteBuffer words = ByteBuffer.allocate(3 * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    crc.update(words.putLong(firstBlock).putLong(created).putLong(lengths).flip());
    for (byte[] text : texts) {
      crc.update(text);
    }
    return CHECKSUM_MARK | crc.getValue();
  }

  private Map<String, Entry> roots() {
    return lists().roots();
  }

  private void change(Section section, Lists changed) {
    section.enlist(state);
    lists = changed;
  }

  private Lists lists() {
    if (lists == null) {
      Set<Long> blocks = new HashSet<>();
      List<Entry> oldestFirst = readList(ANCHOR_ROOTS, blocks).reversed();
      List<Entry> deleted = readList(ANCHOR_DELETED, blocks);
      List<String> names =
          RootTexts.shown(
              memory.name(), oldestFirst.stream().map(entry -> entry.root().name()).toList());
      SequencedMap<String, Entry> read = new LinkedHashMap<>();
      for (int i = 0; i < names.size(); i++) {
        Entry entry = oldestFirst.get(i);
        Root shown = entry.root().named(names.get(i));
        if (read.put(shown.name(), new Entry(shown, entry.block())) != null) {
          throw damaged("two roots have the name " + shown.name(), entry.block());
        }
      }
      lists = new Lists(read, deleted);
    }
    return lists;
  }

  /// ROOT-5. Test: HostileFilesTest.p8DamagedFiles.
  private List<Entry> readList(long anchor, Set<Long> blocks) {
    List<Entry> entries = new ArrayList<>();
    long block = memory.readPlain(anchor);
    while (block != 0) {
      heap.checkBlock(block, TEXTS, "the directory of roots");
      if (!blocks.add(block)) {
        throw damaged("a block comes twice in the directory of roots", block);
      }
      entries.addLast(new Entry(read(block), block));
      block = memory.readPlain(block + NEXT);
    }
    return entries;
  }

  private Root read(long block) {
    heap.checkBlock(block, bytes(block), "a root's text");
    Root root = content(block);
    heap.checkBlock(root.firstBlock(), 1, "the root " + root.name());
    return root;
  }

  /// How many bytes a root has, of three texts of 2 MiB at most.
  private long bytes(long block) {
    long lengths = memory.readPlain(block + LENGTHS);
    long bytes = TEXTS;
    for (int i = 0; i < 3; i++) {
      bytes += lengths >>> i * LENGTH_BITS & MAX_TEXT_BYTES;
    }
    return bytes;
  }

  private Root content(long block) {
    long lengths = memory.readPlain(block + LENGTHS);
    byte[][] texts = new byte[3][];
    long at = block + TEXTS;
    for (int i = 0; i < texts.length; i++) {
      texts[i] = new byte[(int) (lengths >>> i * LENGTH_BITS) & MAX_TEXT_BYTES];
      memory.readBytes(at, texts[i], 0, texts[i].length);
      at += texts[i].length;
    }
    long firstBlock = memory.readPlain(block + FIRST_BLOCK);
    long created = memory.readPlain(block + CREATED);
    long found = memory.readPlain(block + CHECKSUM);
    if (found != checksum(firstBlock, created, lengths, texts)) {
      throw damaged("a root's checksum is wrong: found=0x%016X".formatted(found), block);
    }
    return new Root(
        RootTexts.text(texts[1]),
        RootTexts.text(texts[0]),
        RootTexts.text(texts[2]),
        firstBlock,
        created);
  }

  /// Every root whose checksum is right, wherever it is and whether the lists lead to it or not,
  /// those that were replaced or deleted included: for salvage. Reads all of the region.
  public List<Root> scan() {
    List<Root> roots = new ArrayList<>();
    byte[] bytes = new byte[RegionLayout.SPAN_BYTES];
    LongBuffer words = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asLongBuffer();
    for (long span = 0; span < memory.length(); span += bytes.length) {
      int count = (int) Math.min(bytes.length, memory.length() - span);
      memory.readBytes(span, bytes, 0, count);
      for (int i = 0; i < count / Long.BYTES; i++) {
        long block = span + (long) i * Long.BYTES - CHECKSUM;
        if (words.get(i) >>> 32 == CHECKSUM_MARK >>> 32
            && block > 0
            && block + TEXTS <= memory.length()
            && block + bytes(block) <= memory.length()) {
          try {
            roots.add(content(block));
          } catch (RegionDamagedException e) {
            // It only looked like one.
          }
        }
      }
    }
    return roots;
  }

  private RegionDamagedException damaged(String what, long block) {
    return new RegionDamagedException(
        "%s: the region is damaged: %s, offset=0x%X. The file was not touched; restore it from a backup"
            .formatted(memory.name(), what, block));
  }
}
