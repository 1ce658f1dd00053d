package io.holdfast.collections.map;

import io.holdfast.core.memory.Memory;

/// What an operation does to a stripe once its entry is stored: an index word, the slot that it
/// takes, the slot that it frees. Absolute values, so that a record of them can be applied again
/// (MAP-5).
///
/// Guarded by the stripe's lock.
final class Change {
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

  /// Notes it in the stripe; READY makes it count.
  void record(Memory memory, long stripe) {
    memory.writePlain(stripe + MapLayout.INTENT, entry);
    memory.writePlain(stripe + MapLayout.OLD, old);
    memory.writePlain(stripe + MapLayout.WORD, word);
    memory.writePlain(stripe + MapLayout.NEXT, next);
    memory.writePlain(stripe + MapLayout.TAIL, tail);
  }

  void read(Memory memory, long stripe) {
    entry = memory.readPlain(stripe + MapLayout.INTENT);
    old = memory.readPlain(stripe + MapLayout.OLD);
    word = memory.readPlain(stripe + MapLayout.WORD);
    next = memory.readPlain(stripe + MapLayout.NEXT);
    tail = memory.readPlain(stripe + MapLayout.TAIL);
  }

  /// Publishes the entry, or that there is none, and brings the free lists up to it.
  void apply(Memory memory, long stripe, WordStore to) {
    to.write(word, entry);
    if (entry != 0) {
      long taken = MapLayout.slotOf(entry);
      long lengths = memory.readPlain(taken + MapLayout.LENGTHS);
      long itsClass = MapLayout.classAt(stripe, SlotClass.ofLengths(lengths));
      if ((next & 1) == 0) {
        to.write(itsClass + MapLayout.CLASS_HEAD, next);
      } else {
        to.write(itsClass + MapLayout.CLASS_BUMP, next >>> 1);
      }
    }
    if (old != 0) {
      to.write(old, MapLayout.polarity(memory.readPlain(old))); // void
      free(memory, stripe, to);
    }
  }

  private void free(Memory memory, long stripe, WordStore to) {
    long lengths = memory.readPlain(old + MapLayout.LENGTHS);
    long itsClass = MapLayout.classAt(stripe, SlotClass.ofLengths(lengths));
    to.write(old + MapLayout.LINK, 0);
    to.write(tail == 0 ? itsClass + MapLayout.CLASS_HEAD : tail + MapLayout.LINK, old);
    to.write(itsClass + MapLayout.CLASS_TAIL, old);
  }
}
