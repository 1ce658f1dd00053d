package io.holdfast.core.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.fixture.RegionOpener;
import io.holdfast.core.fixture.Words;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.memory.SpanTable.Use;
import io.holdfast.core.region.Region;
import io.holdfast.core.section.hooks.SectionHooks;
import io.holdfast.testkit.Bounds;
import io.holdfast.testkit.CrashExplorer;
import io.holdfast.testkit.CrashTest;
import java.util.HashSet;

/// Crashes inside of recovery, and inside of the recovery after that.
class RecoveryCrashTest {
  private static final Object OUTER = new Object(), INNER = new Object();

  /// Two logs with a conflict, one of them with a chunk, one section kept and two undone: all that
  /// recovery can have to do.
  ///
  /// Shows RECOVERY-1.
  @CrashTest
  void recoveryCanBeCutOffAnywhere(CrashExplorer<Region> explorer) {
    explorer
        .given(
            region -> {
              Words.create(region, 80);
              Words.dirtyFreeSpans(region);
              Words.atomically(() -> Words.write(region, 1, 5));
            })
        .withoutModel()
        .bounds(new Bounds(1, 1, 1, 6))
        .crashesOfRecovery(2)
        .state(region -> Words.read(region, 0, 80))
        .step(
            "A",
            "A stores 70 words, releases openly",
            region -> {
              SectionHooks.acquired(OUTER);
              SectionHooks.acquired(INNER);
              for (int i = 0; i < 70; i++) {
                Words.write(region, i, 1);
              }
              SectionHooks.releasing(INNER);
            })
        .step(
            "B",
            "B stores over it, and waits",
            region -> {
              SectionHooks.acquired(INNER);
              Words.write(region, 0, 2);
              Words.write(region, 1, 2);
              SectionHooks.releasing(INNER);
            })
        .step(
            "A",
            "A stores over that, ends",
            region -> {
              SectionHooks.acquired(INNER);
              Words.write(region, 1, 3);
              SectionHooks.releasing(INNER);
              SectionHooks.releasing(OUTER);
            })
        .check(
            (region, point) -> {
              assertThat(Words.spans(region, Use.LOG_CHUNK)).isZero();
              long first = Words.read(region, 0);
              assertThat(Words.read(region, 1)).isEqualTo(first == 0 ? 5 : 3);
              assertThat(Words.read(region, 69)).isEqualTo(first == 0 ? 0 : 1);
              if (point.acknowledged() == 3) {
                assertThat(first).isEqualTo(2);
              }
            });
  }

  /// An opening that goes on at once: the first section's entries overwrite those that recovery has
  /// just undone.
  @CrashTest(opener = Storing.class)
  void theFirstSectionComesAfterRecovery(CrashExplorer<Region> explorer) {
    explorer
        .given(region -> Words.create(region, 8))
        .withoutModel()
        .state(region -> Words.read(region, 0, 6))
        .step(
            "six words",
            region ->
                Words.atomically(
                    () -> {
                      for (int i = 0; i < 6; i++) {
                        Words.write(region, i, 1);
                      }
                    }))
        .check(
            (region, point) -> {
              assertThat(new HashSet<>(Words.read(region, 0, 6))).hasSize(1);
              assertThat(Words.read(region, 6, 8)).containsOnly(9L);
            });
  }

  /// Stores two words right after the opening.
  public static final class Storing extends RegionOpener {
    @Override
    protected Region open(Memory memory) {
      Region region = super.open(memory);
      try {
        if (!Words.read(region, 0, 1).isEmpty()) {
          Words.atomically(
              () -> {
                Words.write(region, 6, 9);
                Words.write(region, 7, 9);
              });
        }
        return region;
      } catch (Throwable e) {
        region.close();
        throw e;
      }
    }
  }
}
