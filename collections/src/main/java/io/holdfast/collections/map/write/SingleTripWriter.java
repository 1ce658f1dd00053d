package io.holdfast.collections.map.write;

import static io.holdfast.collections.map.slot.MapLayout.READY;

import io.holdfast.codec.Encoded;
import io.holdfast.collections.map.index.StripeIndex;
import io.holdfast.collections.map.slot.MapLayout;
import io.holdfast.collections.map.slot.Slots;
import io.holdfast.core.memory.Memory;

/// Changes a stripe outside of sections, each operation in one round trip to the media.
///
/// A put is Listing 5 of the CSO paper, in this order; a crash between any two leaves the map as
/// before, or as after:
///
/// 1. NEXT, then INTENT: if the process dies, opening voids the slot that INTENT names, and links
///    it with NEXT again (MAP-14);
/// 2. the entry, in an invalid slot (MAP-1, MAP-2), its META with release; its flush, and that of
///    the slot that the operation before has made invalid;
/// 3. the search in the index, while the lines are on their way;
/// 4. the record of what is to come (MAP-5), and the fence: the one round trip;
/// 5. STATE with READY, with release. From here on a crash of the process is completed;
/// 6. the index word (MAP-4), the free lists, the old entry invalid: each with release;
/// 7. STATE without READY, then INTENT 0, each with release.
///
/// A removal has no entry: it makes META invalid after READY, flushes and fences, and goes on with
/// 6. If the same key's last entry was made invalid by the operation just before, and perhaps not
/// durably so, a fence comes first, or that entry could revive (MAP-3).
///
/// Nothing but slots is flushed: the rest outlives the process, and is made anew when the power
/// failed.
///
/// Guarded by the stripe's lock.
public final class SingleTripWriter {
  private final Memory memory;
  private final MapParts parts;
  private final Slots slots;
  private final StripeIndex index;
  private final StripeState state;
  private final Change change;
  private final Batches batches;

  public SingleTripWriter(MapParts parts, StripeState state) {
    this.memory = parts.unordered();
    this.parts = parts;
    this.slots = parts.slots();
    this.index = parts.index();
    this.batches = parts.batches();
    this.state = state;
    this.change = state.change;
  }

  /// Stores an entry.
  ///
  /// @return the value before, or `null`; NOT_STORED if it must be done in a section, and nothing
  ///   has changed
  public Encoded put(long hash, Encoded key, Encoded value) {
    long stripe = state.block();
    int sizeClass = slots.classHolding((long) key.length() + value.length());
    if (stripe == 0 || sizeClass == MapLayout.LARGE_CLASS) {
      return StripeState.NOT_STORED;
    }
    long slot = state.supply.take(stripe, sizeClass, change);
    if (slot == 0) {
      return StripeState.NOT_STORED;
    }
    state.freedSlots.closeBatch();
    state.seqlock.underWay = true;
    long version = state.version(stripe) + 1;
    // What is stored here must not be seen before the last operation's end (MAP-5), nor the slot's
    // bytes before it was invalid (MAP-6).
    memory.releaseFence();
    change.entry = MapLayout.indexWord(hash, slot);
    memory.writePlain(stripe + MapLayout.NEXT, change.next);
    // MAP-14: NEXT before INTENT, both before the slot. Test:
    // MapCrashTest.map14TheLinkOfATakenSlot.
    memory.writeRelease(stripe + MapLayout.INTENT, change.entry);
    memory.releaseFence();
    long polarity = MapLayout.polarity(memory.readPlain(slot)) ^ 1;
    slots.store(slot, change.place, key, value, MapLayout.meta(version, 1, polarity));
    state.freedSlots.flush(); // MAP-2
    long at = index.place(stripe, hash, key);
    long word = at == 0 ? 0 : memory.readPlain(at);
    long old = MapLayout.slotOf(word);
    if (at == 0 || word != 0 && slots.isLarge(slots.lengths(old))) {
      invalidateDurably(slot, polarity ^ 1);
      giveBack(stripe, slot);
      state.seqlock.underWay = false;
      return StripeState.NOT_STORED;
    }
    long count = state.count(stripe, version - 1);
    Encoded before = null;
    change.word = at;
    change.old = 0;
    if (word == 0) {
      count++;
    } else {
      before = slots.value(old);
      state.supply.free(stripe, old, change);
      if (batches.isOpen(memory.readPlain(old))) {
        batches.flushDone(); // BATCH-2
      }
    }
    change.record(memory, stripe);
    memory.writePlain(MapLayout.countAt(stripe, version), count);
    // MAP-4: the entry, and that the slot freed before is invalid, are durable after this.
    // Test: MapCrashTest.map1EntryOfOneLine.
    memory.fence();
    state.freedSlots.areDurable();
    state.freedSlots.used(slot);
    memory.writeRelease(stripe + MapLayout.STATE, version << 1 | READY);
    apply(stripe);
    state.freedSlots.add(change.old, hash);
    end(stripe, version);
    state.seqlock.underWay = false;
    return before;
  }

  /// Makes free again what was taken for an entry that is dropped, and invalid.
  private void giveBack(long stripe, long slot) {
    long next = memory.readPlain(stripe + MapLayout.NEXT);
    if ((next & 1) == 0) { // else it was never used, and is in no list
      slots.giveBack(slot, next);
    }
    noIntent(stripe);
  }

  private void end(long stripe, long version) {
    memory.writeRelease(stripe + MapLayout.STATE, version << 1);
    noIntent(stripe);
  }

  /// MAP-14: after STATE, which needs it, and before a section changes the free lists, or NEXT
  /// would be believed of the past. Test: MapSectionCrashTest.map14AnIntentThatHasEnded.
  private void noIntent(long stripe) {
    memory.writeRelease(stripe + MapLayout.INTENT, 0);
  }

  private void apply(long stripe) {
    state.seqlock.hold(); // MAP-6. Test: MapThreadsTest.readersSeeWholeEntries.
    state.supply.freed(change.apply(memory, stripe, memory::writeRelease));
  }

  /// Removes the entry of an index word.
  ///
  /// @return its value
  public Encoded remove(long stripe, long hash, long at) {
    long old = MapLayout.slotOf(memory.readPlain(at));
    Encoded before = slots.value(old);
    change.entry = 0;
    change.word = at;
    change.next = 0;
    state.supply.free(stripe, old, change);
    long version = state.version(stripe) + 1;
    long count = state.count(stripe, version - 1) - 1;
    state.freedSlots.closeBatch();
    batches.closeBefore(memory.readPlain(old));
    if (state.freedSlots.has(hash)) {
      state.freedSlots.flushAll(); // MAP-3, MAP-12. Test: MapCrashTest.map3RemovalBehindAnUpdate.
    }
    state.seqlock.underWay = true;
    memory.releaseFence(); // MAP-5, as for a put
    change.record(memory, stripe);
    memory.writePlain(MapLayout.countAt(stripe, version), count);
    memory.writeRelease(stripe + MapLayout.STATE, version << 1 | READY);
    state.freedSlots.flush(); // MAP-2
    // MAP-4. Test: MapCrashTest.map4RemovalIsDurable.
    invalidateDurably(old, MapLayout.polarity(memory.readPlain(old)));
    state.freedSlots.areDurable();
    apply(stripe);
    memory.writeRelease(stripe + MapLayout.STATE, version << 1);
    state.seqlock.underWay = false;
    return before;
  }

  private void invalidateDurably(long slot, long meta) {
    memory.writeRelease(slot, meta);
    memory.flush(slot, Long.BYTES);
    memory.fence();
  }

  /// Publishes an entry of a batch, which is whole and durable.
  ///
  /// @param next NEXT of the record
  /// @param least the version is not below it
  void publish(long hash, Encoded key, long slot, long next, long least) {
    long stripe = state.block();
    memory.releaseFence(); // MAP-5
    long at = index.place(stripe, hash, key);
    long word = memory.readPlain(at);
    long last = state.version(stripe);
    long version = Math.max(last + 1, least);
    if ((version - last & 1) == 0) {
      // MAP-5: or the count before would be stored over, and until READY that one counts.
      // Test: MapBatchCrashTest.map5TheCountBeforeABatchIsKept.
      version++;
    }
    long count = state.count(stripe, last);
    change.entry = MapLayout.indexWord(hash, slot);
    change.word = at;
    change.old = 0;
    change.next = next;
    if (word == 0) {
      count++;
    } else {
      state.supply.free(stripe, MapLayout.slotOf(word), change);
    }
    change.record(memory, stripe);
    memory.writePlain(MapLayout.countAt(stripe, version), count);
    memory.writeRelease(stripe + MapLayout.STATE, version << 1 | READY);
    apply(stripe);
    state.freedSlots.used(slot);
    state.freedSlots.add(change.old, hash);
    end(stripe, version);
  }

  /// Completes or drops what a crash, or an exception, has cut off (MAP-5). What it says is checked
  /// before it is done.
  public void settle(long stripe) {
    long word = memory.readPlain(stripe + MapLayout.STATE);
    long last = slots.checkVersion(word >>> 1, stripe + MapLayout.STATE);
    state.overwritten.settle(stripe);
    if ((word & READY) != 0) {
      read(stripe);
      apply(stripe);
      if (change.entry != 0) {
        state.supply.count(state.supply.chunkOf(MapLayout.slotOf(change.entry)));
      }
      if (change.old != 0) {
        state.supply.count(state.supply.chunkOf(change.old));
      }
      memory.writeRelease(stripe + MapLayout.STATE, word & ~READY);
      state.freedSlots.add(change.old, 0);
      state.freedSlots.flushAll();
    } else {
      long slot = MapLayout.slotOf(memory.readPlain(stripe + MapLayout.INTENT));
      long meta = slot == 0 ? 0 : memory.readPlain(slots.checkInside(slot));
      long version = MapLayout.version(meta);
      boolean isDropped = version > last && version != batches.readyVersion(); // BATCH-3
      if (isDropped) {
        // Its polarity is that of the entry before, which is what further lines may still have.
        invalidateDurably(slot, MapLayout.polarity(meta) ^ 1);
      }
      if (isDropped || version == 0 && slot != 0) {
        giveBack(stripe, slot);
      }
    }
    noIntent(stripe);
  }

  private void read(long stripe) {
    change.entry = memory.readPlain(stripe + MapLayout.INTENT);
    change.word = parts.blocks().checkWord(memory.readPlain(stripe + MapLayout.WORD));
    change.next = memory.readPlain(stripe + MapLayout.NEXT);
    change.old = memory.readPlain(stripe + MapLayout.OLD);
    change.tail = memory.readPlain(stripe + MapLayout.TAIL);
    if (change.entry != 0) {
      state.supply.chunkOf(MapLayout.slotOf(change.entry));
    }
    if (change.old != 0) {
      state.supply.chunkOf(change.old);
    }
    if (change.tail != 0) {
      slots.checkInside(change.tail);
    }
  }
}
