package io.holdfast.core.log;

import io.holdfast.core.memory.Memory;
import io.holdfast.core.memory.RegionLayout;

/// The validity bit in a bit that the payload leaves free, for entries of any number of whole lines
/// (CSO paper, 3.1.1: "it may be possible to use unused bits in the payload as validity bits").
///
/// All eight words of each line are payload. One bit of them, the same in each line, is zero in
/// every payload: the low bit of an aligned offset, say. On media it is the validity bit, and has
/// the polarity of its lap: 1 in the first, 0 in the second.
///
/// The order of stores in a line, **VB-3**: seven words, plain; the word with the bit, with
/// release. Then a flush of all lines and a fence.
public final class CsoVbFreeBit extends LogFormat {
  private static final int WORD = RegionLayout.WORD_BYTES;
  private static final int LINE = RegionLayout.LINE_BYTES;
  private static final int WORDS = LINE / WORD;

  private final int lines;
  private final int word;
  private final long bit;

  /// @param lines how many lines an entry has, at least 1
  /// @param word which word of a line has the free bit, 0 to 7
  /// @param bit which of its bits that is, 0 to 63
  public CsoVbFreeBit(int lines, int word, int bit) {
    if (lines < 1 || word < 0 || word >= WORDS || bit < 0 || bit >= Long.SIZE) {
      throw new IllegalArgumentException(
          "a free bit: lines=%d (at least 1), word=%d (0 to 7), bit=%d (0 to 63)"
              .formatted(lines, word, bit));
    }
    this.lines = lines;
    this.word = word;
    this.bit = 1L << bit;
  }

  @Override
  public int number() {
    return 4;
  }

  /// Which bit it is, so that a log is opened as what it is.
  @Override
  protected long ownWord() {
    return (long) lines << 32 | (long) word << 8 | Long.numberOfTrailingZeros(bit);
  }

  @Override
  protected boolean owns(long ownWord) {
    return ownWord == ownWord();
  }

  @Override
  public int wordsMax() {
    return lines * WORDS;
  }

  @Override
  public long room(LogRing ring, long position, int words) {
    return (long) lines * LINE;
  }

  private long polarity(LogRing ring, long position) {
    return (ring.lap(position) & 1) == 1 ? bit : 0;
  }

  /// @param words all of {@link #wordsMax}: such an entry has no place for a length
  /// @throws IllegalArgumentException if there are fewer, or one uses the free bit
  @Override
  public long append(LogRing ring, long position, long[] payload, int words) {
    check(payload, words);
    Memory memory = ring.memory();
    for (int line = 0; line < lines; line++) {
      long start = position + (long) line * LINE;
      long at = ring.at(start);
      for (int i = 0; i < WORDS; i++) {
        if (i != word) {
          memory.writePlain(at + (long) i * WORD, payload[line * WORDS + i]);
        }
      }
      // VB-3: as VB-1. Test: AppendLogCrashContract.entriesAreWholeOrNotThere.
      memory.writeRelease(
          at + (long) word * WORD, payload[line * WORDS + word] | polarity(ring, start));
    }
    persist(ring, position);
    return position + (long) lines * LINE;
  }

  private void check(long[] payload, int words) {
    if (words != wordsMax()) {
      throw new IllegalArgumentException(
          "%s: words=%d, needed=%d".formatted(this, words, wordsMax()));
    }
    for (int i = word; i < words; i += WORDS) {
      if ((payload[i] & bit) != 0) {
        throw new IllegalArgumentException(
            "%s: word %d is 0x%X and uses the free bit 0x%X".formatted(this, i, payload[i], bit));
      }
    }
  }

  private void persist(LogRing ring, long position) {
    Memory memory = ring.memory();
    memory.releaseFence();
    for (int line = 0; line < lines; line++) {
      memory.flush(ring.at(position + (long) line * LINE), LINE);
    }
    memory.fence();
  }

  @Override
  public long read(LogRing ring, long position, LogEntry into) {
    Memory memory = ring.memory();
    into.become(wordsMax());
    for (int line = 0; line < lines; line++) {
      long start = position + (long) line * LINE;
      long at = ring.at(start);
      long marked = memory.readPlain(at + (long) word * WORD);
      if ((marked & bit) != polarity(ring, start)) {
        return NONE;
      }
      for (int i = 0; i < WORDS; i++) {
        into.set(line * WORDS + i, memory.readPlain(at + (long) i * WORD));
      }
      into.set(line * WORDS + word, marked & ~bit);
    }
    return position + (long) lines * LINE;
  }

  /// A ring need not begin with an odd lap, in which zero is invalid.
  @Override
  protected void initialise(LogRing ring) {
    super.initialise(ring);
    long end = ring.head() + ring.capacity();
    for (long position = ring.head(); position < end; position += LINE) {
      ring.memory()
          .writePlain(ring.at(position) + (long) word * WORD, polarity(ring, position) ^ bit);
    }
  }

  /// VB-2: gives every line at the tail the other polarity.
  @Override
  protected void scrub(LogRing ring, long tail) {
    Memory memory = ring.memory();
    for (int line = 0; line < lines; line++) {
      long start = tail + (long) line * LINE;
      long at = ring.at(start) + (long) word * WORD;
      if (start < ring.head() + ring.capacity()) {
        memory.writePlain(at, memory.readPlain(at) & ~bit | polarity(ring, start) ^ bit);
      }
    }
    persist(ring, tail);
  }

  @Override
  public String toString() {
    return "CSO-VB of %d lines with the free bit 0x%X of word %d".formatted(lines, bit, word);
  }
}
