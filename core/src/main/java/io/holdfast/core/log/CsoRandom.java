package io.holdfast.core.log;

import io.holdfast.core.memory.Memory;
import java.security.SecureRandom;

/// Random initial content: a payload of any size in one piece, in space of which every word held
/// one random word before (CSO paper, 3.1.2).
///
/// | word of an entry | content |
/// |---|---|
/// | 0 | header: 1 (bit 0), length in words (bits 1 to 32), lap (bits 33 to 63) |
/// | from 1 | the payload |
///
/// A line of an entry is whole if the last of the entry's words in it is not the random word.
///
/// - **RANDOM-1** in each line, the last of the entry's words is stored with release; then a flush
///   of all lines, and a fence.
/// - **RANDOM-2** if one of these is the random word by chance (2^-63 for a line), a second entry
///   follows in a round trip of its own: the *sentinel*, a header with a length that no entry has.
///   An entry with such a word is whole if the sentinel is after it.
/// - **RANDOM-3** all free space holds the random word, durably, before it is used. What is trimmed
///   is filled once HEAD has moved, flushed and fenced, by the thread that trims. So every line is
///   written twice, but the second time is on no append's way. The paper leaves the fence to a
///   later operation; that one would have to be the same thread's, and a trim has a fence anyway.
/// - **RANDOM-4** an entry that would go beyond the ring's end begins the next lap; a header
///   without a payload says so, and is made durable in the same round trip.
///
/// The random word has a 0 in bit 0, so that no header is taken for it.
public final class CsoRandom extends HeadedFormat {
  public static final CsoRandom CSO_RANDOM = new CsoRandom();

  private static final long SENTINEL = WORDS_MASK - 1;
  private static final SecureRandom RANDOM = new SecureRandom();

  private CsoRandom() {}

  @Override
  public int number() {
    return 6;
  }

  @Override
  protected long ownWord() {
    return RANDOM.nextLong() & -2;
  }

  @Override
  protected long validity(long lap) {
    return 1;
  }

  @Override
  protected long span(long position, long words) {
    return span(words);
  }

  private static long span(long words) {
    return ((1 + words) * WORD + LogRing.GRAIN - 1) & -LogRing.GRAIN;
  }

  @Override
  public long room(LogRing ring, long position, int words) {
    return start(ring, position, words) - position + span(words) + LogRing.GRAIN;
  }

  @Override
  public long append(LogRing ring, long position, long[] payload, int words) {
    long start = start(ring, position, words);
    Memory memory = ring.memory();
    long at = ring.at(start);
    long header = header(ring.lap(start), words);
    boolean collides = false;
    long end = at + (1L + words) * WORD;
    for (long to = at; to < end; ) {
      long from = to;
      to = Math.min((from & -LINE) + LINE, end);
      for (long word = from; word < to - WORD; word += WORD) {
        memory.writePlain(word, word == at ? header : payload[(int) (word - at) / WORD - 1]);
      }
      long last = to - WORD == at ? header : payload[(int) (to - at) / WORD - 2];
      // RANDOM-1: orders the line's words before the one that tells. Test:
      // AppendLogCrashContract.entriesAreWholeOrNotThere.
      memory.writeRelease(to - WORD, last);
      collides |= last == ring.own();
    }
    persist(ring, position, start, end - at);
    return collides ? appendSentinel(ring, start + span(words)) : start + span(words);
  }

  @Override
  public long append(LogRing ring, long position, long w0, long w1, long w2) {
    if (w2 == ring.own()) {
      return super.append(ring, position, w0, w1, w2);
    }
    long at = ring.at(position);
    ring.memory().writeEntryRelease(at, header(ring.lap(position), 3), w0, w1, w2); // RANDOM-1
    ring.persist(at, LogRing.GRAIN);
    return position + LogRing.GRAIN;
  }

  /// RANDOM-2. Test: CsoRandomTest.aCollisionTakesASentinel.
  private long appendSentinel(LogRing ring, long position) {
    // After the fence of the entry that it is for.
    ring.memory().writePlain(ring.at(position), header(ring.lap(position), SENTINEL));
    ring.persist(ring.at(position), WORD);
    return position + LogRing.GRAIN;
  }

  @Override
  public long read(LogRing ring, long position, LogEntry into) {
    Memory memory = ring.memory();
    long start = find(ring, position);
    if (start == NONE) {
      return NONE;
    }
    int words = (int) wordsOf(memory.readPlain(ring.at(start)));
    long end = start + span(words);
    if (hasRandomWord(ring, ring.at(start), words)) {
      long sentinel = header(ring.lap(end), SENTINEL);
      if (memory.readPlain(ring.at(end)) != sentinel) {
        return NONE;
      }
      end += LogRing.GRAIN;
    }
    into.become(words);
    into.copy(memory, ring.at(start) + WORD);
    return end;
  }

  /// Whether the entry's last word in some line is the random word.
  private static boolean hasRandomWord(LogRing ring, long at, int words) {
    long end = at + (1L + words) * WORD;
    for (long to = at; to < end; ) {
      to = Math.min((to & -LINE) + LINE, end);
      if (ring.memory().readPlain(to - WORD) == ring.own()) {
        return true;
      }
    }
    return false;
  }

  @Override
  protected void initialise(LogRing ring) {
    recycle(ring, ring.head(), ring.head() + ring.capacity());
  }

  @Override
  protected boolean recycle(LogRing ring, long from, long to) {
    Memory memory = ring.memory();
    for (long position = from; position < to; position += WORD) {
      memory.writePlain(ring.at(position), ring.own());
    }
    // RANDOM-3: before the words of the next lap. Test:
    // AppendLogCrashContract.trimmedSpaceIsReusedAfterTheHeadMoved.
    memory.releaseFence();
    for (long position = from; position < to; ) {
      long next = Math.min(ring.nextLap(position), to);
      memory.flush(ring.at(position), next - position);
      position = next;
    }
    return true;
  }

  /// RANDOM-3, after a crash: reads all free space, and fills what is not as it should be.
  @Override
  protected void scrub(LogRing ring, long tail) {
    Memory memory = ring.memory();
    for (long position = tail; position < ring.head() + ring.capacity(); position += LINE) {
      position &= -LINE; // the first line may begin with the last entry's end
      long from = Math.max(position, tail);
      long to = Math.min(position + LINE, ring.head() + ring.capacity());
      if (!isRandom(ring, from, to)) {
        recycle(ring, from, to);
      }
    }
    // Test: CsoRandomCrashTest.tornEntriesAreNotCompletedByTheFirstBehindAnOpening.
    memory.fence();
  }

  private static boolean isRandom(LogRing ring, long from, long to) {
    for (long position = from; position < to; position += WORD) {
      if (ring.memory().readPlain(ring.at(position)) != ring.own()) {
        return false;
      }
    }
    return true;
  }

  @Override
  public String toString() {
    return "CSO-Random";
  }
}
