package io.holdfast.jmh.log;

import io.holdfast.core.log.LogFormat;
import io.holdfast.core.log.LogRing;
import io.holdfast.core.persistence.PersistenceDomain;

/// What the logs that ours are compared with have in common: entries of one size, as the CSO paper
/// measured them (5.1), so that none has to say how long it is. An entry is half a line or some
/// lines, a power of two, so that it always lies in one piece.
abstract class FixedSize extends LogFormat {
  private static final int WORD = Long.BYTES;
  private static final int SCRATCH_WORDS = 3;

  private final int number;
  private final int words;
  private final int bytes;

  /// @param number on media; core's are below 32
  /// @param words of a payload
  /// @param stored of an entry, with what tells that it is whole
  FixedSize(int number, int words, int stored) {
    this.number = number;
    this.words = words;
    this.bytes = Math.max(LogRing.GRAIN, powerOfTwo(stored * WORD));
  }

  private static int powerOfTwo(int least) {
    return Integer.highestOneBit(2 * least - 1);
  }

  @Override
  public final int number() {
    return number;
  }

  @Override
  public final int wordsMax() {
    return words;
  }

  /// The size is a part of the format.
  @Override
  protected final long ownWord() {
    return words;
  }

  @Override
  protected final boolean owns(long ownWord) {
    return ownWord == words;
  }

  final int bytes() {
    return bytes;
  }

  @Override
  public long room(LogRing ring, long position, int payloadWords) {
    if (payloadWords != words) {
      throw new IllegalArgumentException(
          "%s: all entries have one size: words=%d, required=%d"
              .formatted(this, payloadWords, words));
    }
    return bytes;
  }

  @Override
  public final long append(LogRing ring, long position, long w0, long w1, long w2) {
    long[] payload = ring.scratch(SCRATCH_WORDS);
    payload[0] = w0;
    payload[1] = w1;
    payload[2] = w2;
    return append(ring, position, payload, SCRATCH_WORDS);
  }

  static void writePayload(LogRing ring, long at, long[] payload, int words) {
    for (int i = 0; i < words; i++) {
      ring.memory().writePlain(at + (long) i * WORD, payload[i]);
    }
  }

  static boolean isInOneLine(long at, long other) {
    return (at & -PersistenceDomain.LINE_BYTES) == (other & -PersistenceDomain.LINE_BYTES);
  }
}
