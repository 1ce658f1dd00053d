package io.holdfast.core.section;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.RegionFullException;
import io.holdfast.core.fixture.FullDeviceOpener;
import io.holdfast.core.fixture.Words;
import io.holdfast.core.memory.RegionLayout;
import io.holdfast.core.region.Region;
import io.holdfast.core.section.hooks.SectionHooks;
import io.holdfast.testkit.Bounds;
import io.holdfast.testkit.CrashExplorer;
import io.holdfast.testkit.CrashTest;
import java.util.List;

/// Crashes while a section is rolled back because the device is full: what is found is what was
/// there before the section, whenever the crash came (ROLLBACK-1).
class RollbackCrashTest {
  private static final Bounds FEW = new Bounds(6, 8, 4, 40);
  private static final List<Object> LOCKS = SectionSteps.locks(2);
  private static final Object OUTER = LOCKS.get(0), X = LOCKS.get(1);

  /// Asks for more than there is.
  private static void fail(Region region) {
    try {
      region.heap().allocate(RegionLayout.MIN_BYTES);
      throw new AssertionError("there was room");
    } catch (RegionFullException e) {
      // As it should be.
    }
  }

  private static void stores(Region region) {
    Section section = region.sections().current();
    Words.write(region, 0, 7);
    section.fill(Words.at(region, 1), 10, 7);
    Words.write(region, 0, 8);
    Words.write(region, 3, 8);
    Words.write(region, 12, 8);
    section.copy(Words.at(region, 3), Words.at(region, 11), 24);
    region.heap().allocate(40);
    long word = Words.read(region, 15);
    region.heap().free(word);
    Words.write(region, 15, 0);
  }

  private static CrashExplorer<Region> prepared(CrashExplorer<Region> explorer) {
    return explorer
        .given(
            region -> {
              Words.create(region, 16);
              Words.atomically(
                  () -> {
                    for (int i = 0; i < 15; i++) {
                      Words.write(region, i, 100 + i);
                    }
                    Words.write(region, 15, region.heap().allocate(40));
                  });
            })
        .bounds(FEW)
        .state(
            region ->
                List.of(Words.read(region, 0, 16), region.heap().validator().blocks()).toString());
  }

  @CrashTest(opener = FullDeviceOpener.class)
  void p1NothingStays(CrashExplorer<Region> explorer) {
    prepared(explorer)
        .step(
            "rolled back",
            region ->
                Words.atomically(
                    () -> {
                      stores(region);
                      fail(region);
                    }))
        .step(
            "and again, with another section behind it",
            region -> {
              Words.atomically(
                  () -> {
                    stores(region);
                    fail(region);
                  });
              Words.atomically(() -> Words.write(region, 2, 9));
            })
        .step(
            "and one that stays",
            region ->
                Words.atomically(
                    () -> {
                      Words.write(region, 0, 10);
                      Words.write(region, 14, 10);
                    }));
  }

  /// B allocates between A's rollback and A's end, and is durable before that.
  ///
  /// Shows ROLLBACK-3.
  @CrashTest(opener = FullDeviceOpener.class)
  void blocksAreNotUsedAgainBeforeTheEnd(CrashExplorer<Region> explorer) {
    prepared(explorer)
        .step(
            "A",
            "allocates, and is rolled back",
            region -> {
              SectionHooks.acquired(OUTER);
              region.heap().allocate(40);
              Words.write(region, 1, 7);
              fail(region);
            })
        .step(
            "B",
            "allocates",
            region -> Words.atomically(() -> Words.write(region, 0, region.heap().allocate(40))))
        .step("A", "ends", region -> SectionHooks.releasing(OUTER))
        .step(
            "A",
            "allocates what it had",
            region -> Words.atomically(() -> Words.write(region, 1, region.heap().allocate(40))));
  }

  /// B acquires what A released before it was rolled back, stores to the same words, and waits.
  @CrashTest(opener = FullDeviceOpener.class)
  void whoAcquiresBehindTheRollback(CrashExplorer<Region> explorer) {
    prepared(explorer)
        .withoutModel()
        .step(
            "A",
            "releases openly, and is rolled back",
            region -> {
              SectionHooks.acquired(OUTER);
              SectionHooks.acquired(X);
              Words.write(region, 0, 7);
              Words.write(region, 9, 7);
              SectionHooks.releasing(X);
              Words.write(region, 1, 7);
              fail(region);
            })
        .step(
            "B",
            "stores on top",
            region -> {
              SectionHooks.acquired(X);
              Words.write(region, 0, Words.read(region, 0) + 1_000);
              Words.write(region, 10, 8);
              SectionHooks.releasing(X);
            })
        .step("A", "ends", region -> SectionHooks.releasing(OUTER))
        .check(
            (region, point) -> {
              boolean ofB = Words.read(region, 0) == 1_100;
              assertThat(Words.read(region, 0)).isEqualTo(ofB ? 1_100 : 100);
              assertThat(Words.read(region, 1)).isEqualTo(101);
              assertThat(Words.read(region, 9)).isEqualTo(109);
              assertThat(Words.read(region, 10)).isEqualTo(ofB ? 8 : 110);
              if (point.acknowledged() == 3) {
                assertThat(ofB).isTrue();
              }
            });
  }
}
