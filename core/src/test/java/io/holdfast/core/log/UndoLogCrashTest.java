package io.holdfast.core.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.fixture.Words;
import io.holdfast.core.memory.RegionLayout;
import io.holdfast.core.memory.SpanTable.Use;
import io.holdfast.core.region.Region;
import io.holdfast.core.section.hooks.SectionHooks;
import io.holdfast.testkit.Bounds;
import io.holdfast.testkit.CrashExplorer;
import io.holdfast.testkit.CrashTest;
import java.util.HashSet;
import java.util.List;

/// Crashes while a log takes chunks and gives them back.
class UndoLogCrashTest {
  private static void fill(Region region, int words, long value) {
    Words.atomically(
        () -> {
          for (int i = 0; i < words; i++) {
            Words.write(region, i, value);
          }
        });
  }

  /// The words are few, so that the log's growth and shrinking is what is explored: word 0 is
  /// stored over and over, between others that make the filter forget it.
  @CrashTest
  void chunksDoNotLeak(CrashExplorer<Region> explorer) {
    explorer
        .given(
            region -> {
              Words.create(region, 64);
              Words.dirtyFreeSpans(region);
              fill(region, 60, 1);
            })
        .bounds(new Bounds(3, 6, 4, 20))
        .step("64 stores: a chunk is taken", region -> fill(region, 64, 2))
        .step("one: it stays", region -> fill(region, 1, 3))
        .step(
            "64 and 64 at once: it is used again",
            region -> {
              fill(region, 64, 4);
              fill(region, 64, 4);
            })
        .state(region -> Words.read(region, 0, 64))
        .check((region, point) -> assertThat(Words.spans(region, Use.LOG_CHUNK)).isZero())
        .check(
            (region, point) -> {
              // Every span can be had: none is taken for a chunk that is no more.
              fill(region, 64, 9);
              assertThat(Words.spans(region, Use.LOG_CHUNK)).isEqualTo(1);
            });
  }

  /// The newer of two chunks is given back, and its span taken as a block, whose content is stored
  /// where the chunk's link to the older one was.
  @CrashTest
  void chunksDoNotLeakFromOneSectionToTheNext(CrashExplorer<Region> explorer) {
    explorer
        .given(
            region -> {
              Words.create(region, 2_200);
              while (Words.spans(region, Use.FREE) != 2) {
                Words.atomically(() -> region.heap().allocate(RegionLayout.SPAN_BYTES));
              }
              fill(region, 2_200, 1);
            })
        .withoutModel()
        .bounds(new Bounds(4, 800, 0, 8))
        .step(
            "a block in the chunk's place",
            region ->
                Words.atomically(
                    () -> {
                      Words.write(region, 0, 2); // gives the chunk back
                      long block = region.heap().allocate(RegionLayout.SPAN_BYTES);
                      region.memory().writePlain(block, 0xBAD0_0000L);
                      Words.write(region, 1, block);
                    }))
        .check((region, point) -> assertThat(Words.spans(region, Use.LOG_CHUNK)).isZero());
  }

  private static void write(Region region, int from, int to, long value) {
    for (int i = from; i < to; i++) {
      Words.write(region, i, value);
    }
  }

  /// The last entries of the ring and the first ones of a chunk, at every point: a chunk is made
  /// ready with the entry before it, and marked with its second one.
  ///
  /// Shows LOG-2, LOG-3.
  @CrashTest
  void theRingsEndIsLikeAnyOtherPlace(CrashExplorer<Region> explorer) {
    explorer
        .given(
            region -> {
              Words.create(region, 64);
              Words.dirtyFreeSpans(region);
              SectionHooks.enter();
              write(region, 0, 60, 1);
            })
        .withoutModel()
        .bounds(new Bounds(2, 3, 3, 40))
        .step("61st store", region -> write(region, 60, 61, 1))
        .step("62nd", region -> write(region, 61, 62, 1))
        .step("63rd", region -> write(region, 62, 63, 1))
        .step("64th", region -> write(region, 63, 64, 1))
        .step("end", region -> SectionHooks.exit())
        .state(region -> Words.read(region, 0, 64))
        .check(
            (region, point) -> {
              assertThat(Words.spans(region, Use.LOG_CHUNK)).isZero();
              List<Long> words = Words.read(region, 0, 64);
              assertThat(new HashSet<>(words)).as("words alike").hasSize(1);
              if (point.acknowledged() == 5) {
                assertThat(words).containsOnly(1L);
              }
            });
  }

  /// Sections that end with the ring's last entry, with the chunk's first one, and after it.
  @CrashTest
  void aSectionEndsAtTheRingsEnd(CrashExplorer<Region> explorer) {
    explorer
        .given(
            region -> {
              Words.create(region, 64);
              Words.dirtyFreeSpans(region);
              fill(region, 61, 1);
            })
        .bounds(new Bounds(3, 4, 4, 12))
        .step("62", region -> fill(region, 62, 2))
        .step("61", region -> fill(region, 61, 3))
        .step("62 again", region -> fill(region, 62, 4))
        .step("63", region -> fill(region, 63, 5))
        .state(region -> Words.read(region, 0, 64))
        .check((region, point) -> assertThat(Words.spans(region, Use.LOG_CHUNK)).isZero());
  }
}
