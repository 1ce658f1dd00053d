package io.holdfast.core.section;

import static io.holdfast.core.section.SectionSteps.assertAllAtEnd;
import static io.holdfast.core.section.SectionSteps.assertImplies;
import static io.holdfast.core.section.SectionSteps.end;
import static io.holdfast.core.section.SectionSteps.lock;
import static io.holdfast.core.section.SectionSteps.openRelease;
import static io.holdfast.core.section.SectionSteps.prepared;
import static io.holdfast.core.section.SectionSteps.unlock;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.fixture.Words;
import io.holdfast.core.region.Region;
import io.holdfast.core.section.hooks.SectionHooks;
import io.holdfast.testkit.CrashExplorer;
import io.holdfast.testkit.CrashTest;
import java.util.List;

/// Crashes in sections that depend on each other through what is not a lock: a volatile field that
/// one thread writes and another reads.
class EdgeCrashTest {
  private static final List<Object> LOCKS = SectionSteps.locks(5);
  private static final Object OUTER = LOCKS.get(0), INNER = LOCKS.get(1), OTHER = LOCKS.get(2);
  private static final Object FLAG = LOCKS.get(3), NEXT_FLAG = LOCKS.get(4);

  /// A writes the field inside of its section; B reads it outside, C inside of one.
  @CrashTest
  void p2OrderedThroughAVolatile(CrashExplorer<Region> explorer) {
    prepared(explorer)
        .step(
            "A",
            "A stores 0, writes the field",
            region -> {
              lock(OUTER);
              Words.write(region, 0, 1);
              SectionHooks.publishing(FLAG);
            })
        .step(
            "B",
            "B reads the field, then stores 1",
            region -> {
              SectionHooks.observed(FLAG);
              lock(OTHER);
              Words.write(region, 1, 1);
              unlock(OTHER);
            })
        .step(
            "C",
            "C stores 2, reads the field, stores 0",
            region -> {
              lock(INNER);
              Words.write(region, 2, 1);
              SectionHooks.observed(FLAG);
              Words.write(region, 0, 2);
              unlock(INNER);
            })
        .step(
            "A",
            "A stores 3, ends",
            region -> {
              Words.write(region, 3, 1);
              unlock(OUTER);
              assertThat(SectionHooks.inSection()).isFalse();
            })
        .check(
            (region, point) -> {
              assertThat(Words.read(region, 0, 4))
                  .as("B and C only with A")
                  .isIn(
                      List.of(0L, 0L, 0L, 0L),
                      List.of(1L, 0L, 0L, 1L),
                      List.of(1L, 1L, 0L, 1L),
                      List.of(2L, 0L, 1L, 1L),
                      List.of(2L, 1L, 1L, 1L));
              assertAllAtEnd(region, point, 4, 2L, 1L, 1L, 1L);
            });
  }

  /// Written outside of sections, the field passes on what the thread's last section waits for; and
  /// so does one that is written by a thread that has only read.
  @CrashTest
  void p2OrderedThroughVolatilesOutsideOfSections(CrashExplorer<Region> explorer) {
    prepared(explorer)
        .step("X", "X stores 0, releases openly", openRelease(OUTER, INNER, 0))
        .step(
            "A",
            "A acquires it, stores 1, ends, writes the field",
            region -> {
              lock(INNER);
              Words.write(region, 1, 1);
              unlock(INNER);
              SectionHooks.publishing(FLAG);
            })
        .step(
            "B",
            "B reads the field, writes another",
            region -> {
              SectionHooks.observed(FLAG);
              SectionHooks.publishing(NEXT_FLAG);
            })
        .step(
            "C",
            "C reads that, stores 2",
            region -> {
              SectionHooks.observed(NEXT_FLAG);
              lock(OTHER);
              Words.write(region, 2, 1);
              unlock(OTHER);
            })
        .step("X", "X stores 3, ends", end(OUTER, 3))
        .check(
            (region, point) -> {
              assertImplies(region, 0, 3);
              assertImplies(region, 1, 0);
              assertImplies(region, 2, 1);
              assertAllAtEnd(region, point, 5, 1L, 1L, 1L, 1L);
            });
  }
}
