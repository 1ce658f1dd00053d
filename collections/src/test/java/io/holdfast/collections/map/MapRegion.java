package io.holdfast.collections.map;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.codec.Encoded;
import io.holdfast.codec.EncodedEntry;
import io.holdfast.collections.map.EntryMap.Place;
import io.holdfast.collections.map.slot.MapLayout;
import io.holdfast.collections.map.slot.MapRoot;
import io.holdfast.collections.map.slot.SlotClass;
import io.holdfast.core.Durability;
import io.holdfast.core.fixture.Words;
import io.holdfast.core.heap.HeapValidator.Block;
import io.holdfast.core.heap.Root;
import io.holdfast.core.heap.RootDirectory.Disposal;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.memory.OrderedMemory;
import io.holdfast.core.memory.RegionLayout;
import io.holdfast.core.memory.SpanTable.Use;
import io.holdfast.core.region.Region;
import io.holdfast.testkit.CrashExplorer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// A region with a map of texts, of one stripe: the store that crashes are explored with. A text of
/// eight characters is a word.
final class MapRegion implements AutoCloseable {
  static final long BYTES = 1 << 20;

  private static final String NAME = "map";
  private static final int SHOWN_MAX = 24;

  private final Region region;
  private EntryMap map;
  private final long boot;

  private MapRegion(Region region, long boot) {
    this.region = region;
    this.boot = boot;
    freeDeleted();
    if (region.roots().find(NAME) != null) {
      map = openMap();
    }
  }

  /// @param boot which run of the operating system it claims, 0 for an unknown one
  static MapRegion open(Memory memory, long boot) {
    Region region = Region.open(memory, BYTES);
    try {
      return new MapRegion(region, boot);
    } catch (RuntimeException e) {
      region.close();
      throw e;
    }
  }

  /// Explores with states, and with all that must hold of any opened map.
  static CrashExplorer<MapRegion> explorer(String name, Durability durability) {
    boolean isOrdered = durability == Durability.POWER_FAILURE;
    return CrashExplorer.of(
            name, memory -> isOrdered ? open(new OrderedMemory(memory), 0) : open(memory, 1))
        .surviving(durability)
        .state(MapRegion::state)
        .check((opened, point) -> opened.check());
  }

  private EntryMap openMap() {
    return new EntryMap(region, root(), boot, false);
  }

  MapRegion create() {
    return create(0);
  }

  MapRegion create(int shape) {
    region.roots().create(NAME, "test", "", () -> MapRoot.create(region, shape, 7, 11));
    map = openMap();
    return this;
  }

  /// Deletes the map and frees its blocks.
  void delete() {
    assertThat(map.delete(() -> region.roots().delete(NAME))).isTrue();
    map = null;
    freeDeleted();
  }

  private void freeDeleted() {
    boolean more = region.roots().hasDeleted();
    while (more) {
      more =
          region
              .roots()
              .disposeSome(
                  root -> EntryMap.freeSome(region, root.firstBlock(), Disposal.CHANGES_MAX));
    }
  }

  Region region() {
    return region;
  }

  EntryMap map() {
    return map;
  }

  static Encoded encoded(String text) {
    return Encoded.of(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  static String text(Encoded encoded) {
    return encoded == null
        ? null
        : new String(encoded.bytes(), 0, encoded.length(), StandardCharsets.ISO_8859_1);
  }

  String put(String key, String value) {
    return text(map.put(encoded(key), encoded(value)));
  }

  void putAll(Map<String, String> entries) {
    List<EncodedEntry> encoded = new ArrayList<>();
    entries.forEach((key, value) -> encoded.add(new EncodedEntry(encoded(key), encoded(value))));
    map.putAll(encoded);
  }

  String remove(String key) {
    return text(map.remove(encoded(key)));
  }

  String get(String key) {
    return text(map.get(encoded(key)));
  }

  /// Opens the map once more, in this process: after a loss of power with a rebuild.
  void openAgain() {
    map = openMap();
  }

  /// Updates entries, and leaves the former ones as whole as a loss of power can: their first lines
  /// as they were. Once for each entry, or a slot could be used again that is.
  void over(Runnable updates) {
    Memory memory = region.memory();
    Map<Long, byte[]> lines = new TreeMap<>();
    map.forEachSlot(
        (slot, place) -> {
          byte[] line = new byte[RegionLayout.LINE_BYTES];
          memory.readBytes(slot, line, 0, line.length);
          lines.put(slot, line);
        });
    List<Long> used = new ArrayList<>();
    map.forEachSlot(
        (slot, place) -> {
          if (MapLayout.version(memory.readPlain(slot)) != 0) {
            used.add(slot);
          }
        });
    updates.run();
    used.forEach(slot -> memory.writeBytesPlain(slot, lines.get(slot), 0, RegionLayout.LINE_BYTES));
    memory.releaseFence();
  }

  /// Leaves what is not flushed as a loss of power may: an empty index, and a batch of the first
  /// slot that has an entry, ready to be published. The map is to be opened again.
  ///
  /// @param bootBefore which run of the operating system it was
  void loseIndex(long bootBefore) {
    Memory memory = region.memory();
    map.forEachSegment(
        (first, segment, depth) ->
            memory.zeroPlain(
                segment + RegionLayout.LINE_BYTES,
                MapLayout.SEGMENT_BYTES - RegionLayout.LINE_BYTES));
    List<Long> used = new ArrayList<>();
    map.forEachSlot(
        (slot, place) -> {
          if (MapLayout.version(memory.readPlain(slot)) != 0) {
            used.add(slot);
          }
        });
    long root = root();
    long list = root + MapLayout.ROOT_STRIPES + 8L * map.stripes();
    memory.writePlain(list, 1);
    memory.writePlain(list + 8, used.getFirst());
    memory.writePlain(root + MapLayout.ROOT_BATCH, 1 << 2 | 2);
    memory.writePlain(root + MapLayout.ROOT_MODE, 1);
    memory.writePlain(root + MapLayout.ROOT_BOOT, bootBefore);
    memory.releaseFence();
  }

  /// Leaves an entry of a batch invalid, as if its first line had not been written back.
  void loseOneOfTheBatch() {
    Memory memory = region.memory();
    List<Long> ofBatches = new ArrayList<>();
    map.forEachSlot(
        (slot, place) -> {
          if (MapLayout.count(memory.readPlain(slot)) > 1) {
            ofBatches.add(slot);
          }
        });
    long first = ofBatches.getFirst();
    memory.writePlain(first, MapLayout.polarity(memory.readPlain(first)) ^ 1);
    memory.releaseFence();
  }

  /// Leaves DONE as a loss of power may that strikes after the first batch.
  void loseDone() {
    region.memory().writePlain(root() + MapLayout.ROOT_DONE, 0);
    region.memory().releaseFence();
  }

  long root() {
    return region.roots().find(NAME).firstBlock();
  }

  /// Leaves the further lines of invalid slots as an entry may that a loss of power has cut off:
  /// with the validity that the next entry will have.
  void unlevelVoidSlots() {
    Memory memory = region.memory();
    map.forEachSlot(
        (slot, place) -> {
          int sizeClass = MapLayout.classOf(place);
          long meta = memory.readPlain(slot);
          for (int line = 1;
              MapLayout.version(meta) == 0 && line < SlotClass.lines(sizeClass);
              line++) {
            long at = slot + (line + 1) * 64L - 8;
            memory.writePlain(at, memory.readPlain(at) ^ 1L << 56);
          }
        });
    memory.releaseFence();
  }

  /// All entries; long texts by their beginning, length and hash.
  Map<String, String> state() {
    Map<String, String> state = new TreeMap<>();
    if (map != null) {
      all().forEach((key, value) -> state.put(shown(key), shown(value)));
    }
    return state;
  }

  Map<String, String> all() {
    Map<String, String> all = new TreeMap<>();
    List<EncodedEntry> entries = new ArrayList<>();
    for (Place at = Place.START; at != null; ) {
      at = map.walk(at, entries);
    }
    for (EncodedEntry entry : entries) {
      assertThat(all.put(text(entry.key()), text(entry.value()))).as("twice").isNull();
    }
    return all;
  }

  /// A text as {@link #state} has it.
  static String shown(String text) {
    return text.length() <= SHOWN_MAX
        ? text
        : "%s~%d#%x".formatted(text.substring(0, 8), text.length(), text.hashCode());
  }

  /// Checks that the map keeps its layout, that no block is leaked, and that it can be used.
  void check() {
    checkBlocks();
    // Opening may have freed what a clearing had left, and the log keeps a chunk.
    assertThat(Words.spans(region, Use.LOG_CHUNK)).as("chunks of logs").isLessThanOrEqualTo(1);
    if (map == null) {
      return;
    }
    Map<String, String> before = all();
    assertThat(map.validate()).isEqualTo(map.size()).isEqualTo(before.size());
    use(before);
    assertThat(map.validate()).isEqualTo(before.size());
    assertThat(all()).isEqualTo(before);
  }

  /// Checks that those blocks are in use that the root and the map reach, and no others.
  void checkBlocks() {
    Set<Long> reachable = new TreeSet<>();
    Memory memory = region.memory();
    for (long root = memory.readPlain(RegionLayout.ANCHOR_ROOTS);
        root != 0;
        root = memory.readPlain(root)) {
      reachable.add(root);
    }
    for (Root root : region.roots().all()) {
      reachable.add(root.firstBlock());
    }
    if (map != null) {
      map.forEachBlock(reachable::add);
    }
    assertThat(region.heap().validator().blocks())
        .extracting(Block::offset)
        .as("blocks in use")
        .containsExactlyElementsOf(reachable);
  }

  /// Goes on with the first entries, in every way.
  private void use(Map<String, String> before) {
    int used = 0;
    for (Map.Entry<String, String> entry : before.entrySet()) {
      if (used++ < 6) {
        String key = entry.getKey();
        assertThat(get(key)).isEqualTo(entry.getValue());
        assertThat(put(key, "probe")).isEqualTo(entry.getValue());
        assertThat(put(key, "probe two, some longer")).isEqualTo("probe");
        assertThat(remove(key)).isEqualTo("probe two, some longer");
        assertThat(get(key)).isNull();
        assertThat(put(key, entry.getValue())).isNull();
      }
    }
    assertThat(put("no such!", "x")).isNull();
    assertThat(remove("no such!")).isEqualTo("x");
  }

  @Override
  public void close() {
    region.close();
  }
}
