package io.holdfast.core.region;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.RecoveryReport.Outcome;
import io.holdfast.core.fixture.LongRegion;
import io.holdfast.core.fixture.Words;
import io.holdfast.core.memory.MappedMemory;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.memory.RegionFile;
import io.holdfast.core.memory.RegionHeader;
import io.holdfast.core.memory.RegionLayout;
import io.holdfast.core.persistence.PageCache;
import io.holdfast.core.section.hooks.SectionHooks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Regions beyond 4 GiB, and beyond 2^31 lines. The files are that long and have few blocks on the
/// device: what is free, and blocks that nobody writes, are holes.
class LargeRegionTest {
  private static final long GIBIBYTE = 1L << 30;

  private static final long LARGE_BYTES = GIBIBYTE / 2;

  /// What is read more of a longer region: where its span tables are, which is 11 words at 10 GiB.
  private static final int LINKS = RegionLayout.ZONES_MAX;

  @TempDir Path directory;

  /// A region of a length, with nothing in it.
  private Path region(long length) throws IOException {
    Path path = directory.resolve("large-%d.hf".formatted(length)).toAbsolutePath();
    LongRegion.create(path, length);
    return path;
  }

  private static Region open(RegionFile file) {
    return Region.open(file.memory(), RegionFile.INITIAL_BYTES);
  }

  /// Takes all but the last GiB, in blocks that nobody writes.
  private static void fill(Region region) {
    long[] block = new long[1];
    while (block[0] < region.memory().length() - GIBIBYTE) {
      Words.atomically(() -> block[0] = region.heap().allocate(LARGE_BYTES));
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {5 * GIBIBYTE, 130 * GIBIBYTE})
  void blocksWordsAndGrowthFarOut(long length) throws IOException {
    Path path = region(length);
    long grown;
    try (RegionFile file = RegionFile.open(path)) {
      Region region = open(file);
      fill(region);
      Words.create(region, 1_000);
      assertThat(Words.at(region, 0)).isGreaterThan(length - 2 * GIBIBYTE);
      Words.atomically(() -> Words.write(region, 999, 7));
      while (region.memory().length() == length) {
        Words.atomically(
            () -> {
              long block = region.heap().allocate(200 << 20);
              region.sections().current().write(block, block);
              Words.write(region, 998, block);
            });
      }
      grown = region.memory().length();
      SectionHooks.enter(); // and never ends: the process is killed
      Words.write(region, 999, 8);
      region.sections().current().write(Words.read(region, 998), 9);
      region.sections().close();
      region.memory().close();
      SectionHooks.exit();
    }
    try (RegionFile file = RegionFile.open(path);
        Region region = open(file)) {
      assertThat(region.report().outcome()).isEqualTo(Outcome.RECOVERED);
      assertThat(region.report().entriesUndone()).isEqualTo(2);
      assertThat(region.memory().length()).isEqualTo(grown);
      assertThat(Words.read(region, 999)).isEqualTo(7);
      long block = Words.read(region, 998);
      assertThat(region.memory().readPlain(block)).isEqualTo(block);
      region.heap().validator().blocks().stream()
          .filter(each -> each.bytes() >= LARGE_BYTES)
          .forEach(each -> Words.atomically(() -> region.heap().free(each.offset())));
      region.trim();
      assertThat(region.memory().length()).isLessThanOrEqualTo(grown);
      assertThat(Files.size(path)).isEqualTo(region.memory().length());
    }
  }

  @Test
  void openingReadsNothingThatGrowsWithTheFile() throws IOException {
    long small = wordsReadAtOpening(2 << 20, true);
    assertThat(wordsReadAtOpening(10 * GIBIBYTE, true)).isBetween(small, small + LINKS);
    long recovered = wordsReadAtOpening(3 << 20, false);
    assertThat(wordsReadAtOpening(11 * GIBIBYTE, false)).isBetween(recovered, recovered + LINKS);
  }

  private long wordsReadAtOpening(long length, boolean clean) throws IOException {
    Path path = region(length);
    Memory memory = new MappedMemory(path, length, new PageCache());
    RegionHeader.read(memory)
        .stateChanged(clean ? RegionHeader.State.CLOSED : RegionHeader.State.OPEN);
    CountedReads counted = new CountedReads(memory);
    Region region = Region.open(counted, RegionFile.INITIAL_BYTES);
    assertThat(region.report().outcome()).isEqualTo(clean ? Outcome.CLEAN : Outcome.RECOVERED);
    long words = counted.words();
    region.close();
    return words;
  }
}
