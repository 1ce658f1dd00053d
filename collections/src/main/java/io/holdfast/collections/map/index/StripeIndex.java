package io.holdfast.collections.map.index;

import static io.holdfast.core.memory.RegionLayout.WORD_BYTES;

import io.holdfast.codec.Encoded;
import io.holdfast.codec.EncodedEntry;
import io.holdfast.collections.map.slot.MapLayout;
import io.holdfast.collections.map.slot.Slots;
import io.holdfast.core.RegionDamagedException;
import io.holdfast.core.heap.Heap;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.section.Section;
import java.util.List;
import java.util.Map;

/// The index of a stripe: extendible hashing (Fagin et al., 1979) with segments of 31 buckets of 16
/// words.
///
/// A bucket's number comes from bits of the hash that the directory does not go by, and the
/// directory's bits are in the index words. So a segment is split without looking at a slot, and
/// words change in place only: a reader sees each of them before or after.
///
/// The structure is changed in sections, under the stripe's lock, while its seqlock is odd.
public final class StripeIndex {
  private final Memory memory;
  private final Memory unordered;
  private final Heap heap;
  private final Slots slots;

  public StripeIndex(Memory memory, Heap heap, Slots slots) {
    this.memory = memory;
    this.unordered = memory.unordered();
    this.heap = heap;
    this.slots = slots;
  }

  /// Where the directory's word for a hash is.
  public static long directoryWord(long directory, long hash) {
    int depth = (int) (directory & 0xff);
    long number = depth == 0 ? 0 : hash >>> Long.SIZE - depth;
    return (directory >>> 8) + number * WORD_BYTES;
  }

  /// Under the lock.
  private long segment(long stripe, long hash) {
    long directory = unordered.readPlain(stripe + MapLayout.DIRECTORY);
    return checkSegment(unordered.readPlain(directoryWord(directory, hash)));
  }

  /// That a segment is a block is not checked where it is followed, for that would read its first
  /// line too.
  private long checkSegment(long segment) {
    if (segment <= 0
        || segment % WORD_BYTES != 0
        || segment > memory.length() - MapLayout.SEGMENT_BYTES) {
      throw damaged("a segment of the index outside of the region", segment);
    }
    return segment;
  }

  /// @throws RegionDamagedException if a stripe's directory can't be one
  public void checkDirectory(long stripe) {
    long directory = memory.readPlain(stripe + MapLayout.DIRECTORY);
    if ((directory & 0xff) > MapLayout.DEPTH_MAX) {
      throw damaged("a directory of depth " + (directory & 0xff), stripe);
    }
    heap.checkBlock(directory >>> 8, (long) WORD_BYTES << (directory & 0xff), "a map's directory");
  }

  private RegionDamagedException damaged(String what, long offset) {
    return new RegionDamagedException(
        "%s: the region is damaged: a map: %s, offset=0x%X. Restore it from a backup"
            .formatted(memory.name(), what, offset));
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

  /// Makes the index of a new stripe: a directory of one segment.
  ///
  /// @return the directory's word
  public static long create(Section section, Memory memory, Heap heap) {
    long segment = heap.allocate(MapLayout.SEGMENT_BYTES);
    long directory;
    try {
      directory = heap.allocate(WORD_BYTES);
    } catch (RuntimeException | Error e) {
      if (!section.isUndone()) {
        heap.free(segment);
      }
      throw e;
    }
    memory.zeroPlain(segment, MapLayout.SEGMENT_BYTES);
    memory.writePlain(directory, segment);
    return directory << 8;
  }

  /// Splits the segment that a hash belongs to, in a section.
  ///
  /// @throws io.holdfast.core.RegionFullException if there is no room; the index is as before
  public void split(Section section, long stripe, long hash) {
    long directory = memory.readPlain(stripe + MapLayout.DIRECTORY);
    int global = (int) (directory & 0xff);
    long segment = segment(stripe, hash);
    int depth = depth(segment, global);
    if (depth == MapLayout.DEPTH_MAX) {
      throw new IllegalStateException(
          "%s: a map's index can't be split further: depth=%d, stripe at 0x%X"
              .formatted(memory.name(), depth, stripe));
    }
    section.reserve(8);
    long low = heap.allocate(MapLayout.SEGMENT_BYTES);
    long high = 0;
    long doubled = 0;
    try {
      high = heap.allocate(MapLayout.SEGMENT_BYTES);
      doubled = depth == global ? heap.allocate((long) WORD_BYTES << global + 1) : 0;
    } catch (RuntimeException | Error e) {
      if (!section.isUndone()) {
        heap.free(low);
        if (high != 0) {
          heap.free(high);
        }
      }
      throw e;
    }
    distribute(segment, depth, low, high);
    if (doubled != 0) {
      copyDoubled(directory >>> 8, global, doubled, segment, low, high);
      section.write(stripe + MapLayout.DIRECTORY, doubled << 8 | global + 1);
      heap.free(directory >>> 8);
    } else {
      long half = 1L << global - depth - 1;
      long first = directoryWord(directory, hash >>> Long.SIZE - depth << Long.SIZE - depth);
      if (depth == 0) {
        first = directory >>> 8;
      }
      section.fill(first, half, low);
      section.fill(first + half * WORD_BYTES, half, high);
    }
    heap.free(segment);
  }

  /// A segment's depth.
  ///
  /// @param global the directory's
  public int depth(long segment, int global) {
    heap.checkBlock(segment, MapLayout.SEGMENT_BYTES, "a map's segment");
    long depth = memory.readPlain(segment + MapLayout.SEGMENT_DEPTH);
    if (depth < 0 || depth > global) {
      throw damaged(
          "a segment of depth %d, directory's depth=%d".formatted(depth, global), segment);
    }
    return (int) depth;
  }

  /// Each word goes to the same bucket of one of two segments, by the next bit of its hash.
  private void distribute(long segment, int depth, long low, long high) {
    memory.writePlain(low + MapLayout.SEGMENT_DEPTH, depth + 1L);
    memory.writePlain(high + MapLayout.SEGMENT_DEPTH, depth + 1L);
    for (int at = 64; at < MapLayout.SEGMENT_BYTES; at += WORD_BYTES) {
      long word = unordered.readPlain(segment + at);
      boolean goesHigh = (word >>> Long.SIZE - 1 - depth & 1) != 0;
      memory.writePlain(low + at, goesHigh ? 0 : word);
      memory.writePlain(high + at, goesHigh ? word : 0);
    }
  }

  private void copyDoubled(
      long directory, int depth, long doubled, long segment, long low, long high) {
    for (long i = 0; i < 1L << depth; i++) {
      long old = memory.readPlain(directory + i * WORD_BYTES);
      memory.writePlain(doubled + 2 * i * WORD_BYTES, old == segment ? low : old);
      memory.writePlain(doubled + (2 * i + 1) * WORD_BYTES, old == segment ? high : old);
    }
  }

  /// The entries of the segment that a hash belongs to.
  ///
  /// @param bytesMax after so many bytes of values the others are `null`
  /// @return the smallest hash of the next segment, 0 if there is none
  public long walk(long stripe, long hash, List<EncodedEntry> into, long bytesMax) {
    checkDirectory(stripe);
    long left = bytesMax;
    long segment = segment(stripe, hash);
    int depth = depth(segment, (int) memory.readPlain(stripe + MapLayout.DIRECTORY) & 0xff);
    for (int at = 64; at < MapLayout.SEGMENT_BYTES; at += WORD_BYTES) {
      long word = unordered.readPlain(segment + at);
      if (word != 0) {
        long slot = MapLayout.slotOf(word);
        Encoded value = left > 0 ? slots.value(slot) : null;
        into.add(new EncodedEntry(slots.key(slot), value));
        left -= value == null ? 0 : value.length();
      }
    }
    return depth == 0 ? 0 : (hash >>> Long.SIZE - depth) + 1 << Long.SIZE - depth;
  }

  /// Calls a visitor with each segment once, in the order of the hashes that belong to it.
  public void forEachSegment(long stripe, SegmentVisitor visitor) {
    checkDirectory(stripe);
    long directory = memory.readPlain(stripe + MapLayout.DIRECTORY);
    int global = (int) directory & 0xff;
    long words = 1L << global;
    for (long i = 0; i < words; ) {
      long segment = memory.readPlain((directory >>> 8) + i * WORD_BYTES);
      int depth = depth(segment, global);
      visitor.visit(i, segment, depth);
      i += words >>> depth;
    }
  }

  /// Receives what {@link #forEachSegment} finds.
  public interface SegmentVisitor {
    /// @param first the number of the first directory word that names it
    void visit(long first, long segment, int depth);
  }
}
