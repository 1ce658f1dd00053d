package io.holdfast.core.section;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.core.PersistenceCounts;
import io.holdfast.core.RegionFullException;
import io.holdfast.core.fixture.QuietRecoveries;
import io.holdfast.core.fixture.Words;
import io.holdfast.core.memory.FlushMode;
import io.holdfast.core.region.Region;
import io.holdfast.testkit.RecordingMemory;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// Bulk stores: what they store, refuse and cost, and that an open section's are taken back.
@ExtendWith(QuietRecoveries.class)
class BulkStoreTest {
  private static final int WORDS = 20_000;
  private static final int BYTES = 8 * WORDS;

  private final RecordingMemory media = new RecordingMemory();
  private Region region;
  private byte[] before;

  @BeforeEach
  void open() {
    region = Words.open(FlushMode.POSTED.over(media));
    Words.create(region, WORDS);
    before = random(1);
    Words.atomically(() -> section().copy(at(0), before, 0, BYTES));
  }

  @AfterEach
  void close() {
    region.close();
  }

  private static byte[] random(long seed) {
    byte[] bytes = new byte[BYTES];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  private Section section() {
    return region.sections().current();
  }

  private long at(int word) {
    return Words.at(region, word);
  }

  private static byte[] read(Region from, long at) {
    byte[] bytes = new byte[BYTES];
    from.memory().readBytes(at, bytes, 0, BYTES);
    return bytes;
  }

  /// Runs a bulk store, looks at what it stored, cuts the section off, and looks again.
  private void check(byte[] expected, Runnable store) {
    Words.atomically(
        () -> {
          store.run();
          assertThat(read(region, at(0))).isEqualTo(expected);
          try (Region cutOff = Words.open(media.copy())) {
            assertThat(read(cutOff, at(0))).isEqualTo(before);
          }
        });
    assertThat(read(region, at(0))).isEqualTo(expected);
    try (Region ended = Words.open(media.copy())) {
      assertThat(read(ended, at(0))).isEqualTo(expected);
    }
    before = expected;
  }

  /// Lengths about those where an entry takes a further half line, a table, a chunk, an entry.
  @Test
  void copiesAnyNumberOfBytes() {
    int[] counts = {
      0, 1, 7, 8, 9, 31, 32, 33, 505, 512, 513, 545, 3_040, 3_041, 64_575, 64_576, 64_577, 150_000
    };
    for (int count : counts) {
      byte[] from = random(count);
      int word = count % 17;
      byte[] expected = before.clone();
      System.arraycopy(from, 3, expected, 8 * word, count);
      check(expected, () -> section().copy(at(word), from, 3, count));
    }
  }

  @Test
  void copiesInsideOfTheRegion() {
    int[][] moves = {{0, 8_000, 500}, {803, 0, 9_001}, {0, 800, 70_001}, {5, 8, 2}, {16, 16, 40}};
    for (int[] move : moves) {
      byte[] expected = before.clone();
      System.arraycopy(before, move[0], expected, move[1], move[2]);
      check(expected, () -> section().copy(at(0) + move[0], at(0) + move[1], move[2]));
    }
  }

  @Test
  void fills() {
    byte[] expected = before.clone();
    for (int i = 0; i < 2_001 * 8; i++) {
      expected[24 + i] = (byte) (i % 8 == 7 ? 0x80 : i % 8 == 0 ? 1 : 0);
    }
    check(expected, () -> section().fill(at(3), 2_001, Long.MIN_VALUE + 1));
  }

  @Test
  void refusesWhatIsNoRangeOfWords() {
    long length = media.length();
    Words.atomically(
        () -> {
          Section section = section();
          byte[] bytes = new byte[16];
          for (long offset : new long[] {at(0) + 4, -8, 0, 0x1FF8, 0x2FF8, 0x3000, 0xFFF8}) {
            assertRefused(() -> section.copy(offset, bytes, 0, 16));
            assertRefused(() -> section.fill(offset, 2, 0));
            assertRefused(() -> section.copy(at(0), offset, 16));
          }
          assertRefused(() -> section.copy(length - 8, bytes, 0, 9));
          assertRefused(() -> section.fill(length, 1, 0));
          assertRefused(() -> section.fill(at(0), -1, 0));
          assertThatThrownBy(() -> section.copy(at(0), bytes, 1, 16))
              .isInstanceOf(IndexOutOfBoundsException.class);
          assertThatThrownBy(() -> section.copy(length - 8, at(0), 9))
              .isInstanceOf(IndexOutOfBoundsException.class);
        });
    assertThat(read(region, at(0))).isEqualTo(before);
  }

  private static void assertRefused(Runnable store) {
    assertThatThrownBy(store::run)
        .isExactlyInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(
            "recorded: a section stores to 8-byte words after the region's headers: offset=0x");
  }

  /// The log has room for some entries of a long range and not for all.
  @Test
  void aFullDeviceStoresNothing() {
    media.limitTo(media.length());
    byte[] after = random(2);
    Words.atomically(
        () -> {
          int copies = 0;
          try {
            for (; copies < 100; copies++) {
              section().copy(at(0), after, 0, BYTES);
              new Random(copies).nextBytes(after);
            }
          } catch (RegionFullException e) {
            assertThat(e).hasMessageContaining("full").hasMessageContaining("rolled back");
          }
          assertThat(copies).isBetween(1, 99);
          assertThat(read(region, at(0))).isEqualTo(before);
        });
    try (Region ended = Words.open(media.copy())) {
      assertThat(read(ended, at(0))).isEqualTo(before);
    }
  }

  private PersistenceCounts counted(Runnable action) {
    PersistenceCounts start = media.counts();
    action.run();
    return media.counts().since(start);
  }

  /// Three fences, as a section of one store: before the data, before the commit, after it.
  @Test
  void aSectionOfOneCopyTakesAsManyFencesAsOneOfOneStore() {
    byte[] from = random(3);
    Words.atomically(() -> Words.write(region, 0, 1)); // gives chunks back
    long one = counted(() -> Words.atomically(() -> Words.write(region, 0, 1))).fences();
    PersistenceCounts copy =
        counted(() -> Words.atomically(() -> section().copy(at(0), from, 0, 1_024)));
    assertThat(copy.fences()).isEqualTo(one).isEqualTo(3);
    // 33 half lines and a header make 17 lines of log and a half one; 16 of data; the commit.
    assertThat(copy.lines()).isEqualTo(17 + 16 + 1);
  }

  /// RANGE-4: one fence before the data, whatever its length, if the log needs no further chunk;
  /// single stores to as many words take one for each 64, and the last of these wait.
  @Test
  void fourKibibytesTakeOneFenceBeforeTheData() {
    byte[] from = random(4);
    Words.atomically(
        () -> {
          section().reserve(1_000); // the chunk has fences of its own
          PersistenceCounts copy = counted(() -> section().copy(at(0), from, 0, 4_096));
          assertThat(copy.fences()).isEqualTo(1);
          PersistenceCounts stores =
              counted(
                  () -> {
                    for (int i = 1_000; i < 1_512; i++) {
                      Words.write(region, i, 1);
                    }
                  });
          assertThat(stores.fences()).isEqualTo(512 / 64 - 1);
        });
  }

  /// Three entries in three chunks: a fence for each chunk that is linked, and one for all.
  @Test
  void aRangeInSeveralEntriesTakesOneFenceForAll() {
    byte[] from = random(5);
    Words.atomically(
        () -> {
          Words.write(region, 0, 1); // gives chunks back
          assertThat(counted(() -> section().copy(at(0), from, 0, 150_000)).fences())
              .isEqualTo(3 + 1);
        });
  }
}
