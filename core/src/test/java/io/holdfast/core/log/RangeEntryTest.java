package io.holdfast.core.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.fixture.CachedMemory;
import io.holdfast.core.fixture.QuietRecoveries;
import io.holdfast.core.fixture.Words;
import io.holdfast.core.memory.FlushMode;
import io.holdfast.core.memory.RegionLayout;
import io.holdfast.core.region.Region;
import io.holdfast.core.section.hooks.SectionHooks;
import io.holdfast.testkit.RecordingMemory;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// RANGE-1 to RANGE-3 in an entry alone, and what an error and a killed process leave of one.
@ExtendWith(QuietRecoveries.class)
class RangeEntryTest {
  private static final int DATA = 1 << 16, BYTES = 1 << 18;

  private final Random random = new Random(1);
  private final RecordingMemory memory = new RecordingMemory();

  /// Lengths about those where an entry takes a further half line, or a further table.
  private static List<Integer> lengths() {
    List<Integer> lengths = new ArrayList<>(List.of(RangeEntry.WORDS_MAX - 1));
    for (int words = 1; words < 100; words++) {
      lengths.add(words);
    }
    for (int tables = 1; tables < 26; tables++) {
      int last = 4 * (16 + 79 * tables);
      lengths.addAll(List.of(last - 1, last, last + 1));
    }
    lengths.add(RangeEntry.WORDS_MAX);
    return lengths;
  }

  private void fillWithNoise(long at, long bytes) {
    byte[] noise = new byte[(int) bytes];
    random.nextBytes(noise);
    memory.writeBytesPlain(at, noise, 0, noise.length);
  }

  private byte[] read(long at, long bytes) {
    byte[] found = new byte[(int) bytes];
    memory.readBytes(at, found, 0, found.length);
    return found;
  }

  @Test
  void undoesWordsOfAnyKind() {
    memory.grow(BYTES);
    fillWithNoise(0, BYTES);
    for (int words : lengths()) {
      for (int at = 64; at <= 96; at += 32) {
        byte[] before = read(DATA, 8L * words + 8);
        RangeEntry.write(memory, at, DATA, words, 5, 7);
        fillWithNoise(DATA, 8L * words);
        byte[] behind = read(DATA + 8L * words, 8);
        assertThat(RangeEntry.fits(memory, at, at + RangeEntry.bytes(words))).isTrue();
        assertThat(RangeEntry.fits(memory, at, at + RangeEntry.bytes(words) - 1)).isFalse();
        assertThat(RangeEntry.isWhole(memory, at)).isTrue();
        RangeEntry.undo(memory, at);
        RangeEntry.undo(memory, at); // ENTRY-2
        assertThat(read(DATA, 8L * words + 8)).as("%d words", words).isEqualTo(before);
        assertThat(read(DATA + 8L * words, 8)).isEqualTo(behind);
        fillWithNoise(DATA, 8L * words);
      }
    }
  }

  /// RANGE-2, for what was there before: noise, or the same entry.
  @Test
  void isNotWholeWithoutAnyOfItsHalfLines() {
    memory.grow(BYTES);
    fillWithNoise(0, BYTES);
    for (int words : new int[] {1, 4, 5, 63, 64, 65, 380, 381, 4_000, RangeEntry.WORDS_MAX}) {
      for (int pass = 0; pass < 2; pass++) {
        long bytes = RangeEntry.bytes(words);
        byte[] before = read(64, bytes);
        RangeEntry.write(memory, 64, DATA, words, 5, 7);
        byte[] written = read(64, bytes);
        for (int half = 32; half < bytes; half += 32) {
          memory.writeBytesPlain(64 + half, before, half, 32);
          assertThat(RangeEntry.isWhole(memory, 64)).as("%d words, %d", words, half).isFalse();
          memory.writeBytesPlain(64 + half, written, half, 32);
        }
        assertThat(RangeEntry.isWhole(memory, 64)).isTrue();
      }
    }
  }

  /// RANGE-1
  @Test
  void noHalfLineLooksLikeAnEntry() {
    memory.grow(BYTES);
    for (int word = 0; word < RangeEntry.WORDS_MAX; word++) {
      memory.writePlain(DATA + 8L * word, 1L << 40 | 1);
    }
    for (int words : lengths()) {
      RangeEntry.write(memory, 64, DATA, words, 5, 7);
      assertThat(UndoEntry.numberOf(memory.readPlain(64 + UndoEntry.META))).isEqualTo(7);
      for (long half = 32; half < RangeEntry.bytes(words); half += 32) {
        assertThat(UndoEntry.numberOf(memory.readPlain(64 + half + UndoEntry.META))).isZero();
      }
    }
  }

  @Test
  void fillsAChunk() {
    long room = RegionLayout.SPAN_BYTES - LogSlot.ENTRIES - UndoEntry.BYTES;
    assertThat(RangeEntry.bytes(RangeEntry.WORDS_MAX)).isEqualTo(room);
    assertThat(RangeEntry.bytes(RangeEntry.WORDS_MAX + 1)).isGreaterThan(room);
  }

  /// Of 65 words, the least for which there is a table, in a log of zeros: header, table, and the
  /// first half line of payload.
  @Test
  void isThatOfFormatVersion1() {
    memory.grow(BYTES);
    for (int i = 0; i < 65; i++) {
      memory.writePlain(DATA + 8L * i, (long) i << 61 | i);
    }
    RangeEntry.write(memory, 64, DATA, 65, 5, 7);
    assertThat(RangeEntry.bytes(65)).isEqualTo(32 * 19);
    assertThat(HexFormat.of().formatHex(read(64, 96)))
        .isEqualTo(
            "0000010000000000" // the range
                + "4100ecfbbeeffbbe" // 65 words; triples 4, 5, 7, 5, 7, ...
                + "0500000000000000" // stamp
                + "0607000000000000" // kind, number
                + "2700000000000000" // triples 7, 4
                + "00000000000000000000000000000000"
                + "00000000000000c0"
                + "0000000000000000"
                + "0100000000000020"
                + "0200000000000040"
                + "03000000000000e0");
  }

  /// Words that are two half lines of a log, in one line: those after a store and a header.
  private static final int COPIED = 8;

  /// An append of it is 12 stores, a flush of two lines and a fence; 16 more are those of the data.
  private static final int CALLS = 20;

  private static final int SEEDS = 10 * CALLS * CALLS;

  private static void copy(Region region, long seed) {
    byte[] bytes = new byte[8 * COPIED];
    new Random(seed).nextBytes(bytes);
    region.sections().current().copy(Words.at(region, 0), bytes, 0, bytes.length);
  }

  private static Region open(CachedMemory media) {
    return Words.open(FlushMode.POSTED.over(media));
  }

  private static List<Long> words(Region region) {
    return Words.read(region, 0, COPIED);
  }

  /// Runs something that is killed after some calls.
  private static void killAfter(CachedMemory media, long calls, Runnable action) {
    media.killAfter(calls);
    try {
      action.run();
    } catch (CachedMemory.Killed e) {
      // What follows is done by who comes next.
    } finally {
      media.killAfter(Long.MAX_VALUE);
    }
  }

  /// The line of an entry's payload is in the cache alone, and its bits are made to differ again:
  /// then those on media are right. That takes a header that is written back and a line that is
  /// not.
  private static CachedMemory media(long seed) {
    return new CachedMemory(seed).writingBackOneOf(12);
  }

  /// Copies in a section, after a single store, and does not end it.
  ///
  /// @param calls is killed after so many
  private static void copyAndBeKilled(Region region, CachedMemory media, long calls, long seed) {
    SectionHooks.enter();
    Words.write(region, 0, Words.read(region, 0));
    killAfter(media, calls, () -> copy(region, seed));
  }

  private static void assertCopyIsUndone(CachedMemory media, List<Long> before, long seed) {
    try (Region again = Words.open(media.afterPowerFailure())) {
      assertThat(words(again)).as("seed=%d", seed).isEqualTo(before);
    }
  }

  /// The error comes after each call in turn; then the copy is repeated in the same section, and
  /// the power fails.
  @Test
  void anAppendIsRepeatedThatAnErrorCutOff() {
    for (int seed = 0; seed < SEEDS; seed++) {
      CachedMemory media = media(seed);
      try (Region region = open(media)) {
        Words.create(region, COPIED);
        Words.atomically(() -> copy(region, 1));
        Words.atomically(() -> copy(region, 2));
        List<Long> before = words(region);
        copyAndBeKilled(region, media, seed % CALLS, 3);
        killAfter(media, seed / CALLS % CALLS, () -> copy(region, 4));
        assertCopyIsUndone(media, before, seed);
        SectionHooks.exit();
      }
    }
  }

  /// A process is killed in a copy, after each call in turn; the next one copies, in the same log,
  /// and the power fails.
  @Test
  void whatAKilledProcessLeftIsDurableBeforeTheSlotIsUsedAgain() throws InterruptedException {
    for (int seed = 0; seed < SEEDS; seed++) {
      CachedMemory media = media(seed);
      int calls = seed % CALLS;
      Thread first =
          Thread.ofPlatform()
              .start(
                  () -> {
                    try (Region region = open(media)) {
                      Words.create(region, COPIED);
                      Words.atomically(() -> copy(region, 1));
                      Words.atomically(() -> copy(region, 2));
                      copyAndBeKilled(region, media, calls, 3);
                    }
                  });
      first.join();
      CachedMemory restarted = media.restarted();
      try (Region region = open(restarted)) {
        List<Long> before = words(region);
        copyAndBeKilled(region, restarted, seed / CALLS % CALLS, 4);
        assertCopyIsUndone(restarted, before, seed);
      } finally {
        SectionHooks.exit();
      }
    }
  }
}
