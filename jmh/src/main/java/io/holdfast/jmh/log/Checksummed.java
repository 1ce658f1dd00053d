package io.holdfast.jmh.log;

import io.holdfast.core.log.LogEntry;
import io.holdfast.core.log.LogRing;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;

/// What CRC32C, CRC64, MD5 and SHA-1 have in common (CSO paper, 5.1): the data, its sum, one round
/// trip. An entry is there if the sum is that of its data and its lap, which tells it from entries
/// of older laps.
///
/// A torn entry whose sum happens to be right is taken for a whole one, against LOG-A2. Whoever
/// chooses the data can see to it, of MD5 as well: ChecksumCollisionTest.
///
/// It has a buffer, so one is for one log.
public final class Checksummed extends FixedSize {
  private static final VarHandle WORDS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /// The most words of data in an entry of a line. Longer ones have a second word of metadata (CSO
  /// paper, 5.1).
  private static final int LINE_WORDS = 7;

  /// What tells that data is whole.
  interface Sum {
    /// @param into takes the sum, in as many words as there are
    void of(byte[] data, long[] into);
  }

  private final String name;
  private final Sum sum;
  private final byte[] summed;
  private final long[] sums;

  /// With the checksum that processors have an instruction for: fast, and wrong for one torn entry
  /// of random data in 2 to the power of 32.
  public static Checksummed crc32c(int words) {
    return new Checksummed("CRC32C", 34, words, new CRC32C());
  }

  /// With a checksum of 64 bits: wrong for one torn entry of random data in 2 to the power of 64,
  /// and slow.
  public static Checksummed crc64(int words) {
    return new Checksummed("CRC64", 35, words, new Ecma182());
  }

  /// With MD5 (Table 1, "very slow"). Whoever chooses the data can have a torn entry taken for a
  /// whole one, which the paper excludes: two lines with the same MD5 are known.
  public static Checksummed md5(int words) {
    return new Checksummed("MD5", 37, words, new Digest("MD5"));
  }

  /// With the first bits of SHA-1 (Table 1, "very slow").
  public static Checksummed sha1(int words) {
    return new Checksummed("SHA-1", 38, words, new Digest("SHA-1"));
  }

  /// A checksum of one word.
  private Checksummed(String name, int number, int words, Checksum checksum) {
    this(
        name,
        number,
        words,
        1,
        (data, into) -> {
          checksum.reset();
          checksum.update(data, 0, data.length);
          into[0] = checksum.getValue();
        });
  }

  /// A digest, cut off to a word in entries of up to a line, and to two words, 128 bits, in longer
  /// ones.
  private Checksummed(String name, int number, int words, Digest digest) {
    this(name, number, words, words <= LINE_WORDS ? 1 : 2, digest);
  }

  private Checksummed(String name, int number, int words, int sumWords, Sum sum) {
    super(number, words, words + sumWords);
    this.name = name;
    this.sum = sum;
    this.summed = new byte[(words + 1) * Long.BYTES];
    this.sums = new long[sumWords];
  }

  /// Sums the words in the buffer up, and the lap after them.
  private void sum(long lap) {
    WORDS.set(summed, summed.length - Long.BYTES, lap);
    sum.of(summed, sums);
  }

  private long sumAt(LogRing ring, long position) {
    return ring.at(position) + summed.length - Long.BYTES;
  }

  @Override
  public long append(LogRing ring, long position, long[] payload, int words) {
    for (int i = 0; i < words; i++) {
      WORDS.set(summed, i * Long.BYTES, payload[i]);
    }
    writePayload(ring, ring.at(position), payload, words);
    sum(ring.lap(position));
    writePayload(ring, sumAt(ring, position), sums, sums.length);
    ring.persist(ring.at(position), (long) (words + sums.length) * Long.BYTES);
    return position + bytes();
  }

  @Override
  public long read(LogRing ring, long position, LogEntry into) {
    into.become(wordsMax());
    into.copy(ring.memory(), ring.at(position));
    for (int i = 0; i < wordsMax(); i++) {
      WORDS.set(summed, i * Long.BYTES, into.word(i));
    }
    sum(ring.lap(position));
    long at = sumAt(ring, position);
    for (int i = 0; i < sums.length; i++) {
      if (ring.memory().readPlain(at + (long) i * Long.BYTES) != sums[i]) {
        return NONE;
      }
    }
    return position + bytes();
  }

  @Override
  protected void scrub(LogRing ring, long tail) {
    // A torn entry is as good as any other old content: a matter of chance.
  }

  @Override
  public String toString() {
    return name;
  }
}
