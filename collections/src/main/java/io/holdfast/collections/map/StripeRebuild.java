package io.holdfast.collections.map;

import static io.holdfast.core.memory.RegionLayout.LINE_BYTES;

import io.holdfast.core.memory.Memory;
import io.holdfast.core.section.Section;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// Makes a stripe's index, free lists, count and version anew from its slots: after a loss of
/// power, behind which these are anything.
///
/// Each slot that is whole (MAP-1) goes into the index, or loses against an entry of its key with a
/// higher version (MAP-3). What has lost, or is in pieces, is made void; that is durable before the
/// stripe is used (MAP-2). Cut off anywhere, it is begun again and finds the same.
///
/// Takes memory for nothing but itself; two accesses to the index for each entry.
final class StripeRebuild {
  private final Memory memory;
  private final Slots slots;
  private final StripeIndex index;
  private final StripeBlocks blocks;
  private final KeyedHash hash;
  private final long stripe;
  private final Section section;
  private final Batches batches;

  /// Entries of batches that may not be complete, at most those of two batches.
  private final List<Undecided> undecided = new ArrayList<>();

  private long version;
  private long count;

  /// An entry that counts if its batch does.
  record Undecided(int sizeClass, long slot, long meta) {}

  /// @param section for segments that must be split
  StripeRebuild(
      Memory unordered,
      Slots slots,
      StripeIndex index,
      StripeBlocks blocks,
      KeyedHash hash,
      long stripe,
      Section section,
      Batches batches) {
    this.memory = unordered;
    this.slots = slots;
    this.index = index;
    this.blocks = blocks;
    this.hash = hash;
    this.stripe = stripe;
    this.section = section;
    this.batches = batches;
  }

  /// All but what batches must be known of for.
  void run() {
    index.forEachSegment(
        stripe,
        (first, segment, depth) ->
            memory.zeroPlain(segment + LINE_BYTES, MapLayout.SEGMENT_BYTES - LINE_BYTES));
    for (int sizeClass = 0; sizeClass < SlotClass.COUNT; sizeClass++) {
      long itsClass = MapLayout.classAt(stripe, sizeClass);
      memory.writePlain(itsClass + MapLayout.CLASS_HEAD, 0);
      memory.writePlain(itsClass + MapLayout.CLASS_TAIL, 0);
      memory.writePlain(itsClass + MapLayout.CLASS_BUMP, 0);
    }
    blocks.forEachSlot(stripe, this::slot);
  }

  List<Undecided> undecided() {
    return undecided;
  }

  /// @param whole versions of batches that are complete (BATCH-1)
  /// @return the highest version
  long finish(Set<Long> whole) {
    for (Undecided each : undecided) {
      if (whole.contains(MapLayout.version(each.meta))) {
        enter(each.sizeClass, each.slot, each.meta);
      } else {
        makeVoid(each.slot, MapLayout.polarity(each.meta) ^ 1);
        free(each.sizeClass, each.slot);
      }
    }
    memory.writePlain(stripe + MapLayout.INTENT, 0);
    memory.writePlain(stripe + MapLayout.COUNT + (version & 1) * Long.BYTES, count);
    memory.writeRelease(stripe + MapLayout.STATE, version << 1);
    memory.releaseFence();
    // MAP-2: what was made void. Test: MapCrashTest.map3RebuildIsDurable.
    memory.fence();
    return version;
  }

  private void slot(int sizeClass, long slot) {
    long meta = memory.readPlain(slot);
    if (slots.isWhole(slot, SlotClass.lines(sizeClass), meta)) {
      version = Math.max(version, MapLayout.version(meta));
      if (batches.isOpen(meta)) {
        undecided.add(new Undecided(sizeClass, slot, meta));
      } else {
        enter(sizeClass, slot, meta);
      }
    } else {
      if (MapLayout.version(meta) != 0) {
        makeVoid(slot, MapLayout.polarity(meta) ^ 1);
      }
      free(sizeClass, slot);
    }
  }

  private void enter(int sizeClass, long slot, long meta) {
    Encoded key = slots.key(slot);
    long itsHash = hash.hash(key);
    long at = index.place(stripe, itsHash, key);
    while (at == 0) {
      index.split(section, stripe, itsHash);
      at = index.place(stripe, itsHash, key);
    }
    long other = MapLayout.slotOf(memory.readPlain(at));
    if (other == 0) {
      count++;
      memory.writePlain(at, MapLayout.indexWord(itsHash, slot));
      return;
    }
    long otherMeta = memory.readPlain(other);
    if (MapLayout.version(otherMeta) < MapLayout.version(meta)) {
      memory.writePlain(at, MapLayout.indexWord(itsHash, slot));
      makeVoid(other, MapLayout.polarity(otherMeta));
      free(SlotClass.ofLengths(memory.readPlain(other + MapLayout.LENGTHS)), other);
    } else {
      makeVoid(slot, MapLayout.polarity(meta));
      free(sizeClass, slot);
    }
  }

  private void makeVoid(long slot, long meta) {
    memory.writeRelease(slot, meta);
    memory.flush(slot, Long.BYTES);
  }

  private void free(int sizeClass, long slot) {
    long itsClass = MapLayout.classAt(stripe, sizeClass);
    long tail = memory.readPlain(itsClass + MapLayout.CLASS_TAIL);
    memory.writePlain(slot + MapLayout.LINK, 0);
    memory.writePlain(tail == 0 ? itsClass + MapLayout.CLASS_HEAD : tail + MapLayout.LINK, slot);
    memory.writePlain(itsClass + MapLayout.CLASS_TAIL, slot);
  }
}
