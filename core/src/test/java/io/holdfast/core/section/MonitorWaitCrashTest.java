package io.holdfast.core.section;

import static io.holdfast.core.section.SectionSteps.assertAllAtEnd;
import static io.holdfast.core.section.SectionSteps.assertImplies;
import static io.holdfast.core.section.SectionSteps.end;
import static io.holdfast.core.section.SectionSteps.lock;
import static io.holdfast.core.section.SectionSteps.openRelease;
import static io.holdfast.core.section.SectionSteps.prepared;
import static io.holdfast.core.section.SectionSteps.section;
import static io.holdfast.core.section.SectionSteps.unlock;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.fixture.Words;
import io.holdfast.core.region.Region;
import io.holdfast.core.section.hooks.SectionHooks;
import io.holdfast.testkit.CrashExplorer;
import io.holdfast.testkit.CrashTest;
import java.util.List;

/// Crashes around a thread that gives a lock up to wait, and takes it again.
class MonitorWaitCrashTest {
  private static final List<Object> LOCKS = SectionSteps.locks(3);
  private static final Object OUTER = LOCKS.get(0), LOCK = LOCKS.get(1), OTHER = LOCKS.get(2);

  /// A wait on the only lock ends the section; after it another one begins.
  @CrashTest
  void p1AtomicUpToAWait(CrashExplorer<Region> explorer) {
    waitAlone(explorer, 1);
  }

  /// The same by a thread that has taken the lock three times.
  @CrashTest
  void p1AtomicUpToAReentrantWait(CrashExplorer<Region> explorer) {
    waitAlone(explorer, 3);
  }

  private static void waitAlone(CrashExplorer<Region> explorer, int holds) {
    prepared(explorer)
        .step(
            "A",
            "A stores 0 and 1, waits",
            region -> {
              lock(LOCK);
              Words.write(region, 0, 1);
              for (int i = 1; i < holds; i++) {
                SectionHooks.enter();
              }
              Words.write(region, 1, 1);
              SectionHooks.awaiting(LOCK, holds);
              assertThat(SectionHooks.inSection()).isFalse();
            })
        .step("B", "B stores 2", section(LOCK, 2))
        .step(
            "A",
            "A stores 3 and 4, ends",
            region -> {
              SectionHooks.awaited(LOCK, holds);
              Words.write(region, 3, 1);
              for (int i = 1; i < holds; i++) {
                SectionHooks.exit();
              }
              Words.write(region, 4, 1);
              unlock(LOCK);
              assertThat(SectionHooks.inSection()).isFalse();
            })
        .check(
            (region, point) -> {
              assertImplies(region, 0, 1);
              assertImplies(region, 1, 0);
              assertImplies(region, 3, 4);
              assertImplies(region, 4, 3);
              List<Long> words = Words.read(region, 0, 5);
              assertThat(words.subList(0, 2 * Math.min(point.acknowledged(), 1)))
                  .as("acknowledged by the wait (P6)")
                  .doesNotContain(0L);
              assertThat(words.subList(2, point.acknowledged() >= 2 ? 3 : 2)).doesNotContain(0L);
              assertAllAtEnd(region, point, 3, 1L, 1L, 1L, 1L, 1L);
            });
  }

  /// The section that a wait has ended waits itself, for X; who takes the lock depends on it.
  @CrashTest
  void p2OrderedThroughAWait(CrashExplorer<Region> explorer) {
    prepared(explorer)
        .step("X", "X stores 0, releases openly", openRelease(OUTER, OTHER, 0))
        .step(
            "A",
            "A acquires it, stores 1, waits on another lock",
            region -> {
              lock(LOCK);
              lock(OTHER);
              Words.write(region, 1, 1);
              unlock(OTHER);
              SectionHooks.awaiting(LOCK, 1);
            })
        .step("B", "B stores 2", section(LOCK, 2))
        .step(
            "A",
            "A stores 3",
            region -> {
              SectionHooks.awaited(LOCK, 1);
              Words.write(region, 3, 1);
              unlock(LOCK);
            })
        .step("X", "X stores 4, ends", end(OUTER, 4))
        .check(
            (region, point) -> {
              assertImplies(region, 0, 4);
              assertImplies(region, 1, 0);
              assertImplies(region, 2, 1);
              assertImplies(region, 3, 2);
              assertAllAtEnd(region, point, 5, 1L, 1L, 1L, 1L, 1L);
            });
  }

  /// A wait inside of another lock is an uncommitted release, and its end an acquire: who had the
  /// lock in between and who waits are durable together.
  @CrashTest
  void p2OrderedInACycleThroughANestedWait(CrashExplorer<Region> explorer) {
    waitNested(explorer, 1);
  }

  /// The same by a thread that has taken the lock three times.
  @CrashTest
  void p2OrderedInACycleThroughANestedReentrantWait(CrashExplorer<Region> explorer) {
    waitNested(explorer, 3);
  }

  private static void waitNested(CrashExplorer<Region> explorer, int holds) {
    prepared(explorer)
        .step(
            "A",
            "A stores 0, waits inside of another lock",
            region -> {
              lock(OUTER);
              lock(LOCK);
              for (int i = 1; i < holds; i++) {
                SectionHooks.enter();
              }
              Words.write(region, 0, 1);
              SectionHooks.awaiting(LOCK, holds);
              assertThat(SectionHooks.inSection()).isTrue();
            })
        .step("B", "B stores 1, releases openly", openRelease(OTHER, LOCK, 1))
        .step(
            "A",
            "A stores 2, ends",
            region -> {
              SectionHooks.awaited(LOCK, holds);
              for (int i = 1; i < holds; i++) {
                SectionHooks.exit();
              }
              unlock(LOCK);
              Words.write(region, 2, 1);
              unlock(OUTER);
              assertThat(SectionHooks.inSection()).isFalse();
            })
        .step("B", "B stores 3, ends", end(OTHER, 3))
        .check(
            (region, point) -> {
              assertThat(Words.read(region, 0, 4))
                  .isIn(List.of(0L, 0L, 0L, 0L), List.of(1L, 1L, 1L, 1L));
              assertAllAtEnd(region, point, 4, 1L, 1L, 1L, 1L);
            });
  }
}
