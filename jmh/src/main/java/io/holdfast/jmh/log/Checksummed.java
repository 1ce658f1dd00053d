package io.holdfast.jmh.log;

import io.holdfast.core.log.LogEntry;
import io.holdfast.core.log.LogRing;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.zip.Checksum;

/// What CRC32C and CRC64 have in common (CSO paper, 5.1): the data, its checksum, one round trip.
/// An entry is there if the checksum is that of its data and its lap, which tells it from entries
/// of older laps.
///
/// A torn entry whose checksum happens to be right is taken for a whole one, against LOG-A2.
/// Whoever chooses the data can see to it: ChecksumCollisionTest.
///
/// It has a buffer, so one is for one log.
abstract class Checksummed extends FixedSize {
  private static final VarHandle WORDS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final Checksum checksum;
  private final byte[] summed;

  Checksummed(int number, int words, Checksum checksum) {
    super(number, words, words + 1);
    this.checksum = checksum;
    this.summed = new byte[(words + 1) * Long.BYTES];
  }

  /// Of the words in the buffer, and the lap after them.
  private long sum(long lap) {
    WORDS.set(summed, summed.length - Long.BYTES, lap);
    checksum.reset();
    checksum.update(summed, 0, summed.length);
    return checksum.getValue();
  }

  private long sumAt(LogRing ring, long position) {
    return ring.at(position) + summed.length - Long.BYTES;
  }

  @Override
  public final long append(LogRing ring, long position, long[] payload, int words) {
    for (int i = 0; i < words; i++) {
      WORDS.set(summed, i * Long.BYTES, payload[i]);
    }
    writePayload(ring, ring.at(position), payload, words);
    ring.memory().writePlain(sumAt(ring, position), sum(ring.lap(position)));
    ring.persist(ring.at(position), summed.length);
    return position + bytes();
  }

  @Override
  public final long read(LogRing ring, long position, LogEntry into) {
    into.become(wordsMax());
    into.copy(ring.memory(), ring.at(position));
    for (int i = 0; i < wordsMax(); i++) {
      WORDS.set(summed, i * Long.BYTES, into.word(i));
    }
    return ring.memory().readPlain(sumAt(ring, position)) == sum(ring.lap(position))
        ? position + bytes()
        : NONE;
  }

  @Override
  protected final void scrub(LogRing ring, long tail) {
    // A torn entry is as good as any other old content: a matter of chance.
  }
}
