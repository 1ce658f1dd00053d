package io.holdfast.core.log;

import io.holdfast.core.memory.Memory;
import io.holdfast.core.memory.RegionLayout;

/// A format whose entries are in one piece, after a header: validity (bit 0), length in words (bits
/// 1 to 32), lap (bits 33 to 63).
///
/// An entry that would go beyond the ring's end begins the next lap. A header without a payload
/// says so, and is made durable in the entry's round trip.
abstract class HeadedFormat extends LogFormat {
  protected static final int WORD = RegionLayout.WORD_BYTES;
  protected static final int LINE = RegionLayout.LINE_BYTES;
  protected static final long WORDS_MASK = 0xffff_ffffL;

  private static final long SKIP = WORDS_MASK;
  private static final long LAP_MASK = 0x7fff_ffffL;

  /// Bit 0 of a header.
  protected abstract long validity(long lap);

  /// Bytes of an entry.
  protected abstract long span(long position, long words);

  @Override
  public final int wordsMax() {
    return Integer.MAX_VALUE - 8;
  }

  protected final long header(long lap, long words) {
    return (lap & LAP_MASK) << 33 | words << 1 | validity(lap);
  }

  protected final boolean isHeader(long word, long lap) {
    return (word & 1) == validity(lap) && word >>> 33 == (lap & LAP_MASK);
  }

  protected static long wordsOf(long header) {
    return header >>> 1 & WORDS_MASK;
  }

  /// Where an entry goes that is appended at a position: there, or to the next lap.
  protected final long start(LogRing ring, long position, long words) {
    return ring.isWhole(position, span(position, words)) ? position : ring.nextLap(position);
  }

  /// Makes an entry durable, and that readers find it.
  ///
  /// @param position where it was appended
  /// @param start where it is
  protected final void persist(LogRing ring, long position, long start, long bytes) {
    if (start != position) {
      // Says nothing without its entry, and is made durable by that one's fence.
      ring.memory().writePlain(ring.at(position), header(ring.lap(position), SKIP));
      ring.memory().flush(ring.at(position), WORD);
    }
    ring.persist(ring.at(start), bytes);
  }

  /// Where the entry begins that was appended at a position.
  ///
  /// @return {@link #NONE} if there is none
  protected final long find(LogRing ring, long position) {
    Memory memory = ring.memory();
    long start = position;
    long header = memory.readPlain(ring.at(start));
    if (isHeader(header, ring.lap(start)) && wordsOf(header) == SKIP) {
      start = ring.nextLap(position);
      header = memory.readPlain(ring.at(start));
    }
    if (!isHeader(header, ring.lap(start))) {
      return NONE;
    }
    checkLength(ring, start, span(start, wordsOf(header)) / WORD);
    return start;
  }
}
