package io.holdfast.collections.map.index;

import static io.holdfast.core.memory.RegionLayout.WORD_BYTES;

import io.holdfast.codec.Encoded;
import io.holdfast.codec.EncodedEntry;
import io.holdfast.collections.map.slot.MapLayout;
import io.holdfast.collections.map.slot.Slots;
import io.holdfast.core.heap.Heap;
import io.holdfast.core.memory.Memory;
import java.util.List;
import java.util.Map;

/// The index of a stripe whose entries are in slots: segments of 31 buckets of 16 words.
///
/// The directory's bits are in the index words. So a segment is split without looking at a slot,
/// and words change in place only: a reader sees each of them before or after.
public final class StripeIndex extends SegmentIndex {
  private final Slots slots;

  public StripeIndex(Memory memory, Heap heap, Slots slots) {
    super(memory, heap);
    this.slots = slots;
  }

  /// The bucket of a hash, of bits 8 to 31.
  public static long bucket(long segment, long hash) {
    long number = (hash >>> 8 & 0xffffff) * MapLayout.BUCKETS >>> 24;
    return segment + 64 + number * MapLayout.BUCKET_BYTES;
  }

  /// Where the i-th word to look at is, from a place on that depends on the hash.
  public static long word(long bucket, long hash, int i) {
    return bucket + ((hash >>> 32) + i & MapLayout.BUCKET_WORDS - 1) * WORD_BYTES;
  }

  /// The place of a key: of the index word that has it, or else of an empty one.
  ///
  /// @return 0 if its bucket is full
  public long place(long stripe, long hash, Encoded key) {
    long bucket = bucket(segment(stripe, hash), hash);
    long empty = 0;
    for (int i = 0; i < MapLayout.BUCKET_WORDS; i++) {
      long at = word(bucket, hash, i);
      long found = unordered.readPlain(at);
      if (MapLayout.matches(found, hash)
          && slots.hasKey(slots.checkInside(MapLayout.slotOf(found)), key)) {
        return at;
      }
      if (found == 0 && empty == 0) {
        empty = at;
      }
    }
    return empty;
  }

  /// Whether a bucket has an empty word for one more new key.
  ///
  /// @param news how many have been counted before, by bucket; counts this one
  public boolean hasRoom(long stripe, long hash, Map<Long, Integer> news) {
    long bucket = bucket(segment(stripe, hash), hash);
    int needed = news.merge(bucket, 1, Integer::sum);
    int empty = 0;
    for (int i = 0; i < MapLayout.BUCKET_WORDS; i++) {
      empty += unordered.readPlain(bucket + (long) i * WORD_BYTES) == 0 ? 1 : 0;
    }
    return empty >= needed;
  }

  /// Each word goes to the same bucket of one of two segments, by the next bit of its hash.
  @Override
  protected void distribute(long segment, int depth, long low, long high) {
    memory.writePlain(low + MapLayout.SEGMENT_DEPTH, depth + 1L);
    memory.writePlain(high + MapLayout.SEGMENT_DEPTH, depth + 1L);
    for (int at = 64; at < MapLayout.SEGMENT_BYTES; at += WORD_BYTES) {
      long word = unordered.readPlain(segment + at);
      boolean goesHigh = (word >>> Long.SIZE - 1 - depth & 1) != 0;
      memory.writePlain(low + at, goesHigh ? 0 : word);
      memory.writePlain(high + at, goesHigh ? word : 0);
    }
  }

  @Override
  protected void collect(long segment, List<EncodedEntry> into, long bytesMax) {
    long left = bytesMax;
    for (int at = 64; at < MapLayout.SEGMENT_BYTES; at += WORD_BYTES) {
      long word = unordered.readPlain(segment + at);
      if (word != 0) {
        long slot = MapLayout.slotOf(word);
        Encoded value = left > 0 ? slots.value(slot) : null;
        into.add(new EncodedEntry(slots.key(slot), value));
        left -= value == null ? 0 : value.length();
      }
    }
  }
}
