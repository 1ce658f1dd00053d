package io.holdfast.jmh.atlas;

import io.holdfast.jmh.map.Items;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// The stage of PARSEC's dedup that hashes chunks (Atlas, 6.4.3): a stream of chunks, of which some
/// come again, and a table of those that have come, by their SHA-256. A chunk is hashed without a
/// lock, and looked up under that of its bucket.
///
/// | block | word 0 | word 1 | word 2 | word 3 | word 4 to 7 |
/// |---|---|---|---|---|---|
/// | root, a line for each bucket | its first entry | unique chunks | chunks that came again | | |
/// | entry | the next of its bucket | how often its chunk came | the chunk's number, in place of its data | its bytes | the digest |
///
/// **DEDUP-1** Each entry is in the bucket of its digest, once, and has the digest of its chunk.
/// **DEDUP-2** A bucket has as many entries as it has unique chunks, and those that came again are
/// what its entries say came besides.
///
/// A run leaves its entries; {@link #clear} removes them.
public final class Dedup extends FineLocked {
  static final int CHUNK_BYTES = 4_096;
  private static final int CHUNKS = 2_000, BUCKETS = 256;
  private static final int BUCKET_BYTES = 64;
  private static final int UNIQUE = 8, AGAIN = 16;
  private static final int TIMES = 8, NUMBER = 16, BYTES = 24, DIGEST = 32, DIGEST_WORDS = 4;
  private static final int ENTRY_BYTES = DIGEST + DIGEST_WORDS * Long.BYTES;

  private final long root;
  private final int chunks;
  private final int buckets;

  public Dedup(ProgramMemory memory, int threads) {
    this(memory, threads, CHUNKS, BUCKETS);
  }

  /// @param chunks different ones
  Dedup(ProgramMemory memory, int threads, int chunks, int buckets) {
    super(memory, threads, buckets);
    this.chunks = chunks;
    this.buckets = buckets;
    root = memory.root(buckets * BUCKET_BYTES);
  }

  private static long[] digest(long number) {
    try {
      ByteBuffer digest =
          ByteBuffer.wrap(
              MessageDigest.getInstance("SHA-256").digest(Items.value(number, CHUNK_BYTES)));
      long[] words = new long[DIGEST_WORDS];
      digest.asLongBuffer().get(words);
      return words;
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  private int place(long[] digest) {
    return (int) Long.remainderUnsigned(digest[0], buckets);
  }

  private long bucket(int place) {
    return root + (long) place * BUCKET_BYTES;
  }

  /// The next chunk of the stream.
  @Override
  void change(long draw) {
    add(OneLock.below(draw, chunks));
  }

  void add(long number) {
    long[] digest = digest(number);
    int place = place(digest);
    lock(place);
    try {
      count(bucket(place), digest, number);
    } finally {
      unlock(place);
    }
  }

  private void count(long bucket, long[] digest, long number) {
    long entry = memory.read(bucket);
    while (entry != 0 && !hasDigest(entry, digest)) {
      entry = memory.read(entry);
    }
    if (entry != 0) {
      memory.write(entry + TIMES, memory.read(entry + TIMES) + 1);
      memory.write(bucket + AGAIN, memory.read(bucket + AGAIN) + 1);
      return;
    }
    entry = memory.allocate(ENTRY_BYTES);
    memory.writeNew(entry, memory.read(bucket));
    memory.writeNew(entry + TIMES, 1);
    memory.writeNew(entry + NUMBER, number);
    memory.writeNew(entry + BYTES, CHUNK_BYTES);
    for (int i = 0; i < DIGEST_WORDS; i++) {
      memory.writeNew(entry + DIGEST + (long) i * Long.BYTES, digest[i]);
    }
    memory.write(bucket, entry);
    memory.write(bucket + UNIQUE, memory.read(bucket + UNIQUE) + 1);
  }

  private boolean hasDigest(long entry, long[] digest) {
    for (int i = 0; i < DIGEST_WORDS; i++) {
      if (memory.read(entry + DIGEST + (long) i * Long.BYTES) != digest[i]) {
        return false;
      }
    }
    return true;
  }

  /// Removes all entries, each in a section.
  @Override
  public void clear() {
    for (int place = 0; place < buckets; place++) {
      while (memory.read(bucket(place)) != 0) {
        removeFirst(place);
      }
    }
  }

  void removeFirst(int place) {
    long bucket = bucket(place);
    lock(place);
    try {
      long entry = memory.read(bucket);
      long again = memory.read(entry + TIMES) - 1;
      memory.write(bucket, memory.read(entry));
      memory.write(bucket + UNIQUE, memory.read(bucket + UNIQUE) - 1);
      memory.write(bucket + AGAIN, memory.read(bucket + AGAIN) - again);
      memory.free(entry, ENTRY_BYTES);
    } finally {
      unlock(place);
    }
  }

  /// The unique chunks, those that came again, and of each entry the chunk and how often it came,
  /// by bucket.
  @Override
  public List<Long> content() {
    List<Long> entries = new ArrayList<>();
    long allUnique = 0;
    long allAgain = 0;
    for (int place = 0; place < buckets; place++) {
      long unique = 0;
      long again = 0;
      long entry = memory.read(bucket(place));
      for (; entry != 0; entry = memory.read(entry)) {
        long number = memory.read(entry + NUMBER);
        long[] digest = digest(number);
        require(
            hasDigest(entry, digest)
                && place(digest) == place
                && memory.read(entry + BYTES) == CHUNK_BYTES,
            "DEDUP-1: chunk=%d, bucket=%d",
            number,
            place);
        unique++;
        again += memory.read(entry + TIMES) - 1;
        entries.add(number);
        entries.add(memory.read(entry + TIMES));
      }
      require(
          unique == memory.read(bucket(place) + UNIQUE)
              && again == memory.read(bucket(place) + AGAIN),
          "DEDUP-2: bucket=%d, unique=%d, again=%d",
          place,
          unique,
          again);
      allUnique += unique;
      allAgain += again;
    }
    checkOnce(entries);
    List<Long> content = new ArrayList<>(List.of(allUnique, allAgain));
    content.addAll(entries);
    return content;
  }

  private static void checkOnce(List<Long> entries) {
    Set<Long> numbers = new HashSet<>();
    for (int i = 0; i < entries.size(); i += 2) {
      require(numbers.add(entries.get(i)), "DEDUP-1: twice, chunk=%d", entries.get(i));
    }
  }

  @Override
  public int blocks() {
    int blocks = 1;
    for (int place = 0; place < buckets; place++) {
      blocks += (int) memory.read(bucket(place) + UNIQUE);
    }
    return blocks;
  }
}
