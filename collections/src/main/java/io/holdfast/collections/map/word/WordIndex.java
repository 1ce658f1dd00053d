package io.holdfast.collections.map.word;

import static io.holdfast.collections.map.word.WordLayout.DISPLACED;
import static io.holdfast.collections.map.word.WordLayout.LINES;
import static io.holdfast.collections.map.word.WordLayout.PAIR_BYTES;
import static io.holdfast.collections.map.word.WordLayout.ZERO;
import static io.holdfast.core.memory.RegionLayout.LINE_BYTES;
import static io.holdfast.core.memory.RegionLayout.WORD_BYTES;

import io.holdfast.codec.Encoded;
import io.holdfast.codec.EncodedEntry;
import io.holdfast.collections.map.index.SegmentIndex;
import io.holdfast.collections.map.slot.KeyedHash;
import io.holdfast.core.heap.Heap;
import io.holdfast.core.memory.Memory;
import java.util.List;

/// The segments of a stripe whose entries are in them.
public final class WordIndex extends SegmentIndex {
  private final KeyedHash hash;

  public WordIndex(Memory memory, Heap heap, KeyedHash hash) {
    super(memory, heap);
    this.hash = hash;
  }

  /// Where the pair of a key is, or one that is free for it.
  ///
  /// @return 0 if there is neither
  public long place(long stripe, long itsHash, long key) {
    long segment = segment(stripe, itsHash);
    if (key == 0) {
      return segment + ZERO;
    }
    int line = WordLayout.line(itsHash);
    long at = pairOf(segment, line, key);
    if (at == 0 && WordLayout.isDisplaced(unordered, segment, line)) {
      at = find(segment, line, key);
    }
    for (int i = 0; at == 0 && i < WordLayout.REACH; i++) {
      at = pairOf(segment, WordLayout.further(line, i), 0);
    }
    return at;
  }

  /// The pair of a key in the lines behind its own.
  private long find(long segment, int line, long key) {
    long at = 0;
    for (int i = 1; at == 0 && i < WordLayout.REACH; i++) {
      at = pairOf(segment, WordLayout.further(line, i), key);
    }
    return at;
  }

  /// The first pair of a line that has a key; 0 if none has.
  private long pairOf(long segment, int line, long key) {
    long first = WordLayout.lineAt(segment, line);
    for (long at = first; at < first + LINE_BYTES; at += PAIR_BYTES) {
      if (unordered.readPlain(at) == key) {
        return at;
      }
    }
    return 0;
  }

  /// What must be set in DISPLACED before an entry is in a pair.
  ///
  /// @return where that is; 0 if it is set, or the pair is in the key's line
  public long unmarked(long stripe, long itsHash, long key, long at) {
    long segment = segment(stripe, itsHash);
    int line = WordLayout.line(itsHash);
    return key == 0
            || WordLayout.lineOf(segment, at) == line
            || WordLayout.isDisplaced(unordered, segment, line)
        ? 0
        : segment + DISPLACED;
  }

  /// How many entries the stripe has, by looking at all of them.
  public long count(long stripe) {
    long[] count = new long[1];
    forEachSegment(
        stripe,
        (first, segment, depth) -> {
          for (long at = segment + ZERO; at < segment + end(); at = next(segment, at)) {
            count[0] += unordered.readPlain(at) == 0 ? 0 : 1;
          }
        });
    return count[0];
  }

  private static long end() {
    return LINE_BYTES + (long) LINES * LINE_BYTES;
  }

  /// The pair after one: after that of 0 the first of the first line.
  private static long next(long segment, long at) {
    return at == segment + ZERO ? segment + LINE_BYTES : at + PAIR_BYTES;
  }

  /// Receives what {@link #forEach} finds.
  public interface Visitor {
    /// @param at where its pair is
    void visit(long at, long key, long value);
  }

  /// Calls a visitor with each entry of a segment.
  public void forEach(long segment, Visitor visitor) {
    for (long at = segment + ZERO; at < segment + end(); at = next(segment, at)) {
      long word = unordered.readPlain(at);
      if (word != 0) {
        long key = at == segment + ZERO ? 0 : word;
        visitor.visit(at, key, unordered.readPlain(at + WORD_BYTES));
      }
    }
  }

  @Override
  protected void collect(long segment, List<EncodedEntry> into, long bytesMax) {
    forEach(
        segment,
        (at, key, value) -> into.add(new EncodedEntry(Encoded.of(key), Encoded.of(value))));
  }

  /// Each entry goes to the same place of one of two segments, and then to its own line, if it was
  /// in another one and there is room now. So there is a place for each.
  @Override
  protected void distribute(long segment, int depth, long low, long high) {
    for (long half : new long[] {low, high}) {
      memory.zeroPlain(half, end());
      memory.writePlain(half, depth + 1L);
    }
    forEach(
        segment,
        (at, key, value) -> {
          boolean goesHigh = (hash.hash(key) >>> Long.SIZE - 1 - depth & 1) != 0;
          put((goesHigh ? high : low) + at - segment, key, value);
        });
    bringHome(low);
    bringHome(high);
  }

  private void put(long at, long key, long value) {
    memory.writePlain(at, WordLayout.present(key));
    memory.writePlain(at + WORD_BYTES, value);
  }

  private void bringHome(long segment) {
    long[] displaced = new long[1];
    forEach(
        segment,
        (at, key, value) -> {
          int line = WordLayout.line(hash.hash(key));
          if (key == 0 || WordLayout.lineOf(segment, at) == line) {
            return;
          }
          long home = pairOf(segment, line, 0);
          if (home == 0) {
            displaced[0] |= 1L << line;
          } else {
            memory.writePlain(at, 0);
            put(home, key, value);
          }
        });
    memory.writePlain(segment + DISPLACED, displaced[0]);
  }
}
