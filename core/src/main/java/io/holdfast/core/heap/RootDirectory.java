package io.holdfast.core.heap;

import io.holdfast.core.RegionDamagedException;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.memory.RegionLayout;
import io.holdfast.core.section.Section;
import io.holdfast.core.section.SectionHooks;
import io.holdfast.core.section.Sections;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.function.Supplier;

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
/// | 32 | these three, UTF-8, one after the other |
///
/// **ROOT-1** A root is published by one store in the section that created its collection: both are
/// there or neither is.
///
/// **ROOT-2** The directory is a lock as sections see it (P2): who finds a root that an unfinished
/// section created, or links another one to it, depends on that section.
///
/// **ROOT-6** A root of another fingerprint is another block, which takes the old one's place in
/// the list in one section, as a root's text can't change in place.
///
/// Thread-safe.
public final class RootDirectory {
  /// A name, kind or fingerprint is at most this long, in UTF-8 bytes. The three share a word: 3 ·
  /// 21 bits.
  public static final int MAX_TEXT_BYTES = (1 << 21) - 1;

  private static final int NEXT = 0, FIRST_BLOCK = 8, CREATED = 16, LENGTHS = 24, TEXTS = 32;
  private static final int LENGTH_BITS = 21;

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
      String name, String kind, String fingerprint, long firstBlock, long createdMillis) {}

  private final Memory memory;
  private final Heap heap;
  private final Sections sections;
  private Map<String, Root> roots;

  public RootDirectory(Memory memory, Heap heap, Sections sections) {
    this.memory = memory;
    this.heap = heap;
    this.sections = sections;
  }

  /// Finds a root. What the calling thread does from here on depends on the section that created
  /// it.
  ///
  /// @return `null` if there is none of this name
  public synchronized Root find(String name) {
    return locked(() -> roots().get(name));
  }

  /// All roots, oldest first.
  public synchronized Collection<Root> all() {
    return locked(() -> List.copyOf(roots().values()));
  }

  /// Makes the first block of a collection, inside of the section that publishes its root. If it
  /// throws, it has given back what it had allocated.
  public interface FirstBlock {
    long make();
  }

  /// Creates a root and its collection, in a section.
  ///
  /// @throws IllegalArgumentException if a text is too long, or the name is taken
  public synchronized Root create(
      String name, String kind, String fingerprint, FirstBlock collection) {
    byte[][] texts = {utf8("kind", kind), utf8("name", name), utf8("fingerprint", fingerprint)};
    return locked(
        () -> {
          if (roots().containsKey(name)) {
            throw new IllegalArgumentException(
                "%s: there is a root of this name: name=%s".formatted(memory.name(), name));
          }
          Section section = sections.current();
          section.reserve(STORES_MAX);
          long block = heap.allocate(bytes(texts));
          long firstBlock;
          try {
            firstBlock = collection.make();
          } catch (RuntimeException | Error e) {
            heap.free(block);
            throw e;
          }
          Root root = new Root(name, kind, fingerprint, firstBlock, System.currentTimeMillis());
          write(block, root, texts, memory.readPlain(RegionLayout.ANCHOR_ROOTS));
          section.write(RegionLayout.ANCHOR_ROOTS, block); // ROOT-1
          roots().put(name, root);
          return root;
        });
  }

  /// Gives a root another fingerprint, in a section. What is stored under the new one before that
  /// section is durable must depend on it: whoever stores has found the root before (ROOT-2).
  ///
  /// @return the root as it is now
  /// @throws IllegalArgumentException if the fingerprint is too long
  /// @throws io.holdfast.core.RegionFullException if the device has no room; nothing has changed
  public synchronized Root changeFingerprint(Root root, String fingerprint) {
    Root changed =
        new Root(root.name(), root.kind(), fingerprint, root.firstBlock(), root.createdMillis());
    byte[][] texts = {
      utf8("kind", root.kind()), utf8("name", root.name()), utf8("fingerprint", fingerprint)
    };
    return locked(
        () -> {
          Section section = sections.current();
          section.reserve(STORES_MAX);
          long block = heap.allocate(bytes(texts));
          long link = linkTo(root.name());
          long old = memory.readPlain(link);
          write(block, changed, texts, memory.readPlain(old + NEXT));
          section.write(link, block); // ROOT-6. Test: RootFingerprintCrashTest.root6.
          heap.free(old);
          roots().put(root.name(), changed);
          return changed;
        });
  }

  /// Where the list's link to the block of a root is, which is there.
  private long linkTo(String name) {
    long at = RegionLayout.ANCHOR_ROOTS;
    while (!read(memory.readPlain(at)).name().equals(name)) {
      at = memory.readPlain(at) + NEXT;
    }
    return at;
  }

  /// ROOT-2. Test: DependencyCrashTest.p2OrderedThroughANewRoot.
  private <T> T locked(Supplier<T> action) {
    SectionHooks.acquired(this);
    try {
      return action.get();
    } finally {
      SectionHooks.releasing(this);
    }
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
  }

  private static byte[] utf8(String what, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    if (bytes.length > MAX_TEXT_BYTES) {
      throw new IllegalArgumentException(
          "a root's %s is at most %d bytes long: length=%d"
              .formatted(what, MAX_TEXT_BYTES, bytes.length));
    }
    return bytes;
  }

  private Map<String, Root> roots() {
    if (roots == null) {
      SequencedMap<String, Root> newestFirst = new LinkedHashMap<>();
      long block = memory.readPlain(RegionLayout.ANCHOR_ROOTS);
      while (block != 0) {
        Root root = read(heap.checkBlock(block, "the directory of roots"));
        if (newestFirst.put(root.name(), root) != null) {
          throw new RegionDamagedException(
              "%s: two roots have the name %s: offset=0x%X. The file was not touched; restore it from a backup"
                  .formatted(memory.name(), root.name(), block));
        }
        block = memory.readPlain(block + NEXT);
      }
      roots = new LinkedHashMap<>();
      newestFirst.sequencedValues().reversed().forEach(root -> roots.put(root.name(), root));
    }
    return roots;
  }

  private Root read(long block) {
    long lengths = memory.readPlain(block + LENGTHS);
    String[] texts = new String[3];
    long at = block + TEXTS;
    for (int i = 0; i < texts.length; i++) {
      byte[] bytes = new byte[(int) (lengths >>> i * LENGTH_BITS) & MAX_TEXT_BYTES];
      if (at + bytes.length > memory.length()) {
        throw new RegionDamagedException(
            "%s: a root's text is longer than the region: offset=0x%X, length=%d bytes. The file was not touched; restore it from a backup"
                .formatted(memory.name(), block, bytes.length));
      }
      memory.readBytes(at, bytes, 0, bytes.length);
      at += bytes.length;
      texts[i] = new String(bytes, StandardCharsets.UTF_8);
    }
    return new Root(
        texts[1],
        texts[0],
        texts[2],
        heap.checkBlock(memory.readPlain(block + FIRST_BLOCK), "the root " + texts[1]),
        memory.readPlain(block + CREATED));
  }
}
