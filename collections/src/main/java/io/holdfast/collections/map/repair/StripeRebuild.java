package io.holdfast.collections.map.repair;

import static io.holdfast.core.memory.RegionLayout.LINE_BYTES;

import io.holdfast.codec.Encoded;
import io.holdfast.collections.map.index.StripeIndex;
import io.holdfast.collections.map.slot.MapLayout;
import io.holdfast.collections.map.slot.SlotClass;
import io.holdfast.collections.map.slot.Slots;
import io.holdfast.collections.map.write.MapParts;
import io.holdfast.collections.map.write.StripeState;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.section.Section;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// Makes a stripe's index, free lists, count and version anew from its slots: after a loss of
/// power, after which these are anything.
///
/// Each slot that is whole (MAP-1) goes into the index, or loses against an entry of its key with a
/// higher version (MAP-3). What has lost, or is in pieces, is made invalid; that is durable before
/// the stripe is used (MAP-2). Cut off anywhere, it is begun again and finds the same.
///
/// Takes memory for nothing but itself; two accesses to the index for each entry.
public final class StripeRebuild {
  private final MapParts parts;
  private final Memory memory;
  private final Slots slots;
  private final StripeIndex index;
  private final long stripe;

  /// Entries of batches that may not be complete, at most those of two batches.
  private final List<Undecided> undecided = new ArrayList<>();

  private long version;
  private long count;

  /// An entry that counts if its batch does.
  public record Undecided(long slot, long place, long meta) {}

  public StripeRebuild(MapParts parts, long stripe) {
    this.parts = parts;
    this.memory = parts.unordered();
    this.slots = parts.slots();
    this.index = parts.index();
    this.stripe = stripe;
  }

  /// All but what batches must be known of for. What is made invalid is durable after the end of
  /// the section: the thread that has flushed it fences there.
  ///
  /// @param section the thread's, which {@link StripeState#hold} has begun; for segments that must
  ///   be split
  public void run(Section section) {
    index.forEachSegment(
        stripe,
        (first, segment, depth) ->
            memory.zeroPlain(segment + LINE_BYTES, MapLayout.SEGMENT_BYTES - LINE_BYTES));
    for (int sizeClass = 0; sizeClass < SlotClass.COUNT; sizeClass++) {
      long itsClass = MapLayout.classAt(stripe, sizeClass);
      memory.writePlain(itsClass + MapLayout.CLASS_HEAD, 0);
      memory.writePlain(itsClass + MapLayout.CLASS_TAIL, 0);
      memory.writePlain(itsClass + MapLayout.CLASS_BUMP, 0);
      parts
          .blocks()
          .forEachChunk(
              stripe,
              sizeClass,
              (chunk, bytes) -> memory.writePlain(chunk + MapLayout.CHUNK_USED, 0));
    }
    parts.blocks().forEachSlot(stripe, (slot, place) -> slot(section, slot, place));
  }

  public List<Undecided> undecided() {
    return undecided;
  }

  /// The highest version that was found.
  public long version() {
    return version;
  }

  /// Makes invalid, durably, what is of batches that are not complete (BATCH-1).
  ///
  /// @param whole versions of those that are
  public void drop(Set<Long> whole) {
    for (Undecided each : undecided) {
      if (!whole.contains(MapLayout.version(each.meta))) {
        makeVoid(each.slot, MapLayout.polarity(each.meta) ^ 1);
        free(each.slot, each.place);
      }
    }
    // BATCH-1: before DONE covers them. Test: MapBatchCrashTest.batch1DroppedByARebuild.
    memory.fence();
  }

  /// Enters what is of batches that are complete. DONE covers these: what was replaced in one of
  /// them is made invalid here (BATCH-2).
  ///
  /// @param section as {@link #run}
  /// @param whole their versions
  public void finish(Section section, Set<Long> whole) {
    for (Undecided each : undecided) {
      if (whole.contains(MapLayout.version(each.meta))) {
        enter(section, each.slot, each.place, each.meta);
      }
    }
    memory.writePlain(stripe + MapLayout.INTENT, 0);
    memory.writePlain(stripe + MapLayout.COUNT + (version & 1) * Long.BYTES, count);
    memory.writePlain(stripe + MapLayout.STATE, version << 1);
    // MAP-2: what was made invalid. Test: MapBatchCrashTest.batch2ReplacedBeforeARebuild.
    memory.fence();
  }

  private void slot(Section section, long slot, long place) {
    long meta = memory.readPlain(slot);
    if (slots.isWhole(slot, place, meta)) {
      version = Math.max(version, slots.checkVersion(MapLayout.version(meta), slot));
      if (parts.batches().isOpen(meta)) {
        undecided.add(new Undecided(slot, place, meta));
      } else {
        enter(section, slot, place, meta);
      }
    } else {
      if (MapLayout.version(meta) != 0) {
        makeVoid(slot, MapLayout.polarity(meta) ^ 1);
      }
      free(slot, place);
    }
  }

  private void enter(Section section, long slot, long place, long meta) {
    Encoded key = slots.key(slot);
    long itsHash = parts.hash().hash(key);
    long at = index.place(stripe, itsHash, key);
    while (at == 0) {
      index.split(section, stripe, itsHash);
      at = index.place(stripe, itsHash, key);
    }
    long other = MapLayout.slotOf(memory.readPlain(at));
    if (other == 0) {
      count++;
      use(slot, place, 1);
      memory.writePlain(at, MapLayout.indexWord(itsHash, slot));
      return;
    }
    long otherMeta = memory.readPlain(other);
    long otherPlace = slots.place(other);
    boolean isLarge = isLarge(place);
    // MAP-11: a large entry that is linked is its key's, whatever its version. Beside it there can
    // be
    // a small one that was stored before its writer found that it needs a section. Test:
    // MapLargeCrashTest.map11ASmallOneThatCameToNothing.
    if (isLarge == isLarge(otherPlace)
        ? MapLayout.version(otherMeta) < MapLayout.version(meta)
        : isLarge) {
      memory.writePlain(at, MapLayout.indexWord(itsHash, slot));
      makeVoid(other, MapLayout.polarity(otherMeta));
      use(slot, place, 1);
      use(other, otherPlace, -1);
      free(other, otherPlace);
    } else {
      makeVoid(slot, MapLayout.polarity(meta));
      free(slot, place);
    }
  }

  private static boolean isLarge(long place) {
    return MapLayout.classOf(place) == MapLayout.LARGE_CLASS;
  }

  /// Counts a chunk's used slots up or down.
  private void use(long slot, long place, int more) {
    if (!isLarge(place)) {
      long at = MapLayout.chunkOf(slot, place) + MapLayout.CHUNK_USED;
      memory.writePlain(at, memory.readPlain(at) + more);
    }
  }

  private void makeVoid(long slot, long meta) {
    memory.writePlain(slot, meta);
    memory.flush(slot, Long.BYTES);
  }

  private void free(long slot, long place) {
    if (isLarge(place)) {
      throw parts.blocks().damaged("a large entry that is none (MAP-11)", slot, place);
    }
    long itsClass = MapLayout.classAt(stripe, MapLayout.classOf(place));
    long tail = memory.readPlain(itsClass + MapLayout.CLASS_TAIL);
    // After META: a rebuild that is begun again would take these for an entry's.
    // Test: MapCrashTest.aProcessThatDiesInARebuild.
    slots.setFree(slot, place);
    memory.writeRelease(slots.nextAt(slot), slots.linked(slot, 0));
    memory.writeRelease(slots.previousAt(slot), tail);
    if (tail == 0) {
      memory.writePlain(itsClass + MapLayout.CLASS_HEAD, slot);
    } else {
      memory.writePlain(slots.nextAt(tail), slots.linked(tail, slot));
    }
    memory.writePlain(itsClass + MapLayout.CLASS_TAIL, slot);
  }
}
