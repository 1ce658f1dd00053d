package io.holdfast.collections.map.index;

import static io.holdfast.core.memory.RegionLayout.WORD_BYTES;

import io.holdfast.codec.EncodedEntry;
import io.holdfast.collections.map.slot.MapLayout;
import io.holdfast.core.RegionDamagedException;
import io.holdfast.core.heap.Heap;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.section.Section;
import java.util.List;

/// A stripe's directory of segments: extendible hashing (Fagin et al., 1979). What is in a segment
/// says the class that extends this one; where in it is chosen by bits of the hash that the
/// directory does not go by.
///
/// The structure is changed in sections, under the stripe's lock, while its seqlock is odd.
public abstract class SegmentIndex {
  protected final Memory memory;
  protected final Memory unordered;
  private final Heap heap;

  protected SegmentIndex(Memory memory, Heap heap) {
    this.memory = memory;
    this.unordered = memory.unordered();
    this.heap = heap;
  }

  /// Where the directory's word for a hash is.
  public static long directoryWord(long directory, long hash) {
    int depth = (int) (directory & 0xff);
    long number = depth == 0 ? 0 : hash >>> Long.SIZE - depth;
    return (directory >>> 8) + number * WORD_BYTES;
  }

  /// Under the lock.
  protected final long segment(long stripe, long hash) {
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
          "%s: a map has as many entries as its index can have, some four billion: depth=%d, stripe at 0x%X. Nothing has changed; put further entries into another map"
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

  /// Fills two new segments, which go by one bit more of the hash, with what a segment has.
  ///
  /// @param depth the segment's
  protected abstract void distribute(long segment, int depth, long low, long high);

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
  public final long walk(long stripe, long hash, List<EncodedEntry> into, long bytesMax) {
    checkDirectory(stripe);
    long segment = segment(stripe, hash);
    int depth = depth(segment, (int) memory.readPlain(stripe + MapLayout.DIRECTORY) & 0xff);
    collect(segment, into, bytesMax);
    return depth == 0 ? 0 : (hash >>> Long.SIZE - depth) + 1 << Long.SIZE - depth;
  }

  /// The entries of a segment, as {@link #walk}.
  protected abstract void collect(long segment, List<EncodedEntry> into, long bytesMax);

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
