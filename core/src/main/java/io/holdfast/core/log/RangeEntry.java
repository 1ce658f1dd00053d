package io.holdfast.core.log;

import static io.holdfast.core.memory.RegionLayout.LINE_BYTES;
import static io.holdfast.core.memory.RegionLayout.SPAN_BYTES;
import static io.holdfast.core.memory.RegionLayout.WORD_BYTES;

import io.holdfast.core.log.UndoEntry.Kind;
import io.holdfast.core.memory.Memory;

/// An undo entry for a range of words: one entry of an undo log, however many lines it spans, made
/// durable in one round trip. It is undone by storing the old words.
///
/// A row of *half lines* of 32 bytes: a header, which is an ordinary entry ({@link UndoEntry}),
/// then tables, then the payload, four words in each half line.
///
/// | header's word | content |
/// |---|---|
/// | 0 | target offset |
/// | 1 | bits 0 to 15: words of payload; bits 16 to 63: triples of the first 16 half lines |
/// | 2 | Lamport stamp |
/// | 3 | meta word |
///
/// | bit of word 3 of any half line behind the header | content |
/// |---|---|
/// | 63 | 1: no meta word (RANGE-1) |
/// | 62 | validity: not what it was before (RANGE-2) |
/// | 0 to 61 | of the word that belongs there |
///
/// A *triple* says of a half line: bits 62 and 63 of the word that belongs to the last place, and
/// the validity bit. What finds no place in the header is in the tables' words, 20 triples in each.
///
/// This is CSO-FVB (CSO paper, 3.1.3 and Listing 1): half lines tell by a bit each whether they are
/// whole, its value being in the entry's metadata. The paper looks for a bit that happens to
/// differ, and records its place. Here word 3 of a half line needs a bit of its own anyway, for
/// RANGE-1; with a second one, which is *made* to differ, there is nothing to look for, the
/// validity word is always the last one stored, and every half line is a call of {@link
/// Memory#writeEntryRelease}, which waits for nothing (ORDER-3).
///
/// - **RANGE-1** Wherever a scan may look for a meta word, in word 3 of a half line, there is a
///   meta word, zero, or a word whose bit 63 is set; and a meta word never has that bit. So payload
///   of any content, of this pass or an older one, is never taken for an entry.
/// - **RANGE-2** Word 3 of a half line is stored last in it, with release, and its validity bit is
///   the opposite of what was there. What was there is durable: it is of an older pass (LOG-1), or
///   a chunk's zeros (LOG-3), or was flushed by the recovery that read it (LOG-4). So whatever part
///   of the entry a crash leaves, a half line that has the bit of its triple is whole.
/// - **RANGE-3** Half lines are stored from the last to the first, the header after all: a triple
///   is known before the half line is stored that holds it. They are read from the first to the
///   last, so that no triple is believed before its own half line is.
/// - **RANGE-4** Nothing of the range is stored before the whole entry is durable: a fence is
///   between, the only one.
final class RangeEntry {
  private static final int BYTES = UndoEntry.BYTES;
  private static final int WORDS = BYTES / WORD_BYTES;

  private static final long PAYLOAD = 1L << 63, VALID = 1L << 62, OWN = PAYLOAD | VALID;
  private static final int OWN_SHIFT = 62;

  private static final int LENGTH_BITS = 16;
  private static final long LENGTH_MASK = (1L << LENGTH_BITS) - 1;

  private static final int TRIPLE_BITS = 3;
  private static final int TRIPLE_MASK = (1 << TRIPLE_BITS) - 1;

  /// Triples in the header: 48 bits.
  private static final int IN_HEADER = (Long.SIZE - LENGTH_BITS) / TRIPLE_BITS;

  /// Triples in a table's word: 60 bits, so that its bits 62 and 63 are 0.
  private static final int IN_WORD = OWN_SHIFT / TRIPLE_BITS;

  /// Triples in a half line of tables.
  private static final int IN_TABLE = WORDS * IN_WORD;

  /// Half lines of an entry that fills a chunk, without the header: 65,536 bytes less the chunk's
  /// header line, the place for a link, and this header, make 2,044.
  private static final int BODY_MAX = (SPAN_BYTES - LINE_BYTES) / BYTES - 2;

  /// The most words in an entry: 8,072, which is 63 KiB.
  static final int WORDS_MAX =
      WORDS * (BODY_MAX - (BODY_MAX - IN_HEADER + IN_TABLE - 1) / IN_TABLE);

  /// Half lines of tables: each has room for its own triple and 79 others.
  private static int tables(int words) {
    int beyondHeader = Math.max(0, payload(words) - IN_HEADER);
    return (beyondHeader + IN_TABLE - 2) / (IN_TABLE - 1);
  }

  /// Half lines of payload.
  private static int payload(int words) {
    return (words + WORDS - 1) / WORDS;
  }

  /// Size of an entry.
  static long bytes(int words) {
    return (1L + tables(words) + payload(words)) * BYTES;
  }

  /// Where a half line after the header is.
  private static long place(long at, int half) {
    return at + (1L + half) * BYTES;
  }

  /// Writes an entry with what a range holds now.
  ///
  /// Not durable when this returns, nor ordered before what follows: a release fence is.
  ///
  /// @param at where the entry goes: a multiple of 32, with room for {@link #bytes}
  /// @param words from 1 to {@link #WORDS_MAX}
  static void write(Memory memory, long at, long target, int words, long stamp, long number) {
    int tables = tables(words);
    long[] triples = new long[WORDS * tables];
    long inHeader = 0;
    for (int half = tables + payload(words) - 1; half >= 0; half--) { // RANGE-3
      long triple;
      if (half < tables) {
        int i = WORDS * half;
        triple =
            writeHalf(
                memory,
                place(at, half),
                triples[i],
                triples[i + 1],
                triples[i + 2],
                triples[i + 3]);
      } else {
        int i = WORDS * (half - tables);
        triple =
            writeHalf(
                memory,
                place(at, half),
                old(memory, target, i, words),
                old(memory, target, i + 1, words),
                old(memory, target, i + 2, words),
                old(memory, target, i + 3, words));
      }
      if (half < IN_HEADER) {
        inHeader |= triple << half * TRIPLE_BITS;
      } else {
        int i = half - IN_HEADER;
        triples[i / IN_WORD] |= triple << i % IN_WORD * TRIPLE_BITS;
      }
    }
    // ENTRY-1. With the meta word before the others, what an older entry had there would be taken
    // for the target and the length. Test: RangeCrashTest.p1AtomicInOneLine.
    memory.writeEntryRelease(
        at, target, words | inHeader << LENGTH_BITS, stamp, UndoEntry.meta(Kind.RANGE, number));
  }

  private static long old(Memory memory, long target, int index, int words) {
    return index < words ? memory.readPlain(target + (long) index * WORD_BYTES) : 0;
  }

  /// @return its triple
  private static long writeHalf(Memory memory, long at, long w0, long w1, long w2, long w3) {
    // RANGE-1. Test: RangeCrashTest.payloadThatLooksLikeEntries.
    // RANGE-2. Test: RangeCrashTest.p1AtomicOverManyLines.
    long valid = ~memory.readPlain(at + UndoEntry.META) & VALID;
    memory.writeEntryRelease(at, w0, w1, w2, w3 & ~OWN | PAYLOAD | valid);
    return w3 >>> OWN_SHIFT | valid >>> OWN_SHIFT - 2;
  }

  /// Whether an entry's length is one, and the entry ends before a limit.
  static boolean fits(Memory memory, long at, long limit) {
    int words = words(memory, at);
    return words > 0 && words <= WORDS_MAX && at + bytes(words) <= limit;
  }

  /// How many words were saved; of an entry that {@link #fits}.
  static int words(Memory memory, long at) {
    return (int) (memory.readPlain(at + UndoEntry.VALUE) & LENGTH_MASK);
  }

  private static long triple(Memory memory, long at, int half) {
    long word;
    int i = half;
    if (half < IN_HEADER) {
      word = memory.readPlain(at + UndoEntry.VALUE) >>> LENGTH_BITS;
    } else {
      i -= IN_HEADER;
      word = memory.readPlain(place(at, 0) + (long) i / IN_WORD * WORD_BYTES);
      i %= IN_WORD;
    }
    return word >>> i * TRIPLE_BITS & TRIPLE_MASK;
  }

  /// Whether every half line of an entry is there; the header is (ENTRY-1), and it {@link #fits}.
  static boolean isWhole(Memory memory, long at) {
    int words = words(memory, at);
    int halves = tables(words) + payload(words);
    for (int half = 0; half < halves; half++) { // RANGE-3
      long last = memory.readAcquire(place(at, half) + UndoEntry.META);
      if ((last & VALID) >>> OWN_SHIFT - 2 != (triple(memory, at, half) & 4)) {
        return false;
      }
    }
    return true;
  }

  /// The first of the old words; of an entry that {@link #isWhole}.
  static long firstWord(Memory memory, long at) {
    return memory.readPlain(place(at, tables(words(memory, at))));
  }

  /// Stores the old words; of an entry that {@link #isWhole}.
  static void undo(Memory memory, long at) {
    long target = memory.readPlain(at + UndoEntry.TARGET);
    int words = words(memory, at);
    int tables = tables(words);
    for (int i = 0; i < words; i++) {
      int half = tables + i / WORDS;
      long word = memory.readPlain(place(at, half) + (long) i % WORDS * WORD_BYTES);
      if (i % WORDS == WORDS - 1) {
        word = word & ~OWN | triple(memory, at, half) << OWN_SHIFT;
      }
      memory.writePlain(target + (long) i * WORD_BYTES, word);
    }
  }

  private RangeEntry() {}
}
