package io.holdfast.core.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.explorer.Bounds;
import io.holdfast.core.explorer.CrashExplorer;
import io.holdfast.core.explorer.CrashTest;
import io.holdfast.core.explorer.Words;
import io.holdfast.core.memory.RegionLayout;
import io.holdfast.core.memory.SpanTable.Use;
import io.holdfast.core.recovery.Region;

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
        .step("one: it is given back", region -> fill(region, 1, 3))
        .step(
            "64, 1 and 64 at once",
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

  /// Two chunks are given back, and one section takes both spans again: the older chunk's for a
  /// block, the newer one's for its own log, which clears the link to the older one.
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
            "a block and a chunk",
            region ->
                Words.atomically(
                    () -> {
                      Words.write(region, 0, 2); // gives the chunks back
                      region.heap().allocate(RegionLayout.SPAN_BYTES);
                      fill(region, 64, 2);
                    }))
        .check((region, point) -> assertThat(Words.spans(region, Use.LOG_CHUNK)).isZero());
  }
}
