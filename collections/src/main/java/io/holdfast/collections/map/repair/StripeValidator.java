package io.holdfast.collections.map.repair;

import static io.holdfast.core.memory.RegionLayout.LINE_BYTES;

import io.holdfast.codec.Encoded;
import io.holdfast.collections.map.index.StripeIndex;
import io.holdfast.collections.map.slot.MapLayout;
import io.holdfast.collections.map.slot.SlotClass;
import io.holdfast.collections.map.slot.Slots;
import io.holdfast.collections.map.write.MapParts;
import io.holdfast.core.RegionDamagedException;
import io.holdfast.core.memory.Memory;
import java.util.HashMap;
import java.util.Map;

/// Checks all that the layout promises of a stripe: each slot is an entry that the index has once,
/// in the place of its hash, or is invalid and in one free list once, or was never used. For
/// whoever holds the stripe's lock; takes some bits for each slot.
public final class StripeValidator {
  private final MapParts parts;
  private final Memory memory;
  private final Slots slots;
  private final StripeIndex index;
  private final long stripe;

  private final SlotSet indexed = new SlotSet();
  private final SlotSet free = new SlotSet();
  private final SlotSet neverUsed = new SlotSet();

  /// By chunk, how many of its slots are used.
  private final Map<Long, Integer> used = new HashMap<>();

  private long count;

  public StripeValidator(MapParts parts, long stripe) {
    this.parts = parts;
    this.memory = parts.unordered();
    this.slots = parts.slots();
    this.index = parts.index();
    this.stripe = stripe;
  }

  /// @return how many entries there are
  /// @throws RegionDamagedException naming the first fault and its offset
  public long run() {
    index.forEachSegment(stripe, (first, segment, depth) -> segment(segment));
    for (int sizeClass = 0; sizeClass < SlotClass.COUNT; sizeClass++) {
      freeList(sizeClass);
    }
    parts.blocks().forEachSlot(stripe, this::slot);
    for (int sizeClass = 0; sizeClass < SlotClass.COUNT; sizeClass++) {
      parts.blocks().forEachChunk(stripe, sizeClass, (chunk, bytes) -> chunk(chunk));
    }
    long state = memory.readPlain(stripe + MapLayout.STATE);
    expect("STATE's READY", stripe, 0, state & MapLayout.READY);
    long counted = memory.readPlain(stripe + MapLayout.COUNT + (state >>> 1 & 1) * Long.BYTES);
    expect("COUNT", stripe, count, counted);
    expect("slots in the index", stripe, count, indexed.size());
    expect("INTENT (MAP-14)", stripe, 0, memory.readPlain(stripe + MapLayout.INTENT));
    if (slots.bytesKept() > 0) {
      expect("KEPT (MAP-15)", stripe, 0, memory.readPlain(stripe + MapLayout.KEPT));
    }
    return count;
  }

  private void segment(long segment) {
    for (long at = segment + LINE_BYTES; at < segment + MapLayout.SEGMENT_BYTES; at += Long.BYTES) {
      long word = memory.readPlain(at);
      slots.checkInside(word == 0 ? stripe : MapLayout.slotOf(word));
      if (word != 0 && !indexed.add(MapLayout.slotOf(word))) {
        throw damaged("a slot that the index has twice", at, word);
      }
    }
  }

  private void freeList(int sizeClass) {
    long itsClass = MapLayout.classAt(stripe, sizeClass);
    long last = 0;
    long at = memory.readPlain(itsClass + MapLayout.CLASS_HEAD);
    while (at != 0) {
      if (!free.add(slots.checkInside(at))) {
        throw damaged("a slot that is twice in the free lists", at, sizeClass);
      }
      if (last != 0) {
        expect("PREVIOUS", at, last, memory.readPlain(slots.previousAt(at)));
      }
      last = at;
      at = slots.next(at);
    }
    expect("TAIL", itsClass, last, memory.readPlain(itsClass + MapLayout.CLASS_TAIL));
    long bump = memory.readPlain(itsClass + MapLayout.CLASS_BUMP);
    for (int i = 0; i < MapLayout.bumpLeft(bump); i++) {
      long bytes = (long) SlotClass.lines(sizeClass) * LINE_BYTES;
      neverUsed.add(MapLayout.bumpSlot(bump) + i * bytes);
    }
  }

  private void chunk(long chunk) {
    long found = memory.readPlain(chunk + MapLayout.CHUNK_USED);
    expect("USED of a chunk", chunk, used.getOrDefault(chunk, 0), found);
  }

  private void slot(long slot, long place) {
    long meta = memory.readPlain(slot);
    boolean isEntry = indexed.contains(slot);
    boolean isFree = free.contains(slot);
    if (isFree) {
      expect("PLACE of a free slot", slot, place, slots.place(slot));
    }
    int places = (isEntry ? 1 : 0) + (isFree ? 1 : 0) + (neverUsed.contains(slot) ? 1 : 0);
    expect("in how many places a slot is", slot, 1, places);
    if (!isEntry) {
      expect("the version of a free slot (MAP-2)", slot, 0, MapLayout.version(meta));
      return;
    }
    count++;
    if (!slots.isWhole(slot, place, meta)) {
      throw damaged("an entry that is not whole (MAP-1)", slot, meta);
    }
    long state = memory.readPlain(stripe + MapLayout.STATE);
    if (MapLayout.version(meta) > state >>> 1) {
      throw damaged("an entry of a version above its stripe's", slot, meta);
    }
    long lengths = slots.lengths(slot);
    long payload = (long) MapLayout.keyLength(lengths) + MapLayout.valueLength(lengths);
    int sizeClass = MapLayout.classOf(place);
    expect("the class of an entry", slot, sizeClass, slots.classHolding(payload));
    if (sizeClass != MapLayout.LARGE_CLASS) {
      used.merge(MapLayout.chunkOf(slot, place), 1, Integer::sum);
    }
    Encoded key = slots.key(slot);
    long at = index.place(stripe, parts.hash().hash(key), key);
    long found = at == 0 ? 0 : MapLayout.slotOf(memory.readPlain(at));
    expect("the index word of an entry", slot, slot, found);
  }

  private void expect(String what, long offset, long expected, long found) {
    if (expected != found) {
      throw damaged(what + ", expected=0x%X".formatted(expected), offset, found);
    }
  }

  private RegionDamagedException damaged(String what, long offset, long found) {
    return parts.blocks().damaged(what, offset, found);
  }
}
