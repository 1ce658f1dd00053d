package io.holdfast.collections.map;

import static io.holdfast.core.memory.RegionLayout.LINE_BYTES;

import io.holdfast.core.memory.Memory;
import java.lang.invoke.VarHandle;

/// Looks for keys in a stripe that others may be changing: what it finds counts if the stripe's
/// sequence says so (MAP-6). Follows nothing out of the region, whatever it reads.
///
/// Thread-safe.
final class StripeReader {
  private final Memory memory;
  private final Slots slots;

  /// The root's word that has the stripe's block.
  private final long anchor;

  StripeReader(Memory unordered, Slots slots, long anchor) {
    this.memory = unordered;
    this.slots = slots;
    this.anchor = anchor;
  }

  /// How many entries there are; less than none if somebody changed what was read.
  long count() {
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
  /// @return its value; `null` if there is none; torn if somebody changed what was read
  Encoded look(long hash, Encoded sought) {
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
        Encoded found = lookAt(MapLayout.slotOf(word), sought);
        VarHandle.acquireFence();
        // MAP-6. Test: MapReadersTest.map6ASlotThatIsAnotherKeysBeforeItIsLookedAt.
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
  private Encoded lookAt(long slot, Encoded sought) {
    if (!isInside(slot, LINE_BYTES)) {
      return Encoded.TORN;
    }
    long meta = memory.readAcquire(slot);
    if (MapLayout.version(meta) == 0) {
      return Encoded.TORN;
    }
    Encoded value = slots.hasKey(slot, sought) ? slots.value(slot) : null;
    Encoded found = value == null ? Encoded.TORN : value;
    VarHandle.acquireFence();
    // MAP-6. Test: MapReadersTest.map6ASlotThatIsReusedUnderIt.
    return memory.readPlain(slot) == meta ? found : Encoded.TORN;
  }

  /// Whether what a reader found can be followed, though the block may have been freed.
  private boolean isInside(long offset, long bytes) {
    return offset > 0 && offset % Long.BYTES == 0 && offset + bytes <= memory.length();
  }
}
