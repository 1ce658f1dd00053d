package io.holdfast.collections.map;

import io.holdfast.core.memory.Memory;
import io.holdfast.core.section.SectionHooks;
import java.lang.invoke.VarHandle;

/// Looks for keys in a stripe that others may be changing: what it finds counts if the stripe's
/// sequence says so (MAP-6). Follows nothing out of the region, whatever it reads.
///
/// Thread-safe.
final class StripeReader {
  /// How often it tries without the lock.
  private static final int ATTEMPTS = 3;

  private final Memory memory;
  private final Slots slots;

  /// The root's word that has the stripe's block.
  private final long anchor;

  private final StripeSequence sequence;

  /// Stands for the stripe in dependencies.
  private final Object key;

  StripeReader(Memory unordered, Slots slots, StripeState state, Object key) {
    this.memory = unordered;
    this.slots = slots;
    this.anchor = state.anchor;
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
    long block = memory.readAcquire(anchor);
    if (block == 0) {
      return 0;
    }
    if (!isInside(block, MapLayout.STRIPE_BYTES)) {
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
        Encoded found = look(hash, sought, before);
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

  private Encoded look(long hash, Encoded sought, long before) {
    long block = memory.readAcquire(anchor);
    if (block == 0) {
      return null;
    }
    long segment = isInside(block, MapLayout.STRIPE_BYTES) ? segment(block, hash) : 0;
    if (!isInside(segment, MapLayout.SEGMENT_BYTES)) {
      return Encoded.TORN;
    }
    long bucket = StripeIndex.bucket(segment, hash);
    for (int i = 0; i < MapLayout.BUCKET_WORDS; i++) {
      long at = StripeIndex.word(bucket, hash, i);
      long word = memory.readAcquire(at);
      if (MapLayout.matches(word, hash)) {
        Encoded found = lookAt(MapLayout.slotOf(word), sought, before);
        VarHandle.acquireFence();
        // MAP-6. Test: MapThreadsTest.readersSeeWholeEntries.
        return memory.readPlain(at) == word ? found : Encoded.TORN;
      }
    }
    return null;
  }

  /// @return 0 if there is no directory
  private long segment(long block, long hash) {
    long directory = memory.readAcquire(block + MapLayout.DIRECTORY);
    long depth = directory & 0xff;
    boolean isDirectory =
        depth <= MapLayout.DEPTH_MAX && isInside(directory >>> 8, (long) Long.BYTES << depth);
    return isDirectory ? memory.readAcquire(StripeIndex.directoryWord(directory, hash)) : 0;
  }

  /// @return torn, too, if the slot is another key's: of keys in a bucket one pair in 4 million
  ///   looks alike, so as a rule it was freed and taken since the index was read
  private Encoded lookAt(long slot, Encoded sought, long before) {
    if (!slots.isInside(slot)) {
      return Encoded.TORN;
    }
    long meta = memory.readAcquire(slot);
    if (MapLayout.version(meta) == 0) {
      return Encoded.TORN;
    }
    Encoded found = slots.hasKey(slot, sought) ? value(slot, before) : Encoded.TORN;
    VarHandle.acquireFence();
    // MAP-6. Test: MapReadersTest.map6ASlotThatIsReusedUnderIt.
    return memory.readPlain(slot) == meta ? found : Encoded.TORN;
  }

  private Encoded value(long slot, long before) {
    long lengths = memory.readPlain(slot + MapLayout.LENGTHS);
    if (!slots.isPlausible(slot, lengths)
        || Slots.isLarge(lengths) && !sequence.isStill(before)) { // or it is long for nothing
      return Encoded.TORN;
    }
    return slots.value(slot, lengths);
  }

  /// Whether what a reader found can be followed, though the block may have been freed.
  private boolean isInside(long offset, long bytes) {
    return offset > 0 && offset % Long.BYTES == 0 && offset + bytes <= memory.length();
  }
}
