package io.holdfast.collections.map.write;

import io.holdfast.collections.map.slot.MapLayout;
import io.holdfast.collections.map.slot.Slots;
import io.holdfast.core.memory.Memory;

/// What an operation does to a stripe once its entry is stored: an index word, the slot that it
/// takes, the slot that it frees. Absolute values, so that a record of them can be applied again
/// (MAP-5); only how many slots of a chunk are used must be counted then.
///
/// Guarded by the stripe's lock.
final class Change {
  private final Slots slots;

  /// The index word of the entry, 0 for a removal.
  long entry;

  /// Where it goes.
  long word;

  /// The slot that becomes free, or 0.
  long old;

  /// HEAD of the entry's class as it will be; or BUMP, shifted left by one, with bit 0.
  long next;

  /// TAIL of the class of OLD, before.
  long tail;

  /// PLACE of the slot that is taken; not in the record, for the slot has it.
  long place;

  Change(Slots slots) {
    this.slots = slots;
  }

  /// Notes it in the stripe; READY makes it count.
  void record(Memory memory, long stripe) {
    memory.writePlain(stripe + MapLayout.INTENT, entry);
    memory.writePlain(stripe + MapLayout.OLD, old);
    memory.writePlain(stripe + MapLayout.WORD, word);
    memory.writePlain(stripe + MapLayout.NEXT, next);
    memory.writePlain(stripe + MapLayout.TAIL, tail);
  }

  /// Publishes the entry, or that there is none, and brings the free lists up to it.
  ///
  /// @return the chunk that has one used slot less, or 0
  long apply(Memory memory, long stripe, WordStore to) {
    to.write(word, entry);
    long taken = entry == 0 ? 0 : take(stripe, to);
    long freed = old == 0 ? 0 : free(memory, stripe, to);
    if (taken == freed) {
      return 0;
    }
    if (taken != 0) {
      to.write(taken + MapLayout.CHUNK_USED, memory.readPlain(taken + MapLayout.CHUNK_USED) + 1);
    }
    if (freed != 0) {
      to.write(freed + MapLayout.CHUNK_USED, memory.readPlain(freed + MapLayout.CHUNK_USED) - 1);
    }
    return freed;
  }

  /// @return the slot's chunk; 0 if it is a large block
  private long take(long stripe, WordStore to) {
    long slot = MapLayout.slotOf(entry);
    long its = slots.place(slot);
    int sizeClass = MapLayout.classOf(its);
    if (sizeClass == MapLayout.LARGE_CLASS) {
      return 0;
    }
    long itsClass = MapLayout.classAt(stripe, sizeClass);
    if ((next & 1) == 0) {
      to.write(itsClass + MapLayout.CLASS_HEAD, next);
    } else {
      to.write(itsClass + MapLayout.CLASS_BUMP, next >>> 1);
    }
    return MapLayout.chunkOf(slot, its);
  }

  /// @return the slot's chunk
  private long free(Memory memory, long stripe, WordStore to) {
    to.write(old, MapLayout.polarity(memory.readPlain(old))); // invalid
    long its = slots.place(old);
    long itsClass = MapLayout.classAt(stripe, MapLayout.classOf(its));
    to.write(slots.nextAt(old), slots.linked(old, 0));
    to.write(slots.previousAt(old), tail);
    if (tail == 0) {
      to.write(itsClass + MapLayout.CLASS_HEAD, old);
    } else {
      to.write(slots.nextAt(tail), slots.linked(tail, old));
    }
    to.write(itsClass + MapLayout.CLASS_TAIL, old);
    return MapLayout.chunkOf(old, its);
  }
}
