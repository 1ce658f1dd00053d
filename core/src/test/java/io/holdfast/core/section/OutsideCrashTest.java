package io.holdfast.core.section;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.fixture.Words;
import io.holdfast.core.region.Region;
import io.holdfast.core.section.hooks.SectionHooks;
import io.holdfast.testkit.CrashExplorer;
import io.holdfast.testkit.CrashTest;
import io.holdfast.testkit.RecordingMemory;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What threads do outside of their sections.
class OutsideCrashTest {
  private static final List<Object> LOCKS = SectionSteps.locks(3);
  private static final Object OUTER = LOCKS.get(0), INNER = LOCKS.get(1), OTHER = LOCKS.get(2);

  private static void outside(Region region, int word, long value) {
    region.sections().write(Words.at(region, word), value);
  }

  private static void section(Region region, Object lock, int word) {
    SectionHooks.acquired(lock);
    Words.write(region, word, 1);
    SectionHooks.releasing(lock);
  }

  private static CrashExplorer<Region> prepared(CrashExplorer<Region> explorer) {
    return explorer
        .given(region -> Words.create(region, 8))
        .state(region -> Words.read(region, 0, 4));
  }

  /// A store outside is there when it has returned, and before what follows it.
  @CrashTest
  void p3Published(CrashExplorer<Region> explorer) {
    prepared(explorer)
        .step("store", region -> outside(region, 0, 1))
        .step("section", region -> section(region, OTHER, 1))
        .step("store", region -> outside(region, 2, 1));
  }

  /// Another thread's section is durable only with what happened before, outside of sections.
  @CrashTest
  void p3PublishedByAnotherThread(CrashExplorer<Region> explorer) {
    prepared(explorer)
        .step("A", "A stores outside", region -> outside(region, 0, 1))
        .step("B", "B was told", region -> section(region, OTHER, 1));
  }

  /// A is in the middle of a section, B's section depends on it and waits, and B goes on outside.
  @CrashTest
  void p5NoEarlyTail(CrashExplorer<Region> explorer) {
    prepared(explorer)
        .withoutModel()
        .step(
            "A",
            "A stores 0, releases openly",
            region -> {
              SectionHooks.acquired(OUTER);
              SectionHooks.acquired(INNER);
              Words.write(region, 0, 1);
              SectionHooks.releasing(INNER);
            })
        .step("B", "B stores 1, ends, waits", region -> section(region, INNER, 1))
        .step(
            "B",
            "B stores 2 and 3 outside",
            region -> {
              outside(region, 2, 1);
              outside(region, 3, 1);
            })
        .step("A", "A ends", region -> SectionHooks.releasing(OUTER))
        .check(
            (region, point) -> {
              List<Long> words = Words.read(region, 0, 4);
              int last = words.lastIndexOf(1L);
              assertThat(words.subList(0, last + 1))
                  .as("nothing without what it followed")
                  .allMatch(word -> word == 1);
              if (point.acknowledged() == 4) {
                assertThat(words).containsOnly(1L);
              }
            });
  }

  /// A block that was allocated outside is the next section's, or nobody's.
  @CrashTest
  void allocationBelongsToTheNextSection(CrashExplorer<Region> explorer) {
    long[] block = new long[1];
    prepared(explorer)
        .withoutModel()
        .thoroughInBothForms() // crashes of recovery show the order of its last stores
        .step(
            "allocate and fill",
            region -> {
              block[0] = region.heap().allocate(40);
              region.memory().writePlain(block[0], 7);
            })
        .step(
            "publish",
            region -> {
              SectionHooks.acquired(OTHER);
              Words.write(region, 0, block[0]);
              SectionHooks.releasing(OTHER);
            })
        .check(
            (region, point) -> {
              long published = Words.read(region, 0);
              if (published != 0) {
                assertThat(region.memory().readPlain(published)).isEqualTo(7);
              }
              assertThat(region.heap().validator().blocks())
                  .as("the root's directory, the words, the block")
                  .hasSize(published != 0 ? 3 : 2);
              if (point.acknowledged() == 2) {
                assertThat(published).isEqualTo(block[0]);
              }
            });
  }

  /// The same if its next section is a single store, which needs no log by itself.
  @CrashTest
  void allocationBelongsToASectionOfOneStore(CrashExplorer<Region> explorer) {
    prepared(explorer)
        .withoutModel()
        .step(
            "allocate and publish",
            region -> {
              long block = region.heap().allocate(40);
              SectionHooks.acquired(OTHER);
              region.sections().current().writeOnly(Words.at(region, 0), block, null);
              SectionHooks.releasing(OTHER);
            })
        .check(
            (region, point) ->
                assertThat(region.heap().validator().blocks())
                    .hasSize(Words.read(region, 0) != 0 ? 3 : 2));
  }

  /// The same if it is published outside of sections: a pointer to a block that is free would have
  /// somebody else's data after it.
  @CrashTest
  void allocationBelongsToAStoreOutside(CrashExplorer<Region> explorer) {
    prepared(explorer)
        .withoutModel()
        .step("allocate and publish", region -> outside(region, 0, region.heap().allocate(40)))
        .check(
            (region, point) ->
                assertThat(region.heap().validator().blocks())
                    .hasSize(Words.read(region, 0) != 0 ? 3 : 2));
  }

  @Test
  void storesAreElidedWhileNothingWaits() throws Exception {
    try (Region region = Words.open(new RecordingMemory())) {
      Words.create(region, 4);
      outside(region, 0, 1);
      assertThat(region.sections().storesUnlogged()).isEqualTo(1);
      assertThat(region.sections().storesLogged()).isZero();
      SectionHooks.acquired(OUTER);
      SectionHooks.acquired(INNER);
      Words.write(region, 1, 1);
      SectionHooks.releasing(INNER);
      Thread other =
          new Thread(
              () -> {
                section(region, INNER, 2);
                outside(region, 3, 1);
              });
      other.start();
      other.join();
      SectionHooks.releasing(OUTER);
      assertThat(region.sections().storesUnlogged()).isEqualTo(1);
      assertThat(region.sections().storesLogged()).isEqualTo(1);
    }
  }
}
