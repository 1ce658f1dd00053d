package io.holdfast.collections.map;

import static io.holdfast.core.memory.RegionLayout.WORD_BYTES;

import io.holdfast.codec.Encoded;
import io.holdfast.collections.map.index.StripeIndex;
import io.holdfast.collections.map.slot.MapLayout;
import io.holdfast.collections.map.write.MapParts;
import io.holdfast.collections.map.write.StripeState;

/// Looks for entries in slots: two lines that depend on each other, a bucket's and a slot's. Of
/// keys in a bucket one pair in 4 million looks alike; the second one is looked for under the lock.
final class SlotReader extends StripeReader {
  private static final long TWO_WORDS = MapLayout.lengths(WORD_BYTES, WORD_BYTES);

  SlotReader(MapParts parts, StripeState state, Object key) {
    super(parts, state, key);
  }

  @Override
  Encoded find(long hash, Encoded sought, long before) {
    long slot = slot(hash);
    if (slot <= 0) {
      return nothing(slot);
    }
    long lengths = slots.lengthsThere(slot);
    return slots.hasKey(slot, sought) ? value(slot, lengths, before) : LOCK_NEEDED;
  }

  @Override
  Encoded find(long hash, long sought, long before) {
    long slot = slot(hash);
    if (slot <= 0) {
      return nothing(slot);
    }
    long lengths = slots.lengthsThere(slot);
    if (MapLayout.keyLength(lengths) != WORD_BYTES
        || memory.readPlain(slots.payloadAt(slot)) != sought) {
      return LOCK_NEEDED;
    }
    return lengths == TWO_WORDS
        ? Encoded.of(memory.readPlain(slots.payloadAt(slot) + WORD_BYTES))
        : value(slot, lengths, before);
  }

  @Override
  long wordAt(long hash, long sought) {
    long slot = slot(hash);
    if (slot <= 0) {
      return slot;
    }
    boolean isFound =
        slots.lengthsThere(slot) == TWO_WORDS && memory.readPlain(slots.payloadAt(slot)) == sought;
    return isFound ? slots.payloadAt(slot) + WORD_BYTES : -1;
  }

  /// The slot that the index has for a hash.
  ///
  /// @return 0 if there is none, less if the index must be looked at under the lock
  private long slot(long hash) {
    long segment = segment(hash);
    if (segment <= 0) {
      return segment;
    }
    long bucket = StripeIndex.bucket(segment, hash);
    long first = memory.readPlain(StripeIndex.word(bucket, hash, 0));
    long second = memory.readPlain(StripeIndex.word(bucket, hash, 1));
    long third = memory.readPlain(StripeIndex.word(bucket, hash, 2));
    long isFirst = MapLayout.matchMask(first, hash);
    long isSecond = MapLayout.matchMask(second, hash) & ~isFirst;
    long isThird = MapLayout.matchMask(third, hash) & ~(isFirst | isSecond);
    long found = first & isFirst | second & isSecond | third & isThird;
    if (found != 0) {
      return MapLayout.slotOf(found);
    }
    // From the first one again: an empty word can look like it, and hide one behind it.
    // Test: MapReadersTest.aKeyIsFoundBehindAnEmptyWord.
    for (int i = 0; i < MapLayout.BUCKET_WORDS; i++) {
      long word = memory.readPlain(StripeIndex.word(bucket, hash, i));
      if (MapLayout.matches(word, hash)) {
        return MapLayout.slotOf(word);
      }
    }
    return 0;
  }

  private Encoded value(long slot, long lengths, long before) {
    if (!slots.isPlausible(slot, lengths)
        || slots.isLarge(lengths) && !seqlock.isStill(before)) { // or it is long for nothing
      return LOCK_NEEDED;
    }
    return slots.value(slot, lengths);
  }
}
