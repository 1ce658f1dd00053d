package io.holdfast.core.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.fixture.Words;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.memory.RegionLayout;
import io.holdfast.core.memory.SpanTable.Use;
import io.holdfast.core.region.Region;
import io.holdfast.core.section.hooks.SectionHooks;
import io.holdfast.testkit.Baton;
import io.holdfast.testkit.Bounds;
import io.holdfast.testkit.CrashExplorer;
import io.holdfast.testkit.CrashTest;

/// Crashes while more sections are open at once than there are log slots.
class LogPoolCrashTest {
  /// Shows POOL-1.
  @CrashTest
  void groupsAreZeroBeforeTheyAreLinked(CrashExplorer<Region> explorer) {
    int threads = LogSlot.FIRST_GROUP + 2;
    explorer
        .given(
            region -> {
              Words.create(region, 64);
              Words.dirtyFreeSpans(region);
            })
        .withoutModel()
        .bounds(new Bounds(6, 24, 12, 60))
        .state(region -> Words.read(region, 0, 64));
    for (int i = 0; i < threads; i++) {
      int word = i;
      explorer.step(
          "T" + i,
          "begin " + i,
          region -> {
            SectionHooks.enter();
            Words.write(region, word, 1);
          });
    }
    for (int i = 0; i < threads; i++) {
      explorer.step("T" + i, "end " + i, region -> SectionHooks.exit());
    }
    explorer.check(
        (region, point) -> {
          int ended = Math.max(0, point.acknowledged() - threads);
          for (int i = 0; i < threads; i++) {
            if (i != ended || point.inFlight() == null) {
              assertThat(Words.read(region, i)).as("word %d", i).isEqualTo(i < ended ? 1 : 0);
            }
          }
          long groups = groups(region.memory());
          assertThat(Words.spans(region, Use.LOG_GROUP)).isEqualTo(groups);
          if (point.acknowledged() >= threads) {
            assertThat(groups).isEqualTo(1);
          }
        });
  }

  /// A crash in the middle of closing leaves no span that nobody knows, and the sections' stores.
  @CrashTest
  void pool2GroupsGoWhenTheRegionIsClosed(CrashExplorer<Region> explorer) {
    int threads = LogSlot.FIRST_GROUP + LogSlot.FURTHER_GROUP + 1;
    explorer
        .given(
            region -> {
              Words.create(region, 64);
              Words.dirtyFreeSpans(region);
              try (Baton baton = new Baton()) {
                for (int i = 0; i < threads; i++) {
                  int word = i;
                  baton.run(
                      "T" + i,
                      () -> {
                        SectionHooks.enter();
                        Words.write(region, word, 1);
                      });
                }
                for (int i = 0; i < threads; i++) {
                  baton.run("T" + i, SectionHooks::exit);
                }
              }
            })
        .withoutModel()
        .bounds(new Bounds(6, 24, 12, 60))
        .step("close", Region::close)
        .check(
            (region, point) -> {
              assertThat(Words.read(region, 0, threads)).containsOnly(1L);
              long groups = groups(region.memory());
              assertThat(Words.spans(region, Use.LOG_GROUP)).isEqualTo(groups);
              assertThat(groups).isBetween(0L, 2L);
              if (point.acknowledged() == 1) {
                assertThat(groups).isZero();
                assertThat(region.durableSections()).isGreaterThanOrEqualTo(threads);
              }
            });
  }

  private static long groups(Memory memory) {
    long count = 0;
    long group = memory.readPlain(RegionLayout.ANCHOR_LOG_GROUPS);
    while (group != 0) {
      count++;
      group = memory.readPlain(group + LogSlot.GROUP_NEXT);
    }
    return count;
  }
}
