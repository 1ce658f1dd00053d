package io.holdfast.jmh.log;

import io.holdfast.core.log.LogEntry;
import io.holdfast.core.log.LogRing;
import io.holdfast.core.memory.Memory;

/// Mnemosyne's log (CSO paper, 5.1 and section 6): each word holds 63 bits of data, and the torn
/// bit, which is the lowest here, says in which laps it was written, odd ones or even ones. An
/// entry is whole if all its words are of its lap: that needs no order between stores at all, so it
/// relies on MEDIA-1 alone. But data has to be taken apart to be written and put together to be
/// read.
///
/// ```
///  word 0   data bits  0 to 62                     | torn
///  word 1   data bit  63, then bits 64 to 125      | torn
/// ```
public final class Tornbit extends FixedSize {
  private static final int DATA_BITS = 63;
  private static final int WORD = Long.BYTES;

  private final int stored;

  public Tornbit(int words) {
    super(36, words, stored(words));
    stored = stored(words);
  }

  private static int stored(int words) {
    return (words * Long.SIZE + DATA_BITS - 1) / DATA_BITS;
  }

  private static long torn(LogRing ring, long position) {
    return ring.lap(position) & 1;
  }

  @Override
  public long append(LogRing ring, long position, long[] payload, int words) {
    Memory memory = ring.memory();
    long torn = torn(ring, position);
    long at = ring.at(position);
    long carried = 0;
    int carriedBits = 0;
    for (int i = 0; i < words; i++) {
      long word = payload[i];
      memory.writePlain(at, (word << carriedBits | carried) << 1 | torn);
      at += WORD;
      carried = word >>> DATA_BITS - carriedBits;
      carriedBits++;
      if (carriedBits == DATA_BITS) {
        memory.writePlain(at, carried << 1 | torn);
        at += WORD;
        carried = 0;
        carriedBits = 0;
      }
    }
    if (carriedBits > 0) {
      memory.writePlain(at, carried << 1 | torn);
    }
    ring.persist(ring.at(position), (long) stored * WORD);
    return position + bytes();
  }

  @Override
  public long read(LogRing ring, long position, LogEntry into) {
    Memory memory = ring.memory();
    long at = ring.at(position);
    long torn = torn(ring, position);
    for (int i = 0; i < stored; i++) {
      if ((memory.readPlain(at + (long) i * WORD) & 1) != torn) {
        return NONE;
      }
    }
    into.become(wordsMax());
    int takenBits = 0;
    for (int i = 0; i < wordsMax(); i++) {
      long low = memory.readPlain(at) >>> 1 + takenBits;
      at += WORD;
      long high = memory.readPlain(at) >>> 1;
      into.set(i, low | high << DATA_BITS - takenBits);
      takenBits++;
      if (takenBits == DATA_BITS) {
        at += WORD;
        takenBits = 0;
      }
    }
    return position + bytes();
  }

  /// No word at the tail is of its lap before an entry is appended there: one that an entry left
  /// which was cut off would stand for one of the next.
  @Override
  protected void scrub(LogRing ring, long tail) {
    Memory memory = ring.memory();
    long otherLap = torn(ring, tail) ^ 1;
    for (long at = ring.at(tail); at < ring.at(tail) + (long) stored * WORD; at += WORD) {
      memory.writePlain(at, memory.readPlain(at) & -2 | otherLap);
    }
    ring.persist(ring.at(tail), (long) stored * WORD);
  }

  /// A ring may begin in an even lap, whose torn bit zeros have.
  @Override
  protected void initialise(LogRing ring) {
    long otherLap = torn(ring, ring.head()) ^ 1;
    for (long at = ring.at(0); at < ring.at(0) + ring.capacity(); at += WORD) {
      ring.memory().writePlain(at, otherLap);
    }
  }

  @Override
  public String toString() {
    return "tornbit";
  }
}
