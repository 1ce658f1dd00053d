package io.holdfast.collections.map;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.codec.Encoded;
import io.holdfast.codec.EncodedEntry;
import io.holdfast.collections.RawCodec;
import io.holdfast.collections.keyed.KeyedRegion;
import io.holdfast.collections.map.EntryMap.Place;
import io.holdfast.collections.map.slot.MapLayout;
import io.holdfast.collections.map.slot.MapRoot;
import io.holdfast.collections.map.slot.SlotClass;
import io.holdfast.core.heap.RootDirectory.Disposal;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.memory.RegionLayout;
import io.holdfast.core.region.Region;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongConsumer;

/// A region with a map of texts, of one stripe.
final class MapRegion extends KeyedRegion {
  /// Bytes of the longest key and value that a slot holds.
  static final int PAYLOAD_MAX = 48 + 509 * 63;

  private static final String NAME = "map";

  private final Region region;
  private EntryMap map;
  private final long boot;
  private final Form form;

  /// What maps are made like.
  enum Form {
    SLOTS,
    /// As versions did that knew no other.
    SLOTS_OF_EARLIER_VERSIONS,
    WORDS
  }

  private MapRegion(Region region, long boot, Form form) {
    super(region);
    this.region = region;
    this.boot = boot;
    this.form = form;
    freeDeleted();
    if (region.roots().find(NAME) != null) {
      map = openMap();
    }
  }

  /// @param boot which run of the operating system it claims, 0 for an unknown one
  static MapRegion open(Memory memory, long boot) {
    return open(memory, boot, Form.SLOTS);
  }

  /// @param form of a map that is created
  static MapRegion open(Memory memory, long boot, Form form) {
    Region region = Region.open(memory, BYTES);
    try {
      return new MapRegion(region, boot, form);
    } catch (RuntimeException e) {
      region.close();
      throw e;
    }
  }

  private EntryMap openMap() {
    return new EntryMap(region, root(), boot, false);
  }

  @Override
  public MapRegion create() {
    return create(0);
  }

  MapRegion create(int shape) {
    region
        .roots()
        .create(
            NAME,
            "test",
            "",
            () ->
                form == Form.SLOTS_OF_EARLIER_VERSIONS
                    ? MapRoot.createAsBefore(region, shape, 7, 11)
                    : MapRoot.create(region, shape, form == Form.WORDS, 7, 11));
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

  EntryMap map() {
    return map;
  }

  @Override
  protected String secondProbe() {
    return form == Form.WORDS ? "probetwo" : super.secondProbe();
  }

  @Override
  protected boolean isCreated() {
    return map != null;
  }

  @Override
  protected Encoded put(Encoded key, Encoded value) {
    return map.put(key, value);
  }

  @Override
  protected Encoded remove(Encoded key) {
    return map.remove(key);
  }

  @Override
  protected Encoded get(Encoded key) {
    return map.get(key);
  }

  @Override
  protected List<EncodedEntry> entries() {
    List<EncodedEntry> entries = new ArrayList<>();
    for (Place at = Place.START; at != null; ) {
      at = map.walk(at, entries);
    }
    return entries;
  }

  @Override
  protected long size() {
    return map.size();
  }

  @Override
  protected long validate() {
    return map.validate();
  }

  @Override
  protected void forEachBlock(LongConsumer visitor) {
    map.forEachBlock(visitor);
  }

  void putAll(Map<String, String> entries) {
    List<EncodedEntry> encoded = new ArrayList<>();
    entries.forEach((key, value) -> encoded.add(new EncodedEntry(encoded(key), encoded(value))));
    map.putAll(encoded);
  }

  /// Leaves free slots of one line and of two, and entries beside them.
  void makeFreeSlots() {
    for (int i = 0; i < 6; i++) {
      put("one....." + i, "1");
      put("two....." + i, RawCodec.text("2", 90));
    }
    for (int i = 0; i < 4; i++) {
      remove("one....." + i);
      remove("two....." + i);
    }
  }

  private List<Long> usedSlots() {
    Memory memory = region.memory();
    List<Long> used = new ArrayList<>();
    map.forEachSlot(
        (slot, place) -> {
          if (MapLayout.version(memory.readPlain(slot)) != 0) {
            used.add(slot);
          }
        });
    return used;
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
    List<Long> used = usedSlots();
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
    List<Long> used = usedSlots();
    long root = root();
    long list = root + MapLayout.ROOT_STRIPES + 8L * map.stripes();
    memory.writePlain(list, 1);
    memory.writePlain(list + 8, used.getFirst());
    memory.writePlain(root + MapLayout.ROOT_BATCH, 1 << 2 | 2);
    memory.writePlain(root + MapLayout.ROOT_MODE, 1);
    memory.writePlain(root + MapLayout.ROOT_BOOT, bootBefore);
    memory.releaseFence();
  }

  /// Leaves the first entry as a process does that dies in an update in place: a word of it is
  /// another, and all that was there is in the stripe. The map is to be opened again.
  void cutOffAnUpdate() {
    Memory memory = region.memory();
    List<Long> used = usedSlots();
    long first = used.getFirst() + MapLayout.DENSE_PAYLOAD;
    byte[] now = new byte[MapLayout.KEPT_MAX];
    memory.readBytes(first, now, 0, now.length);
    long stripe = memory.readPlain(root() + MapLayout.ROOT_STRIPES);
    memory.writeBytesPlain(stripe + MapLayout.KEPT_BYTES, now, 0, now.length);
    memory.writePlain(stripe + MapLayout.KEPT_COUNT, now.length);
    memory.writePlain(stripe + MapLayout.KEPT, first);
    memory.writePlain(first + 16, 0);
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
}
