package io.holdfast.collections.map.slot;

import static io.holdfast.collections.map.slot.MapLayout.DENSE_NEXT;
import static io.holdfast.collections.map.slot.MapLayout.DENSE_PAYLOAD;
import static io.holdfast.collections.map.slot.MapLayout.DENSE_PLACE;
import static io.holdfast.collections.map.slot.MapLayout.WIDE_LENGTHS;
import static io.holdfast.collections.map.slot.MapLayout.WIDE_PAYLOAD;
import static io.holdfast.collections.map.slot.MapLayout.WIDE_PLACE;
import static io.holdfast.core.memory.RegionLayout.LINE_BYTES;
import static io.holdfast.core.memory.RegionLayout.WORD_BYTES;

import io.holdfast.core.memory.Memory;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// What a slot's first line has besides META: where the slot is, how long key and value are, and,
/// while it is free, the next free slot.
enum SlotForm {
  /// What new maps have. The link of a free slot lies where an entry has its key, and as a rule
  /// three bytes say the rest: a key of 16 bytes and a value of 100 take two lines.
  ///
  /// **MAP-14** An operation that takes a free slot overwrites the link to the next one. It stores
  /// that link first, in the stripe's NEXT, or in the batch's list; whoever drops the entry writes
  /// the link back, after the slot is invalid durably. INTENT is 0 as soon as the operation has
  /// ended. Test: MapCrashTest.map14TheLinkOfATakenSlot.
  DENSE(
      DENSE_PAYLOAD,
      DENSE_PLACE - DENSE_PAYLOAD,
      DENSE_NEXT + WORD_BYTES,
      LINE_BYTES,
      MapLayout.KEPT_MAX) {
    @Override
    int room(long payload) {
      return payload <= MapLayout.DENSE_SHORT_MAX ? MapLayout.DENSE_SHORT_ROOM : leastRoom;
    }

    @Override
    long place(Memory memory, long slot) {
      return MapLayout.densePlace(memory.readPlain(slot + DENSE_PLACE));
    }

    @Override
    long lengths(Memory memory, long slot) {
      long word = memory.readPlain(slot + DENSE_PLACE);
      return MapLayout.isDenseLarge(word)
          ? memory.readPlain(slot - LINE_BYTES + MapLayout.LARGE_LENGTHS)
          : MapLayout.denseLengths(word);
    }

    @Override
    void take(Memory memory, long slot, long place, long lengths) {
      memory.writePlain(slot + DENSE_PLACE, MapLayout.dense(place, lengths));
    }

    @Override
    void setTaken(byte[] image, long place, long lengths) {
      long before = (long) WORDS.get(image, DENSE_PLACE);
      WORDS.set(image, DENSE_PLACE, MapLayout.dense(before, place, lengths));
    }

    @Override
    long place(byte[] image) {
      return MapLayout.densePlace((long) WORDS.get(image, DENSE_PLACE));
    }

    @Override
    void setFree(Memory memory, long slot, long place) {
      // After META, or an entry that is about to go would have no length. Test:
      // MapCrashTest.aProcessThatDiesInARebuild.
      memory.writeRelease(slot + DENSE_PLACE, MapLayout.denseFree(place));
    }

    @Override
    long nextAt(long slot) {
      return slot + DENSE_NEXT;
    }

    @Override
    long next(Memory memory, long slot) {
      return memory.readPlain(slot + DENSE_NEXT);
    }

    @Override
    long linked(Memory memory, long slot, long next) {
      return next;
    }

    @Override
    void giveBack(Memory memory, long slot, long next) {
      memory.writePlain(slot + DENSE_NEXT, next);
    }

    @Override
    int listWords() {
      return 2;
    }

    @Override
    void list(Memory memory, long at, long slot, long next) {
      memory.writePlain(at, slot);
      memory.writePlain(at + WORD_BYTES, next);
    }

    @Override
    long listedNext(Memory memory, long at, long slot) {
      return memory.readPlain(at + WORD_BYTES);
    }
  },

  /// Of maps that were made before: a word has the lengths, and one where the slot is and the next
  /// free slot, which a slot keeps when it is taken.
  WIDE(WIDE_PAYLOAD, LINE_BYTES - WIDE_PAYLOAD, WIDE_PAYLOAD, WIDE_PAYLOAD, 0) {
    @Override
    int room(long payload) {
      return leastRoom;
    }

    @Override
    long place(Memory memory, long slot) {
      return MapLayout.placeOnly(memory.readPlain(slot + WIDE_PLACE));
    }

    @Override
    long lengths(Memory memory, long slot) {
      return memory.readPlain(slot + WIDE_LENGTHS);
    }

    @Override
    void take(Memory memory, long slot, long place, long lengths) {
      memory.writePlain(slot + WIDE_LENGTHS, lengths);
      memory.writePlain(slot + WIDE_PLACE, MapLayout.wide(place, next(memory, slot)));
    }

    @Override
    void setTaken(byte[] image, long place, long lengths) {
      WORDS.set(image, WIDE_LENGTHS, lengths);
      WORDS.set(image, WIDE_PLACE, place);
    }

    @Override
    long place(byte[] image) {
      return (long) WORDS.get(image, WIDE_PLACE);
    }

    @Override
    void setFree(Memory memory, long slot, long place) {
      memory.writePlain(slot + WIDE_PLACE, place);
    }

    @Override
    long nextAt(long slot) {
      return slot + WIDE_PLACE;
    }

    @Override
    long next(Memory memory, long slot) {
      return MapLayout.wideNext(memory.readPlain(slot + WIDE_PLACE));
    }

    @Override
    long linked(Memory memory, long slot, long next) {
      return MapLayout.wide(place(memory, slot), next);
    }

    @Override
    void giveBack(Memory memory, long slot, long next) {
      // It has its link; and earlier versions stored no NEXT before they took a slot.
    }

    @Override
    int listWords() {
      return 1;
    }

    @Override
    void list(Memory memory, long at, long slot, long next) {
      memory.writePlain(at, slot);
    }

    @Override
    long listedNext(Memory memory, long at, long slot) {
      return next(memory, slot);
    }
  };

  private static final VarHandle WORDS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /// Where key and value begin in a slot.
  final int payload;

  /// How many bytes of them are in the first line, whatever their length.
  final int leastRoom;

  /// Where a free slot has the one before it.
  final int previous;

  /// Where key and value begin in the slot of a large block.
  final int largePayload;

  /// How many bytes a stripe has room for that an update overwrites.
  final int kept;

  SlotForm(int payload, int leastRoom, int previous, int largePayload, int kept) {
    this.payload = payload;
    this.leastRoom = leastRoom;
    this.previous = previous;
    this.largePayload = largePayload;
    this.kept = kept;
  }

  /// Bytes of a stripe.
  int stripeBytes() {
    return kept == 0 ? MapLayout.STRIPE_BYTES : MapLayout.KEPT_BYTES + kept;
  }

  /// Bytes of key and value in the first line.
  ///
  /// @param payload bytes of both
  abstract int room(long payload);

  /// The PLACE of a slot.
  abstract long place(Memory memory, long slot);

  /// The lengths of an entry, whatever is there.
  abstract long lengths(Memory memory, long slot);

  /// Stores PLACE and the lengths in a slot that is taken, before key and value.
  abstract void take(Memory memory, long slot, long place, long lengths);

  /// The same in an image.
  abstract void setTaken(byte[] image, long place, long lengths);

  /// The PLACE of a slot in an image.
  abstract long place(byte[] image);

  /// Stores PLACE in a slot that is put into a free list and may never have had an entry: after it
  /// is invalid.
  abstract void setFree(Memory memory, long slot, long place);

  /// Where the word is that has the next free slot.
  abstract long nextAt(long slot);

  /// The next free slot, 0 if there is none.
  abstract long next(Memory memory, long slot);

  /// What that word is to be.
  abstract long linked(Memory memory, long slot, long next);

  /// Links a free slot again that was taken for an entry that is dropped (MAP-14).
  abstract void giveBack(Memory memory, long slot, long next);

  /// How many words a slot takes in the list of a batch: itself, and the next free one.
  abstract int listWords();

  /// Stores them.
  abstract void list(Memory memory, long at, long slot, long next);

  /// The next free slot, of one that a batch has taken and not published.
  ///
  /// @param at where it is in the list of the batch
  abstract long listedNext(Memory memory, long at, long slot);
}
