package io.holdfast.core.log;

import io.holdfast.core.memory.Memory;
import java.util.Arrays;

/// The flexible validity bit: a payload of any size in one piece, without a bit of its own in its
/// lines (CSO paper, 3.1.3, Figure 2 and Listing 1).
///
/// An entry is a row of words, from a half line on:
///
/// | words | content |
/// |---|---|
/// | 0 | header: validity (bit 0), length in words (bits 1 to 32), lap (bits 33 to 63) |
/// | 1 to m | pairs: six in a word, each a bit's number in its line (9 bits) and its value (1 bit) |
/// | from m + 1 | the payload |
///
/// The entry's first line is valid if the header is, which is stored last in it. Of every further
/// line, a pair names the last bit in which it differs from what was there before, and the value it
/// has now: the word with this bit is stored last in the line, so if the bit has its new value, the
/// line is whole. The pair of a line stands in an earlier line, so entries may be as long as they
/// like, and so may the pairs.
///
/// - **FVB-1** a line's differing word is stored last, with release; lines from the last to the
///   first, since a line's pair must be known before the line is stored that holds it; the header
///   after everything; then a flush of all lines, and a fence.
/// - **FVB-2** the word at the tail never looks like a header of its lap. What is there is
///   arbitrary data of former laps; if it does look like one, it is cleared first, in a round trip
///   of its own.
/// - **FVB-3** an entry that would go beyond the ring's end begins the next lap; a header without a
///   payload says so, and is made durable in the same round trip. So every lap begins with an
///   entry, and what stands at the ring's beginning is a header of a former lap, or one of an entry
///   that a crash has cut off, which opening clears.
///
/// The paper's metadata word holds validity and pairs at once. Here the header is a word of its
/// own, because a reader needs the length, and the lap so that it is not misled by an older entry.
public final class CsoFvb extends HeadedFormat {
  public static final CsoFvb CSO_FVB = new CsoFvb();

  private static final int LINE_WORDS = LINE / WORD;
  private static final int PAIRS = 6;
  private static final int PAIR_BITS = 10;
  private static final int PAIR_MASK = (1 << PAIR_BITS) - 1;

  private CsoFvb() {}

  @Override
  public int number() {
    return 5;
  }

  @Override
  protected long validity(long lap) {
    return lap & 1;
  }

  /// Which word of its line an entry begins with: 0 or 4.
  private static int offsetInLine(long position) {
    return (int) (position & LINE - 1) / WORD;
  }

  /// How many words of pairs an entry has: one for each six of its lines but the first.
  private static long pairWords(long position, long words) {
    long pairWords = 0;
    long further = furtherLines(position, 1 + words);
    while (further > PAIRS * pairWords) {
      pairWords = (further + PAIRS - 1) / PAIRS;
      further = furtherLines(position, 1 + pairWords + words);
    }
    return pairWords;
  }

  private static long furtherLines(long position, long words) {
    return (offsetInLine(position) + words - 1) / LINE_WORDS;
  }

  @Override
  protected long span(long position, long words) {
    long bytes = (1 + pairWords(position, words) + words) * WORD;
    return (bytes + LogRing.GRAIN - 1) & -LogRing.GRAIN;
  }

  @Override
  public long room(LogRing ring, long position, int words) {
    long start = start(ring, position, words);
    return start - position + span(start, words);
  }

  @Override
  public long append(LogRing ring, long position, long[] payload, int words) {
    long start = start(ring, position, words);
    long end = start + span(start, words);
    clearTail(ring, end);
    write(ring, start, payload, words);
    persist(ring, position, start, end - start);
    return end;
  }

  @Override
  public long append(LogRing ring, long position, long w0, long w1, long w2) {
    Memory memory = ring.memory();
    long at = ring.at(position);
    clearTail(ring, position + LogRing.GRAIN);
    memory.writePlain(at + WORD, w0);
    memory.writePlain(at + 2 * WORD, w1);
    memory.writePlain(at + 3 * WORD, w2);
    memory.writeRelease(at, header(ring.lap(position), 3)); // FVB-1
    ring.persist(at, LogRing.GRAIN);
    return position + LogRing.GRAIN;
  }

  /// FVB-2. Test: CsoFvbTest.dataThatLooksLikeAHeaderIsNoEntry.
  private void clearTail(LogRing ring, long tail) {
    Memory memory = ring.memory();
    long at = ring.at(tail);
    long word = memory.readPlain(at);
    if (isHeader(word, ring.lap(tail))) {
      memory.writePlain(at, word ^ 1); // after the fence of the append before
      ring.persist(at, WORD);
    }
  }

  private void write(LogRing ring, long start, long[] payload, int words) {
    Memory memory = ring.memory();
    int pairWords = (int) pairWords(start, words);
    long at = ring.at(start);
    int inFirst = LINE_WORDS - offsetInLine(start);
    int all = 1 + pairWords + words;
    if (all > inFirst) {
      long[] entry = ring.scratch(all);
      System.arraycopy(payload, 0, entry, 1 + pairWords, words);
      Arrays.fill(entry, 1, 1 + pairWords, 0);
      int line = (all - inFirst + LINE_WORDS - 1) / LINE_WORDS;
      for (; line > 0; line--) {
        int from = inFirst + (line - 1) * LINE_WORDS;
        int to = Math.min(from + LINE_WORDS, all);
        long pair = writeLine(memory, at, entry, from, to, offsetInLine(start));
        entry[1 + (line - 1) / PAIRS] |= pair << (line - 1) % PAIRS * PAIR_BITS;
      }
      for (int i = 1; i < inFirst; i++) {
        memory.writePlain(at + (long) i * WORD, entry[i]);
      }
    } else {
      for (int i = 0; i < words; i++) {
        memory.writePlain(at + (long) (1 + i) * WORD, payload[i]);
      }
    }
    // FVB-1: orders all of the entry, above all its first line, before its validity. Test:
    // AppendLogCrashContract.entriesAreWholeOrNotThere.
    memory.writeRelease(at, header(ring.lap(start), words));
  }

  /// Listing 1, `writeCacheline`: stores a line so that a bit in which it differs is stored last.
  ///
  /// @param offset which word of its line the entry begins with
  /// @return the bit's number in the line, and its value
  private static long writeLine(
      Memory memory, long at, long[] entry, int from, int to, int offset) {
    for (int last = to - 1; last >= from; last--) {
      long difference = entry[last] ^ memory.readPlain(at + (long) last * WORD);
      if (difference != 0) {
        for (int i = from; i < last; i++) {
          memory.writePlain(at + (long) i * WORD, entry[i]);
        }
        // FVB-1: the words after it are as they were.
        memory.writeRelease(at + (long) last * WORD, entry[last]);
        return pair(offset, last, Long.numberOfTrailingZeros(difference), entry[last]);
      }
    }
    return pair(offset, from, 0, entry[from]); // nothing changes: any bit will do
  }

  private static long pair(int offset, int index, int bit, long word) {
    long number = (long) (offset + index) % LINE_WORDS * Long.SIZE + bit;
    return number << 1 | word >>> bit & 1;
  }

  @Override
  public long read(LogRing ring, long position, LogEntry into) {
    Memory memory = ring.memory();
    long start = find(ring, position);
    if (start == NONE) {
      return NONE;
    }
    int words = (int) wordsOf(memory.readPlain(ring.at(start)));
    int pairWords = (int) pairWords(start, words);
    long at = ring.at(start);
    if (!isWhole(memory, at, offsetInLine(start), 1 + pairWords + words)) {
      return NONE;
    }
    into.become(words);
    into.copy(memory, at + (1L + pairWords) * WORD);
    return start + span(start, words);
  }

  /// Listing 1, `checkCachelineValidity`, for all lines but the first.
  private static boolean isWhole(Memory memory, long at, int offset, int words) {
    long line = at & -LINE;
    int lines = (offset + words + LINE_WORDS - 1) / LINE_WORDS;
    for (int i = 1; i < lines; i++) {
      long pairs = memory.readPlain(at + (1L + (i - 1) / PAIRS) * WORD);
      long pair = pairs >>> (i - 1) % PAIRS * PAIR_BITS & PAIR_MASK;
      long number = pair >>> 1;
      long word = memory.readPlain(line + (long) i * LINE + number / Long.SIZE * WORD);
      if ((word >>> number % Long.SIZE & 1) != (pair & 1)) {
        return false;
      }
    }
    return true;
  }

  /// FVB-2, at the two places where an entry may have been cut off. A valid header of such an entry
  /// would otherwise stand until the next one's is stored, and could find its bits by chance in the
  /// next one's lines.
  @Override
  protected void scrub(LogRing ring, long tail) {
    clearTail(ring, tail);
    long next = ring.nextLap(tail);
    if (next < ring.head() + ring.capacity()) {
      clearTail(ring, next);
    }
  }

  @Override
  public String toString() {
    return "CSO-FVB";
  }
}
