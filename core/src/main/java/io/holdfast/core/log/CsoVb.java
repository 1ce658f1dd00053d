package io.holdfast.core.log;

import io.holdfast.core.memory.Memory;
import io.holdfast.core.memory.RegionLayout;

/// The validity bit: a word in each line of an entry is stored after the line's payload, and says
/// that the line is whole (CSO paper, 3.1.1 and Figure 1).
///
/// | shape | payload | meta words |
/// |---|---|---|
/// | {@link #HALF_LINE} | words 0 to 2 | word 3 |
/// | {@link #LINE} | words 0 to 6 | word 7 |
/// | {@link #TWO_LINES} | words 1 to 14 | words 0 and 15: first of one line, last of the other |
///
/// A meta word holds the validity bit (bit 0), the payload's length in words (bits 1 to 7) and the
/// lap (from bit 8). The bit's meaning flips with every lap, so that the ring is never cleared; the
/// lap is there so that what is older is not taken for new whatever its bit says.
///
/// The order of stores, **VB-1**: the payload, plain; every meta word, with release; a flush of all
/// lines and a fence. Stores to a line persist in order (MEDIA-2), so a line with a valid meta word
/// is whole.
public class CsoVb extends LogFormat {
  /// Up to three words in half a line.
  public static final CsoVb HALF_LINE = new HalfLine();

  /// Up to seven words in a line.
  public static final CsoVb LINE = new CsoVb(2, 8, 0, 7);

  /// Up to two lines less two words.
  public static final CsoVb TWO_LINES = new CsoVb(3, 16, 1, 0, 15);

  private static final int WORD = RegionLayout.WORD_BYTES;
  private static final int LAP_SHIFT = 8;
  private static final long WORDS_MASK = 0x7f;

  private final int number;
  private final int bytes;
  private final int payloadAt;
  private final int[] metas;

  private CsoVb(int number, int words, int payloadAt, int... metas) {
    this.number = number;
    this.bytes = words * WORD;
    this.payloadAt = payloadAt;
    this.metas = metas;
  }

  @Override
  public int number() {
    return number;
  }

  @Override
  public int wordsMax() {
    return bytes / WORD - metas.length;
  }

  @Override
  public long room(LogRing ring, long position, int words) {
    return bytes;
  }

  static long meta(long lap, int words) {
    return lap << LAP_SHIFT | (long) words << 1 | lap & 1;
  }

  /// Whether a meta word is one of a lap: its bit has the lap's polarity, and it names the lap.
  private static boolean isValid(long meta, long lap) {
    return (meta & 1) == (lap & 1) && meta >>> LAP_SHIFT == lap;
  }

  @Override
  public long append(LogRing ring, long position, long[] payload, int words) {
    Memory memory = ring.memory();
    long at = ring.at(position);
    for (int i = 0; i < words; i++) {
      memory.writePlain(at + (long) (payloadAt + i) * WORD, payload[i]);
    }
    long meta = meta(ring.lap(position), words);
    for (int index : metas) {
      // VB-1: orders the line's payload before its validity. As a plain store it could make a line
      // valid that is not whole. Test: AppendLogCrashContract.entriesAreWholeOrNotThere.
      memory.writeRelease(at + (long) index * WORD, meta);
    }
    ring.persist(at, bytes);
    return position + bytes;
  }

  @Override
  public long read(LogRing ring, long position, LogEntry into) {
    Memory memory = ring.memory();
    long at = ring.at(position);
    long lap = ring.lap(position);
    long meta = 0;
    for (int index : metas) {
      meta = memory.readPlain(at + (long) index * WORD);
      if (!isValid(meta, lap)) {
        return NONE;
      }
    }
    int words = (int) (meta >>> 1 & WORDS_MASK);
    if (words > wordsMax()) {
      checkLength(ring, position, -1);
    }
    into.become(words);
    into.copy(memory, at + (long) payloadAt * WORD);
    return position + bytes;
  }

  /// **VB-2** No line at the tail is valid before an entry is appended there: a valid line that an
  /// entry left which was cut off would make a whole one with the other line of the next.
  @Override
  protected void scrub(LogRing ring, long tail) {
    Memory memory = ring.memory();
    for (int index : metas) {
      long at = ring.at(tail) + (long) index * WORD;
      if (isValid(memory.readPlain(at), ring.lap(tail))) {
        memory.writePlain(at, 0);
      }
    }
    ring.persist(ring.at(tail), bytes);
  }

  @Override
  public String toString() {
    return "CSO-VB of %d bytes".formatted(bytes);
  }

  /// Three words and their meta word at once.
  private static final class HalfLine extends CsoVb {
    HalfLine() {
      super(1, 4, 0, 3);
    }

    @Override
    public long append(LogRing ring, long position, long w0, long w1, long w2) {
      Memory memory = ring.memory();
      long at = ring.at(position);
      memory.writeEntryRelease(at, w0, w1, w2, meta(ring.lap(position), 3)); // VB-1
      ring.persist(at, LogRing.GRAIN);
      return position + LogRing.GRAIN;
    }
  }
}
