package io.holdfast.collections.map;

import static io.holdfast.core.memory.RegionLayout.WORD_BYTES;

import io.holdfast.core.memory.Memory;
import io.holdfast.core.section.SectionHooks;
import java.lang.invoke.VarHandle;

/// Looks for keys in a stripe that others may be changing: what it finds counts if the stripe's
/// sequence says so (MAP-6).
///
/// What it follows may be anything, in a block that was freed meanwhile or a damaged file. An
/// access outside of the region is an exception of the memory, caught here: a check for each would
/// be more than the accesses. Who can't be answered goes to the lock, behind which damage is told
/// of.
///
/// A get is meant to be short, so that the processor is at the next one while this one waits for
/// memory: two lines that depend on each other. So but for META there is no order among its loads
/// that the sequence does not see to.
///
/// Thread-safe.
final class StripeReader {
  /// How often it tries without the lock.
  private static final int ATTEMPTS = 3;

  private static final long TWO_WORDS = MapLayout.lengths(WORD_BYTES, WORD_BYTES);

  private final Memory memory;
  private final Slots slots;
  private final StripeState state;
  private final StripeSequence sequence;

  /// Stands for the stripe in dependencies.
  private final Object key;

  StripeReader(Memory unordered, Slots slots, StripeState state, Object key) {
    this.memory = unordered;
    this.slots = slots;
    this.state = state;
    this.sequence = state.sequence;
    this.key = key;
  }

  /// How many entries there are.
  ///
  /// @return less than none if they must be counted under the lock
  long count() {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      long before = sequence.before();
      if (!StripeSequence.isHeld(before)) {
        long count = lookAtCount();
        SectionHooks.observed(key); // MAP-4: behind the look
        if (count >= 0 && sequence.isStill(before)) {
          return count;
        }
      }
    }
    return -1;
  }

  private long lookAtCount() {
    long block = memory.readAcquire(state.anchor);
    if (block == 0) {
      return 0;
    }
    if (!slots.isInside(block)) {
      return -1;
    }
    long version = memory.readAcquire(block + MapLayout.STATE) >>> 1;
    return memory.readAcquire(MapLayout.countAt(block, version));
  }

  /// Looks for a key.
  ///
  /// @return its value; `null` if there is none; torn if it must be looked for under the lock
  Encoded get(long hash, Encoded sought) {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      long before = sequence.before();
      if (!StripeSequence.isHeld(before)) {
        Encoded found = lookSafely(hash, sought, before);
        // MAP-4: who has seen what a section did that is still open depends on it.
        // Test: MapSectionCrashTest.p2WhatIsSeenIsDependedOn.
        SectionHooks.observed(key);
        if (sequence.isStill(before) && (found == null || !found.isTorn())) { // MAP-9
          return found;
        }
      }
    }
    return Encoded.TORN;
  }

  private Encoded lookSafely(long hash, Encoded sought, long before) {
    try {
      return look(hash, sought, before);
    } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
      return Encoded.TORN; // outside of the region, or not the offset of a word
    }
  }

  private Encoded look(long hash, Encoded sought, long before) {
    long directory = state.directory();
    if (directory <= 0) {
      return directory == StripeState.NONE ? null : Encoded.TORN;
    }
    long segment = memory.readPlain(StripeIndex.directoryWord(directory, hash));
    long bucket = StripeIndex.bucket(segment, hash);
    for (int i = 0; i < MapLayout.BUCKET_WORDS; i++) {
      long at = StripeIndex.word(bucket, hash, i);
      long word = memory.readPlain(at);
      if (MapLayout.matches(word, hash)) {
        Encoded found = lookAt(MapLayout.slotOf(word), sought, before);
        VarHandle.acquireFence();
        // MAP-6. Test: MapThreadsTest.readersSeeWholeEntries.
        return memory.readPlain(at) == word ? found : Encoded.TORN;
      }
    }
    return null;
  }

  /// @return torn, too, if the slot is another key's: of keys in a bucket one pair in 4 million
  ///   looks alike, so as a rule it was freed and taken since the index was read
  private Encoded lookAt(long slot, Encoded sought, long before) {
    long meta = memory.readAcquire(slot);
    if (MapLayout.version(meta) == 0) {
      return Encoded.TORN;
    }
    Encoded found = value(slot, sought, before);
    VarHandle.acquireFence();
    // MAP-6. Test: MapReadersTest.map6ASlotThatIsReusedUnderIt.
    return memory.readPlain(slot) == meta ? found : Encoded.TORN;
  }

  private Encoded value(long slot, Encoded sought, long before) {
    long lengths = memory.readPlain(slot + MapLayout.LENGTHS);
    if (lengths == TWO_WORDS && sought.length() == WORD_BYTES) {
      return memory.readPlain(slot + MapLayout.PAYLOAD) == sought.word()
          ? Encoded.of(memory.readPlain(slot + MapLayout.PAYLOAD + WORD_BYTES))
          : Encoded.TORN;
    }
    if (!slots.hasKey(slot, sought)
        || !slots.isPlausible(slot, lengths)
        || Slots.isLarge(lengths) && !sequence.isStill(before)) { // or it is long for nothing
      return Encoded.TORN;
    }
    return slots.value(slot, lengths);
  }
}
