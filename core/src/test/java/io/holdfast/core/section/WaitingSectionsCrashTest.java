package io.holdfast.core.section;

import static io.holdfast.core.section.SectionSteps.lock;
import static io.holdfast.core.section.SectionSteps.unlock;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.fixture.Words;
import io.holdfast.core.region.Region;
import io.holdfast.testkit.Bounds;
import io.holdfast.testkit.CrashExplorer;
import io.holdfast.testkit.CrashExplorer.Action;
import io.holdfast.testkit.CrashTest;
import java.util.HashSet;
import java.util.List;
import java.util.stream.IntStream;

/// Crashes around sections that have ended, wait for others, and are made durable by other threads:
/// COMMIT-1, COMMIT-2, and where data are flushed as late as that, HOLD-1 to HOLD-3.
///
/// Every word here is in a line of its own, so that no line is flushed in another one's company.
class WaitingSectionsCrashTest {
  private static final int WORDS_OF_A_LINE = 8, LINES = 8;
  private static final List<Object> LOCKS = SectionSteps.locks(4);
  private static final Object OUTER = LOCKS.get(0), INNER = LOCKS.get(1), OTHER = LOCKS.get(2);
  private static final Object OUTER_OF_B = LOCKS.get(3);

  private static Action<Region> section(Object lock, int... lines) {
    return SectionSteps.section(lock, words(lines));
  }

  private static Action<Region> openRelease(Object outer, Object inner, int... lines) {
    return SectionSteps.openRelease(outer, inner, words(lines));
  }

  private static Action<Region> end(Object outer, int... lines) {
    return SectionSteps.end(outer, words(lines));
  }

  private static int[] words(int... lines) {
    return IntStream.of(lines).map(line -> line * WORDS_OF_A_LINE).toArray();
  }

  private static void write(Region region, int line, long value) {
    Words.write(region, line * WORDS_OF_A_LINE, value);
  }

  private static long read(Region region, int line) {
    return Words.read(region, line * WORDS_OF_A_LINE);
  }

  private static List<Long> lines(Region region) {
    return IntStream.range(0, LINES).mapToObj(line -> read(region, line)).toList();
  }

  private static CrashExplorer<Region> prepared(CrashExplorer<Region> explorer) {
    return explorer
        .given(region -> Words.create(region, LINES * WORDS_OF_A_LINE))
        .withoutModel()
        .bounds(new Bounds(8, 12, 12, 100))
        .state(WaitingSectionsCrashTest::lines);
  }

  @CrashTest
  void theThreadThatCommitsMakesDataDurable(CrashExplorer<Region> explorer) {
    prepared(explorer)
        .step("A", "A stores 0, releases openly", openRelease(OUTER, INNER, 0))
        .step("B", "B stores 1 and 2, and waits", section(INNER, 1, 2))
        .step(
            "B",
            "B's next one stores 1 again, and 3, and waits",
            region -> {
              lock(OTHER);
              write(region, 1, 2);
              write(region, 3, 2);
              unlock(OTHER);
            })
        .step("A", "A stores 4, ends, settles", end(OUTER, 4))
        .step(
            "B",
            "B's log begins anew",
            region -> {
              lock(OTHER);
              write(region, 5, 3);
              write(region, 6, 3);
              write(region, 7, 3);
              unlock(OTHER);
            })
        .check(
            (region, point) -> {
              List<Long> found = lines(region);
              assertThat(found)
                  .isIn(
                      List.of(0L, 0L, 0L, 0L, 0L, 0L, 0L, 0L),
                      List.of(1L, 0L, 0L, 0L, 1L, 0L, 0L, 0L),
                      List.of(1L, 1L, 1L, 0L, 1L, 0L, 0L, 0L),
                      List.of(1L, 2L, 1L, 2L, 1L, 0L, 0L, 0L),
                      List.of(1L, 2L, 1L, 2L, 1L, 3L, 3L, 3L));
              if (point.acknowledged() >= 4) {
                assertThat(found).startsWith(1L, 2L, 1L, 2L, 1L);
              }
              if (point.acknowledged() == 5) {
                assertThat(found).endsWith(3L, 3L, 3L);
              }
            });
  }

  /// The last one to end stores nothing, and depends on nobody.
  @CrashTest
  void isCommittedByASectionWithoutStores(CrashExplorer<Region> explorer) {
    prepared(explorer)
        .step("A", "A releases openly", openRelease(OUTER, INNER))
        .step("B", "B stores 1 and 2, and waits", section(INNER, 1, 2))
        .step(
            "C",
            "C acquires from B, stores 2 and 3, and waits",
            region -> {
              lock(INNER);
              write(region, 2, 2);
              write(region, 3, 2);
              unlock(INNER);
            })
        .step("A", "A ends, settles", end(OUTER))
        .check(
            (region, point) -> {
              List<Long> found = lines(region).subList(1, 4);
              assertThat(found).isIn(List.of(0L, 0L, 0L), List.of(1L, 1L, 0L), List.of(1L, 2L, 2L));
              if (point.acknowledged() == 4) {
                assertThat(found).containsExactly(1L, 2L, 2L);
              }
            });
  }

  /// A section that is open when its predecessor becomes durable has stored to the same line.
  @CrashTest
  void aLineIsStoredToWhileItWaits(CrashExplorer<Region> explorer) {
    prepared(explorer)
        .step("A", "A stores 0, releases openly", openRelease(OUTER, INNER, 0))
        .step("B", "B stores 1, and waits", section(INNER, 1))
        .step(
            "B",
            "B's next one stores 1 and 2",
            region -> {
              lock(OTHER);
              write(region, 1, 2);
              write(region, 2, 2);
            })
        .step("A", "A ends, settles", end(OUTER))
        .step("B", "B's next one ends", end(OTHER))
        .check(
            (region, point) -> {
              List<Long> found = lines(region).subList(0, 3);
              assertThat(found)
                  .isIn(
                      List.of(0L, 0L, 0L),
                      List.of(1L, 0L, 0L),
                      List.of(1L, 1L, 0L),
                      List.of(1L, 2L, 2L));
              if (point.acknowledged() >= 4) {
                assertThat(found.get(1)).isPositive();
              }
              if (point.acknowledged() == 5) {
                assertThat(found).containsExactly(1L, 2L, 2L);
              }
            });
  }

  private static void checkAllOrNothing(CrashExplorer<Region> explorer, int steps, int lines) {
    explorer.check(
        (region, point) -> {
          List<Long> found = lines(region).subList(0, lines);
          assertThat(new HashSet<>(found)).as("lines alike: %s", found).hasSize(1);
          if (point.acknowledged() == steps) {
            assertThat(found).containsOnly(1L);
          }
        });
  }

  /// A acquires what B released, and B what A released. B ends first, A settles.
  @CrashTest
  void aCycleIsDurableTogether(CrashExplorer<Region> explorer) {
    prepared(explorer)
        .step("A", "A stores 0, releases openly", openRelease(OUTER, INNER, 0))
        .step("B", "B acquires it, stores 1, releases openly", openRelease(OUTER_OF_B, INNER, 1))
        .step("A", "A acquires it back, stores 2", section(INNER, 2))
        .step("B", "B stores 3, ends", end(OUTER_OF_B, 3))
        .step("A", "A ends, settles", end(OUTER));
    checkAllOrNothing(explorer, 5, 4);
  }

  /// The same, where B's log ends with the dependency: no data after it waited for it.
  ///
  /// Shows HOLD-2.
  @CrashTest
  void aDependencyIsDurableBeforeTheEndThatHasIt(CrashExplorer<Region> explorer) {
    prepared(explorer)
        .step("A", "A stores 0, releases openly", openRelease(OUTER, INNER, 0))
        .step("B", "B stores 1, releases openly", openRelease(OUTER_OF_B, OTHER, 1))
        .step("A", "A acquires that, stores 2", section(OTHER, 2))
        .step(
            "B",
            "B acquires A's, ends",
            region -> {
              lock(INNER);
              unlock(INNER);
              unlock(OUTER_OF_B);
            })
        .step("A", "A ends, settles", end(OUTER));
    checkAllOrNothing(explorer, 5, 3);
  }
}
