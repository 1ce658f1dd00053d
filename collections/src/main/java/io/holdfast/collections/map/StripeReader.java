package io.holdfast.collections.map;

import static io.holdfast.core.memory.RegionLayout.WORD_BYTES;

import io.holdfast.codec.Encoded;
import io.holdfast.collections.map.index.SegmentIndex;
import io.holdfast.collections.map.index.StripeSeqlock;
import io.holdfast.collections.map.slot.MapLayout;
import io.holdfast.collections.map.slot.Slots;
import io.holdfast.collections.map.write.MapParts;
import io.holdfast.collections.map.write.StripeState;
import io.holdfast.collections.overlay.KeyedStore;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.section.hooks.SectionHooks;

/// Looks for keys in a stripe that others may be changing: what it finds counts if the stripe's
/// seqlock says so (MAP-6).
///
/// What it follows may be anything, in a block that was freed meanwhile or a damaged file. An
/// access outside of the region is an exception of the memory, caught here: a check for each would
/// be more than the accesses. A thread that can't be answered goes to the lock, under which damage
/// is reported.
///
/// A get is meant to be short, so that the processor is at the next one while this one waits for
/// memory. So there is no order among its loads that the seqlock does not see to, and none of its
/// branches is hard to foretell: where in a line an entry is, is found by masks.
///
/// Thread-safe.
abstract class StripeReader {
  /// Stands for a value that can be told under the stripe's lock alone.
  static final Encoded LOCK_NEEDED = Encoded.of(new byte[0]);

  /// How often it tries without the lock.
  private static final int ATTEMPTS = 3;

  final Memory memory;
  final Slots slots;
  final StripeSeqlock seqlock;
  private final StripeState state;

  /// Stands for the stripe in dependencies.
  private final Object key;

  StripeReader(MapParts parts, StripeState state, Object key) {
    this.memory = parts.unordered();
    this.slots = parts.slots();
    this.state = state;
    this.seqlock = state.seqlock;
    this.key = key;
  }

  /// How many entries there are.
  ///
  /// @return less than none if they must be counted under the lock
  long count() {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      long before = seqlock.before();
      if (!StripeSeqlock.isHeld(before)) {
        long count = lookAtCount();
        SectionHooks.observed(key); // MAP-4: after the look
        if (count >= 0 && seqlock.isStill(before)) {
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
  /// @return its value; `null` if there is none; see {@link #needsLock} if it must be looked for
  ///   under the lock
  Encoded get(long hash, Encoded sought) {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      long before = seqlock.before();
      if (!StripeSeqlock.isHeld(before)) {
        Encoded found = lookSafely(hash, sought, before);
        if (counts(before) && !needsLock(found)) {
          return found;
        }
      }
      Thread.onSpinWait();
    }
    return LOCK_NEEDED;
  }

  /// The same for a key of one word.
  Encoded get(long hash, long sought) {
    long before = seqlock.before();
    if (!StripeSeqlock.isHeld(before)) {
      Encoded found = lookSafely(hash, sought, before);
      if (counts(before) && !needsLock(found)) {
        return found;
      }
    }
    return get(hash, Encoded.of(sought));
  }

  /// The value of a key of one word, if that is a word too.
  ///
  /// @return as {@link EntryMap#word}
  long word(long hash, long sought) {
    long before = seqlock.before();
    if (StripeSeqlock.isHeld(before)) {
      return EntryMap.UNKNOWN;
    }
    long found;
    try {
      long at = wordAt(hash, sought);
      if (at == 0) {
        found = EntryMap.NONE;
      } else {
        found = at > 0 ? memory.readPlain(at) : EntryMap.UNKNOWN;
        if (found == EntryMap.NONE) {
          found = EntryMap.UNKNOWN; // it is in the map, and looks like none
        }
      }
    } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
      return EntryMap.UNKNOWN; // as below
    }
    return counts(before) ? found : EntryMap.UNKNOWN;
  }

  /// Looks once for a key, and says of which number what it finds stands.
  Encoded look(long hash, Encoded sought, KeyedStore.Look look) {
    long before = seqlock.before();
    if (StripeSeqlock.isHeld(before)) {
      return LOCK_NEEDED;
    }
    look.number = before;
    Encoded found =
        sought.length() == WORD_BYTES
            ? lookSafely(hash, sought.word(), before)
            : lookSafely(hash, sought, before);
    return counts(before) ? found : LOCK_NEEDED;
  }

  /// Whether {@link #get} says that the key must be looked for under the lock.
  @SuppressWarnings("ReferenceEquality") // an empty value is another object
  static boolean needsLock(Encoded found) {
    return found == LOCK_NEEDED;
  }

  /// Whether what was read is what was there.
  private boolean counts(long before) {
    // MAP-4: a thread that has seen what a section did that is still open depends on it.
    // Test: MapSectionCrashTest.p2WhatIsSeenIsDependedOn.
    SectionHooks.observed(key);
    return seqlock.isStill(before); // MAP-6, MAP-9
  }

  private Encoded lookSafely(long hash, Encoded sought, long before) {
    try {
      return find(hash, sought, before);
    } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
      return LOCK_NEEDED; // outside of the region, or not the offset of a word
    }
  }

  private Encoded lookSafely(long hash, long sought, long before) {
    try {
      return find(hash, sought, before);
    } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
      return LOCK_NEEDED; // as above
    }
  }

  /// Looks for a key, whatever is there.
  ///
  /// @param before the seqlock's number
  /// @return its value; `null` if there is none; LOCK_NEEDED
  abstract Encoded find(long hash, Encoded sought, long before);

  /// The same for a key of one word.
  abstract Encoded find(long hash, long sought, long before);

  /// The segment that a hash belongs to; 0 if there is none, less if that can't be told.
  final long segment(long hash) {
    long directory = seqlock.directory();
    return directory > 0
        ? memory.readPlain(SegmentIndex.directoryWord(directory, hash))
        : directory == StripeSeqlock.NONE ? 0 : -1;
  }

  /// Where the value of a key of one word is, if that is a word too.
  ///
  /// @return 0 if there is none, less if that can't be told, or it is no word
  abstract long wordAt(long hash, long sought);

  static Encoded nothing(long found) {
    return found == 0 ? null : LOCK_NEEDED;
  }
}
