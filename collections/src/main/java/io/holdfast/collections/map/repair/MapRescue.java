package io.holdfast.collections.map.repair;

import static io.holdfast.core.memory.RegionLayout.LINE_BYTES;
import static io.holdfast.core.memory.RegionLayout.WORD_BYTES;

import io.holdfast.codec.Encoded;
import io.holdfast.collections.inspect.Rescue;
import io.holdfast.collections.inspect.Trail;
import io.holdfast.collections.map.index.SegmentIndex;
import io.holdfast.collections.map.slot.KeyedHash;
import io.holdfast.collections.map.slot.MapLayout;
import io.holdfast.collections.map.slot.MapRoot;
import io.holdfast.collections.map.slot.SlotClass;
import io.holdfast.collections.map.slot.Slots;
import io.holdfast.collections.map.word.WordIndex;
import io.holdfast.collections.map.word.WordLayout;
import io.holdfast.core.RegionDamagedException;
import io.holdfast.core.heap.Heap;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.region.Region;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.LongPredicate;

/// Gets the entries out of a map of which parts are damaged. Nothing that is read is believed
/// without a check, and nothing is stored.
///
/// An entry is found on three ways: by its index word, by its chunk, which its size class lists,
/// and, if the region has no other map, by looking at each block that is used. In each its slot
/// must say what its place asks, be whole (MAP-1), and its key's hash must lead to this stripe, and
/// to the index word if that was the way. Of two entries of a key the higher version counts.
///
/// Of a map of words (`WordLayout`) an entry is found in its segment, where its key's hash leads;
/// in a page of any bytes one pair in some hundreds can look like one. If the region has no other
/// map, a block is one of its segments if all that it has can be where it is.
///
/// A value's bytes have no check of their own: where a damaged page begins in the middle of an
/// entry of several lines, and their validities are as they were, wrong bytes come out.
///
/// Not thread-safe. Takes memory for the entries that are found.
public final class MapRescue {
  /// One of eight words that are none of this map's looks like an entry: so many do not.
  private static final int ENTRIES_MIN = 8;

  /// A version up to which slots are believed though no stripe has come to it: of any bytes one in
  /// 16 million looks like one.
  private static final long VERSION_BELIEVED = 1L << 30;

  private final Memory memory;
  private final Heap heap;
  private final Slots slots;
  private final long root;
  private final int stripes;
  private final KeyedHash hash;
  private final WordIndex index;
  private final boolean isOfWords;
  private final Map<Encoded, Found> found = new HashMap<>();
  private final Set<Long> seen = new HashSet<>();

  /// The highest version of an operation that a stripe knows of.
  private long highest = VERSION_BELIEVED;

  /// Where a process died in an update (MAP-15): what is there is of two values.
  private final TreeSet<Long> overwritten = new TreeSet<>();

  private record Found(long version, Encoded value) {}

  /// @throws RegionDamagedException if the root can't be one of a map
  public MapRescue(Region region, long root) {
    this.memory = region.memory();
    this.heap = region.heap();
    this.slots = new Slots(memory.unordered(), root);
    this.root = root;
    this.stripes = 1 << MapRoot.shape(memory, root);
    this.hash =
        new KeyedHash(
            memory.readPlain(root + MapLayout.ROOT_SECRET),
            memory.readPlain(root + MapLayout.ROOT_SECRET + Long.BYTES));
    this.index = new WordIndex(memory, heap, hash);
    this.isOfWords = MapRoot.isOfWords(memory, root);
  }

  /// Reads all that can be read.
  ///
  /// @param others visits all used blocks of the region; does nothing if another map may own them
  public void run(Trail trail, Consumer<LongConsumer> others, Rescue rescue) {
    for (int i = 0; i < stripes; i++) {
      lookAtVersion(stripe(i));
    }
    long expected = 0;
    for (int i = 0; i < stripes; i++) {
      long stripe = stripe(i);
      if (stripe != 0) {
        expected += stripe(i, stripe, trail.to("stripe " + i, stripe), rescue);
      }
    }
    int listed = seen.size();
    others.accept(isOfWords ? this::segmentOfAnyStripe : this::chunkOfAnyStripe);
    if (isWithoutSecret()) {
      rescue.lost(trail, "its root block is zeros");
    } else if (seen.size() > listed) {
      rescue.lost(trail, "entries that no stripe lists: found=%d".formatted(seen.size() - listed));
    }
    found.forEach((key, entry) -> rescue.found(key.copy(), entry.value().copy()));
    if (found.size() < expected) {
      rescue.lost(
          trail,
          "entries that its readable stripes count, and that are not there: %d of %d"
              .formatted(expected - found.size(), expected));
    }
  }

  private long stripe(int number) {
    return memory.readPlain(root + MapLayout.ROOT_STRIPES + (long) number * WORD_BYTES);
  }

  private void lookAtVersion(long stripe) {
    if (isInside(stripe, slots.stripeBytes()) && canBe(count(stripe))) {
      highest = Math.max(highest, version(stripe));
    }
  }

  private long version(long stripe) {
    return memory.readPlain(stripe + MapLayout.STATE) >>> 1;
  }

  private long count(long stripe) {
    return memory.readPlain(MapLayout.countAt(stripe, version(stripe)));
  }

  private boolean canBe(long count) {
    return count >= 0 && count <= memory.length() / LINE_BYTES;
  }

  private boolean isWithoutSecret() {
    long secret = root + MapLayout.ROOT_SECRET;
    return (memory.readPlain(secret) | memory.readPlain(secret + WORD_BYTES)) == 0;
  }

  /// @return how many entries it counts, 0 if that can't be
  private long stripe(int number, long stripe, Trail trail, Rescue rescue) {
    if (!isInside(stripe, slots.stripeBytes())) {
      rescue.lost(trail, "the stripe: its link leads nowhere");
      return 0;
    }
    int before = seen.size();
    if (slots.bytesKept() > 0) {
      overwritten.add(memory.readPlain(stripe + MapLayout.KEPT));
    }
    index(number, stripe, trail, rescue);
    for (int sizeClass = 0; sizeClass < SlotClass.COUNT; sizeClass++) {
      chunks(number, sizeClass, stripe);
    }
    long count = count(stripe);
    if (!canBe(count)) {
      rescue.lost(trail, "its count can't be: found=0x%X".formatted(count));
      return 0;
    }
    if (seen.size() - before < count) {
      rescue.lost(trail, "entries: counted=%d, readable=%d".formatted(count, seen.size() - before));
    }
    return count;
  }

  private void index(int number, long stripe, Trail trail, Rescue rescue) {
    long directory = memory.readPlain(stripe + MapLayout.DIRECTORY);
    int depth = (int) (directory & 0xff);
    if (depth > MapLayout.DEPTH_MAX
        || !isInside(directory >>> 8, (long) WORD_BYTES << Math.min(depth, 30))) {
      rescue.lost(trail, "its index: found=0x%X".formatted(directory));
      return;
    }
    long last = 0;
    for (long i = 0; i < 1L << depth; i++) {
      long segment = memory.readPlain((directory >>> 8) + i * WORD_BYTES);
      if (segment != last && isInside(segment, MapLayout.SEGMENT_BYTES)) {
        if (isOfWords) {
          pairs(number, directory, segment, trail, rescue);
        } else {
          words(number, segment);
        }
      }
      last = segment;
    }
  }

  private void words(int number, long segment) {
    for (int at = LINE_BYTES; at < MapLayout.SEGMENT_BYTES; at += WORD_BYTES) {
      word(number, memory.readPlain(segment + at));
    }
  }

  /// Entries that are in the segment itself, each where its key's hash leads (WORDS-2).
  private void pairs(int number, long directory, long segment, Trail trail, Rescue rescue) {
    int misplaced =
        pairs(
            segment,
            itsHash ->
                (itsHash & stripes - 1) == number
                    && memory.readPlain(SegmentIndex.directoryWord(directory, itsHash)) == segment);
    if (misplaced > 0) {
      rescue.lost(trail, "entries that no hash leads to: found=%d".formatted(misplaced));
    }
  }

  /// @param isHere whether a hash leads to the segment
  /// @return how many are not where they can be
  private int pairs(long segment, LongPredicate isHere) {
    int[] misplaced = new int[1];
    index.forEach(
        segment,
        (at, key, value) -> {
          long itsHash = hash.hash(key);
          if (!WordLayout.isInReach(segment, at, itsHash, key) || !isHere.test(itsHash)) {
            misplaced[0]++;
          } else if (seen.add(at)) {
            found.putIfAbsent(Encoded.of(key), new Found(0, Encoded.of(value)));
          }
        });
    return misplaced[0];
  }

  /// Only if all that is there can be: other blocks' words must not be taken for entries.
  private void segmentOfAnyStripe(long block) {
    if (isInside(block, MapLayout.SEGMENT_BYTES)
        && isBlock(block, MapLayout.SEGMENT_BYTES)
        && entriesInReach(block) >= ENTRIES_MIN) {
      pairs(block, _ -> true);
    }
  }

  /// @return how many there are; less than none if one is out of reach
  private int entriesInReach(long segment) {
    int[] count = new int[1];
    index.forEach(
        segment,
        (at, key, value) -> {
          boolean can = WordLayout.isInReach(segment, at, hash.hash(key), key);
          count[0] = can && count[0] >= 0 ? count[0] + 1 : -1;
        });
    return count[0];
  }

  private void word(int number, long word) {
    long slot = MapLayout.slotOf(word);
    if (word != 0 && isInside(slot, LINE_BYTES)) {
      slot(number, slot, slots.place(slot), word);
    }
  }

  private void chunks(int number, int sizeClass, long stripe) {
    long newer = 0;
    long chunk = memory.readPlain(MapLayout.classAt(stripe, sizeClass) + MapLayout.CLASS_CHUNK);
    while (isInside(chunk, LINE_BYTES)
        && memory.readPlain(chunk + MapLayout.CHUNK_CLASS) == sizeClass
        && memory.readPlain(chunk + MapLayout.CHUNK_NEWER) == newer) {
      chunk(number, chunk, sizeClass);
      newer = chunk;
      chunk = memory.readPlain(chunk + MapLayout.CHUNK_OLDER);
    }
  }

  private void chunk(int number, long chunk, int sizeClass) {
    long lines = memory.readPlain(chunk + MapLayout.CHUNK_LINES);
    if (lines > 1 && lines <= SlotClass.CHUNK_LINES_MAX && isInside(chunk, lines * LINE_BYTES)) {
      for (int i = 0; i < SlotClass.slots(sizeClass, (int) lines); i++) {
        long slot = chunk + LINE_BYTES + i * SlotClass.bytes(sizeClass);
        slot(number, slot, MapLayout.place(sizeClass, i), 0);
      }
    }
  }

  /// Only a block of the size that it says, and that a chunk can have: in others many a small
  /// number would be taken for an empty key.
  private void chunkOfAnyStripe(long block) {
    long sizeClass = memory.readPlain(block + MapLayout.CHUNK_CLASS);
    long lines = memory.readPlain(block + MapLayout.CHUNK_LINES);
    if (sizeClass >= 0
        && sizeClass < SlotClass.COUNT
        && SlotClass.areOfChunk(lines)
        && isBlock(block, lines * LINE_BYTES)
        && !isBlock(block, lines * LINE_BYTES + 1)) {
      chunk(-1, block, (int) sizeClass);
    }
  }

  /// @param number the stripe's, -1 for any
  /// @param place as it must be
  /// @param word the index word that led here, 0 if it was another way
  private void slot(int number, long slot, long place, long word) {
    int sizeClass = MapLayout.classOf(place);
    boolean isLarge = sizeClass == MapLayout.LARGE_CLASS;
    long bytes = isLarge ? LINE_BYTES : SlotClass.bytes(sizeClass);
    long meta = memory.readPlain(slot);
    if (bytes == 0
        || !isInside(slot, bytes)
        || !slots.isWhole(slot, place, meta)
        || !overwritten.subSet(slot, slot + bytes).isEmpty()) {
      return;
    }
    long lengths = slots.lengthsThere(slot);
    long payload = (long) MapLayout.keyLength(lengths) + MapLayout.valueLength(lengths);
    if (!slots.isPlausible(slot, lengths) || slots.classHolding(payload) != sizeClass) {
      return;
    }
    if (isLarge && !isBlock(slot - LINE_BYTES, slots.bytesOfLarge(payload))) {
      return;
    }
    if (word == 0 && (payload == 0 || MapLayout.version(meta) > highest)) {
      return; // small numbers, or any bytes
    }
    Encoded key = slots.key(slot);
    long itsHash = hash.hash(key);
    boolean isHere = number < 0 || (itsHash & stripes - 1) == number;
    if (isHere && (word == 0 || MapLayout.matches(word, itsHash)) && seen.add(slot)) {
      Found entry = new Found(MapLayout.version(meta), slots.value(slot, lengths));
      found.merge(key, entry, (one, other) -> one.version() >= other.version() ? one : other);
    }
  }

  /// Its length is believed only if the heap says the same, for nothing else bounds it.
  private boolean isBlock(long block, long bytes) {
    try {
      heap.checkBlock(block, bytes, "a map's large entry");
      return true;
    } catch (RegionDamagedException e) {
      return false;
    }
  }

  private boolean isInside(long offset, long bytes) {
    return offset > 0 && offset % WORD_BYTES == 0 && offset <= memory.length() - bytes;
  }
}
