package io.holdfast.collections.map.write;

import io.holdfast.codec.Encoded;
import io.holdfast.collections.map.slot.MapLayout;
import io.holdfast.collections.map.slot.SlotClass;
import io.holdfast.collections.map.slot.Slots;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.section.Section;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/// Replaces values where they are: in a memory that keeps stores in their order whatever crashes.
///
/// **MAP-13** An update in place is there whole or not at all: a value that is a word of its slot
/// is one store (MEDIA-1), and so is any other where the memory stores bytes whole, as a log of
/// records does ({@link Memory#storesWhole}); else the stripe has what was there (MAP-15), or, in a
/// section that does more, or in a slot of more than two lines, the section's log. META, PLACE and
/// the validities stay what they are, so what a crash leaves is the entry as it was or as it is to
/// be. Readers are held back as for any change (MAP-6). So they are for a word: a transaction that
/// has read several entries asks the seqlock whether one of them has changed. Test:
/// MapCrashTest.map13InPlace.
final class InPlaceWriter implements UpdateWriter {
  private static final VarHandle WORDS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

  private static final int BEHIND_META = MapLayout.META + Long.BYTES;

  private final Memory memory;
  private final MapParts parts;
  private final Slots slots;
  private final StripeState state;

  InPlaceWriter(MapParts parts, StripeState state) {
    this.memory = parts.memory();
    this.parts = parts;
    this.slots = parts.slots();
    this.state = state;
  }

  @Override
  public Encoded put(Section section, long hash, Encoded key, Encoded value, boolean isAlone) {
    long stripe = state.block();
    long at = stripe == 0 ? 0 : parts.index().place(stripe, hash, key);
    long slot = at == 0 ? 0 : MapLayout.slotOf(memory.readPlain(at));
    if (slot == 0) {
      return StripeState.NOT_STORED;
    }
    long lengths = slots.lengths(slot);
    boolean isWord =
        lengths == MapLayout.lengths(key.length(), value.length())
            && slots.isWord(key.length(), value.length());
    long place = slots.place(slot);
    if (!isWord
        && (!hasRoom(place, (long) key.length() + value.length())
            || !hasRoom(place, Slots.payload(lengths)))) {
      return StripeState.NOT_STORED;
    }
    Encoded before = slots.value(slot, lengths);
    if (isWord) {
      storeWord(section, slots.payloadAt(slot) + key.length(), value.word(), isAlone);
    } else if (!isAlone || !storeKept(stripe, slot, place, key.length(), value)) {
      storeChanged(section, slot, place, key.length(), value, isAlone);
    }
    state.seqlock.updates++;
    return before;
  }

  private boolean hasRoom(long place, long payload) {
    int sizeClass = MapLayout.classOf(place);
    return sizeClass != MapLayout.LARGE_CLASS && sizeClass == slots.classHolding(payload);
  }

  private void storeWord(Section section, long at, long word, boolean isAlone) {
    if (isAlone) {
      state.seqlock.hold();
      memory.writeRelease(at, word);
    } else {
      state.hold(section);
      section.write(at, word);
    }
  }

  /// Stores a value while the stripe has what was there (MAP-15).
  ///
  /// @return whether it is stored; not if the memory can do without, or it is too much
  private boolean storeKept(long stripe, long slot, long place, int keyLength, Encoded value) {
    long first = slots.firstReplaced(slot, keyLength);
    int count = (int) (slot + SlotClass.bytes(MapLayout.classOf(place)) - first);
    if (!state.overwritten.hasRoom(count) || memory.storesWhole(first, count)) {
      return false;
    }
    state.seqlock.underWay = true;
    state.seqlock.hold();
    state.overwritten.keep(stripe, first, count);
    slots.replaceValue(slot, place, keyLength, value);
    state.overwritten.forget(stripe);
    state.seqlock.underWay = false;
    return true;
  }

  /// Stores the words from the first to the last that change. If none does, it stores the first one
  /// again: another thread may have put the same value, and its store not be durable yet.
  private void storeChanged(
      Section section, long slot, long place, int keyLength, Encoded value, boolean isAlone) {
    byte[] now = slots.image(slot, place);
    byte[] changed = now.clone();
    slots.replaceValue(changed, keyLength, value);
    int first = Math.max(Arrays.mismatch(now, changed), BEHIND_META) & -Long.BYTES;
    int end = changed.length;
    while (end > first + Long.BYTES && isSameWord(now, changed, end - Long.BYTES)) {
      end -= Long.BYTES;
    }
    if (isAlone && memory.storesWhole(slot + first, end - first)) {
      state.seqlock.hold();
      memory.writeBytesPlain(slot + first, changed, first, end - first);
    } else {
      state.hold(section);
      section.copy(slot + first, changed, first, end - first);
    }
  }

  private static boolean isSameWord(byte[] one, byte[] other, int at) {
    return (long) WORDS.get(one, at) == (long) WORDS.get(other, at);
  }
}
