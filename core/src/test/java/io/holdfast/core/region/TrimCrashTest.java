package io.holdfast.core.region;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.fixture.Words;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.memory.RegionHeader;
import io.holdfast.core.memory.RegionLayout;
import io.holdfast.testkit.Bounds;
import io.holdfast.testkit.CrashExplorer;
import io.holdfast.testkit.CrashTest;
import java.util.Arrays;
import java.util.List;

/// Crashes while a region becomes shorter and grows again. What is cut off was used and freed: it
/// looks like log entries of a far future.
///
/// Shows SPAN-2.
class TrimCrashTest {
  private static final int HOLDERS = 3;
  private static final long BYTES = 1_200_000;

  private static void allocate(Region region, int holder) {
    Words.atomically(
        () -> {
          long block = region.heap().allocate(BYTES);
          region.memory().writePlain(block + BYTES - 8, holder);
          Words.write(region, holder, block);
        });
  }

  private static void free(Region region, int... holders) {
    Words.atomically(
        () -> {
          for (int holder : holders) {
            region.heap().free(Words.read(region, holder));
            Words.write(region, holder, 0);
          }
        });
  }

  private static Object state(Region region) {
    return List.of(region.heap().validator().blocks(), Words.read(region, 0, HOLDERS));
  }

  private static CrashExplorer<Region> prepared(CrashExplorer<Region> explorer) {
    return explorer
        .given(
            region -> {
              Words.create(region, HOLDERS);
              allocate(region, 1);
              free(region, 1);
              Words.dirtyFreeSpans(region);
              allocate(region, 0);
              allocate(region, 1);
            })
        .bounds(new Bounds(8, 16, 16, 200))
        .state(TrimCrashTest::state)
        .check(
            (region, point) ->
                assertThat(region.memory().length())
                    .isEqualTo(RegionHeader.read(region.memory()).length()))
        .check(TrimCrashTest::growsByZeros);
  }

  /// Whatever a crash has left behind the region's end.
  private static void growsByZeros(Region region, Object point) {
    Memory memory = region.memory();
    long before = memory.length();
    Words.atomically(() -> region.heap().allocate(before));
    assertThat(memory.length()).isGreaterThan(before);
    byte[] grown = new byte[(int) (memory.length() - before)];
    memory.readBytes(before, grown, 0, grown.length);
    if (!Arrays.equals(grown, new byte[grown.length])) { // an assertion for each byte is slow
      assertThat(grown).as("bytes from 0x%X", before).containsOnly(0);
    }
  }

  @CrashTest
  void length1TheHeaderIsShorterFirst(CrashExplorer<Region> explorer) {
    prepared(explorer)
        .step("free", region -> free(region, 1))
        .step("trim", Region::trim)
        .step("grow", region -> allocate(region, 2))
        .step("free all", region -> free(region, 2))
        .step("trim again", Region::trim);
  }

  @CrashTest
  void length1WhatIsBehindIsNobodys(CrashExplorer<Region> explorer) {
    prepared(explorer)
        .step(
            "free and trim at once",
            region -> {
              free(region, 0, 1);
              region.trim();
              assertThat(region.memory().length())
                  .isLessThanOrEqualTo(8L * RegionLayout.SPAN_BYTES);
            })
        .step("grow", region -> allocate(region, 0));
  }

  @CrashTest
  void closingGivesBackWhatIsMuch(CrashExplorer<Region> explorer) {
    prepared(explorer)
        .step("grow", region -> allocate(region, 2))
        .step("free all", region -> free(region, 0, 1, 2))
        .step("close", Region::close);
  }
}
