package io.holdfast.core.section;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.Durability;
import io.holdfast.core.fixture.Words;
import io.holdfast.core.memory.FlushMode;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.memory.SpanTable.Use;
import io.holdfast.core.region.Region;
import io.holdfast.core.section.hooks.SectionHooks;
import io.holdfast.testkit.Bounds;
import io.holdfast.testkit.CrashExplorer;
import io.holdfast.testkit.CrashTest;
import io.holdfast.testkit.StoreOpener;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/// Crashes in bulk stores: RANGE-1 to RANGE-4.
class RangeCrashTest {
  /// What a range stores is flushed after its entry whatever the mode for single words is, so that
  /// one mode stands for all.
  public static final class InOneMode implements StoreOpener<Region> {
    @Override
    public Class<Region> type() {
      return Region.class;
    }

    @Override
    public Region open(Memory memory, Durability durability) {
      return Words.open(
          durability == Durability.POWER_FAILURE ? FlushMode.POSTED.over(memory) : memory);
    }
  }

  private static final int STORE = 1, LINK = 5, RANGE = 6;

  /// Words that differ from each other and from those of another seed, with all their bits in use.
  private static byte[] words(int count, long seed) {
    byte[] bytes = new byte[count * 8];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  private static void copy(Region region, int first, byte[] bytes, int count) {
    region.sections().current().copy(Words.at(region, first), bytes, 0, count);
  }

  private static void copy(Region region, int first, byte[] bytes) {
    copy(region, first, bytes, bytes.length);
  }

  private static void fill(Region region, int first, int words, long value) {
    region.sections().current().fill(Words.at(region, first), words, value);
  }

  private static List<Long> all(Region region, int words) {
    return Words.read(region, 0, words);
  }

  /// What stands for words that are too many to be kept for each image.
  private static int digest(Region region, int words) {
    byte[] bytes = new byte[words * 8];
    region.memory().readBytes(Words.at(region, 0), bytes, 0, bytes.length);
    return Arrays.hashCode(bytes);
  }

  /// Header and payload are in one line; of a word that is stored in part, the rest stays.
  ///
  /// Shows ENTRY-1.
  @CrashTest(opener = InOneMode.class)
  void p1AtomicInOneLine(CrashExplorer<Region> explorer) {
    explorer
        .given(region -> Words.create(region, 8))
        .step("32 bytes", region -> Words.atomically(() -> copy(region, 0, words(4, 1))))
        .step("21 bytes", region -> Words.atomically(() -> copy(region, 1, words(3, 2), 21)))
        .step("a byte", region -> Words.atomically(() -> copy(region, 2, words(1, 3), 1)))
        .step("nothing", region -> Words.atomically(() -> copy(region, 2, new byte[0])))
        .step("again", region -> Words.atomically(() -> copy(region, 0, words(4, 4))))
        .state(region -> all(region, 8));
  }

  @CrashTest(opener = InOneMode.class)
  void p1AtomicOverManyLines(CrashExplorer<Region> explorer) {
    int words = 70;
    explorer
        .given(
            region -> {
              Words.create(region, words);
              Words.atomically(() -> copy(region, 0, words(words, 1)));
            })
        .crashesOfRecovery(0)
        .step("copy", region -> Words.atomically(() -> copy(region, 0, words(words, 2))))
        .step("fill", region -> Words.atomically(() -> fill(region, 10, 50, -1)))
        .step(
            "move up",
            region ->
                Words.atomically(
                    () ->
                        region
                            .sections()
                            .current()
                            .copy(Words.at(region, 0), Words.at(region, 7), 499)))
        .step("what the log held", region -> Words.atomically(() -> fill(region, 0, words, 5)))
        .state(region -> all(region, words));
  }

  /// Two entries for the same words in one section, and single stores to them before, between and
  /// behind.
  @CrashTest(opener = InOneMode.class)
  void p1AtomicMixedWithSingleStores(CrashExplorer<Region> explorer) {
    explorer
        .given(
            region -> {
              Words.create(region, 32);
              Words.atomically(() -> copy(region, 0, words(32, 1)));
            })
        .step(
            "stores and copies",
            region ->
                Words.atomically(
                    () -> {
                      Words.write(region, 3, 1);
                      copy(region, 0, words(16, 2));
                      Words.write(region, 3, 2);
                      Words.write(region, 20, 2);
                      copy(region, 2, words(26, 3));
                      Words.write(region, 3, 3);
                      Words.write(region, 27, 3);
                    }))
        .step(
            "copies alone",
            region ->
                Words.atomically(
                    () -> {
                      copy(region, 0, words(16, 4));
                      fill(region, 8, 16, 4);
                    }))
        .state(region -> all(region, 32));
  }

  /// The ring has room for some of it, so it goes to a chunk.
  @CrashTest(opener = InOneMode.class)
  void p1AtomicOverTheRingsEnd(CrashExplorer<Region> explorer) {
    explorer
        .given(
            region -> {
              Words.create(region, 128);
              Words.dirtyFreeSpans(region);
            })
        .bounds(Bounds.SPARSE)
        .crashesOfRecovery(0)
        .step(
            "50 stores, then 100 words",
            region ->
                Words.atomically(
                    () -> {
                      for (int i = 0; i < 50; i++) {
                        Words.write(region, i, 1);
                      }
                      copy(region, 0, words(100, 2));
                      Words.write(region, 3, 3);
                    }))
        .step("in the ring again", region -> Words.atomically(() -> copy(region, 4, words(90, 4))))
        .state(region -> all(region, 128))
        .check((region, point) -> assertThat(Words.spans(region, Use.LOG_CHUNK)).isZero());
  }

  /// Each of two copies fills most of a chunk, so the second is in a second one.
  @CrashTest(opener = InOneMode.class)
  void p1AtomicInASecondChunk(CrashExplorer<Region> explorer) {
    int words = 5_000;
    explorer
        .given(
            region -> {
              Words.create(region, words);
              Words.dirtyFreeSpans(region);
            })
        .bounds(new Bounds(4, 12, 12, 40))
        .step(
            "two copies",
            region ->
                Words.atomically(
                    () -> {
                      copy(region, 0, words(words, 1));
                      copy(region, 0, words(words, 2));
                    }))
        .crashesOfRecovery(0)
        .state(region -> digest(region, words))
        .check((region, point) -> assertThat(Words.spans(region, Use.LOG_CHUNK)).isZero());
  }

  @CrashTest(opener = InOneMode.class)
  void p1AtomicWhereItIsLargerThanAChunk(CrashExplorer<Region> explorer) {
    int words = 10_000;
    explorer
        .given(
            region -> {
              Words.create(region, words);
              Words.dirtyFreeSpans(region);
            })
        .bounds(new Bounds(4, 12, 12, 40))
        .step("copy", region -> Words.atomically(() -> copy(region, 0, words(words, 1))))
        .crashesOfRecovery(0)
        .state(region -> digest(region, words))
        .check((region, point) -> assertThat(Words.spans(region, Use.LOG_CHUNK)).isZero());
  }

  /// What is overwritten, and so logged, looks like entries that restore a bad value: of the
  /// sections that follow, of the far future, and with the bits that an entry uses for itself.
  private static byte[] poison(Region region, int words) {
    ByteBuffer bytes = ByteBuffer.allocate(words * 8).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < words; i++) {
      int row = i / 4;
      long number = row % 3 == 0 ? 1L << 40 : row % 24;
      long meta = number << 8 | List.of(STORE, RANGE, STORE, LINK).get(row % 4);
      bytes.putLong(
          switch (i % 4) {
            case 0 -> Words.at(region, 0);
            case 1 -> 0xBAD;
            case 2 -> Long.MAX_VALUE;
            default -> row % 5 == 0 ? meta | 1L << 62 : meta;
          });
    }
    return bytes.array();
  }

  /// Sections of one, two and more stores, whose logs end where an older one had payload.
  @CrashTest(opener = InOneMode.class)
  void payloadThatLooksLikeEntries(CrashExplorer<Region> explorer) {
    int words = 200;
    explorer
        .given(
            region -> {
              Words.create(region, words);
              Words.atomically(() -> copy(region, 0, poison(region, words)));
            })
        .crashesOfRecovery(0)
        .step("overwrite it", region -> Words.atomically(() -> fill(region, 0, words, 0)));
    for (int stores = 1; stores < 9; stores++) {
      int count = stores;
      explorer.step(
          count + " stores",
          region ->
              Words.atomically(
                  () -> {
                    for (int i = 0; i < count; i++) {
                      Words.write(region, i, count);
                    }
                  }));
    }
    explorer
        .step("five words", region -> Words.atomically(() -> copy(region, 0, words(5, 1))))
        .step(
            "a store and five words",
            region ->
                Words.atomically(
                    () -> {
                      Words.write(region, 9, 1);
                      copy(region, 0, words(5, 2));
                    }))
        .state(region -> all(region, words));
  }

  /// The payload of each pass is that of the one before, or its complement: half lines that a crash
  /// has taken look like those that should be there, but for their bits.
  @CrashTest(opener = InOneMode.class)
  void payloadThatTheLogHasAlready(CrashExplorer<Region> explorer) {
    int words = 40;
    byte[] bytes = words(words, 1);
    byte[] complement = bytes.clone();
    for (int i = 0; i < bytes.length; i++) {
      complement[i] = (byte) ~bytes[i];
    }
    explorer
        .given(
            region -> {
              Words.create(region, words);
              Words.atomically(() -> copy(region, 0, bytes));
              Words.atomically(() -> copy(region, 0, bytes));
            })
        .crashesOfRecovery(0)
        .step("the same", region -> Words.atomically(() -> copy(region, 0, bytes)))
        .step("the complement", region -> Words.atomically(() -> copy(region, 0, complement)))
        .step("back", region -> Words.atomically(() -> copy(region, 0, bytes)))
        .step("zeros", region -> Words.atomically(() -> copy(region, 0, new byte[8 * words])))
        .state(region -> all(region, words));
  }

  private static final Object OUTER = new Object(), INNER = new Object();

  /// Two logs with a conflict, one section kept and two undone, as in
  /// `RecoveryCrashTest.recoveryCanBeCutOffAnywhere`, with ranges.
  @CrashTest(opener = InOneMode.class)
  void recoveryCanBeCutOffAnywhere(CrashExplorer<Region> explorer) {
    int words = 30;
    explorer
        .given(
            region -> {
              Words.create(region, words);
              Words.dirtyFreeSpans(region);
              Words.atomically(() -> fill(region, 1, 2, 5));
            })
        .withoutModel()
        .bounds(new Bounds(3, 4, 4, 12))
        .crashesOfRecovery(2)
        .state(region -> all(region, words))
        .step(
            "A",
            "A stores 20 words again and again, and others, releases openly",
            region -> {
              SectionHooks.acquired(OUTER);
              SectionHooks.acquired(INNER);
              fill(region, 0, 20, 9);
              for (int i = 0; i < 8; i++) {
                fill(region, 0, 20, 1);
              }
              for (int i = 0; i < 25; i++) {
                Words.write(region, 29, i);
                Words.write(region, i % 20, 1);
              }
              SectionHooks.releasing(INNER);
            })
        .step(
            "B",
            "B stores over it, and waits",
            region -> {
              SectionHooks.acquired(INNER);
              fill(region, 0, 3, 2);
              SectionHooks.releasing(INNER);
            })
        .step(
            "A",
            "A stores over that, ends",
            region -> {
              SectionHooks.acquired(INNER);
              fill(region, 1, 2, 3);
              SectionHooks.releasing(INNER);
              SectionHooks.releasing(OUTER);
            })
        .check(
            (region, point) -> {
              assertThat(Words.spans(region, Use.LOG_CHUNK)).isZero();
              long first = Words.read(region, 0);
              long[] expected = new long[words];
              if (first == 0) {
                Arrays.fill(expected, 1, 3, 5);
              } else {
                Arrays.fill(expected, 0, 20, 1);
                Arrays.fill(expected, 0, 1, 2);
                Arrays.fill(expected, 1, 3, 3);
                expected[29] = 24;
              }
              assertThat(all(region, words))
                  .containsExactlyElementsOf(Arrays.stream(expected).boxed().toList());
              if (point.acknowledged() == 3) {
                assertThat(first).isEqualTo(2);
              }
            });
  }
}
