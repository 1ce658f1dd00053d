package io.holdfast.core.section;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.explorer.Bounds;
import io.holdfast.core.explorer.CrashExplorer;
import io.holdfast.core.explorer.CrashTest;
import io.holdfast.core.explorer.Words;
import io.holdfast.core.memory.SpanTable.Use;
import io.holdfast.core.recovery.Region;
import java.util.HashSet;

/// Crashes in sections of one thread.
class SectionCrashTest {
  /// For logs of hundreds of entries, each of which a recovery can be cut off at.
  private static final Bounds FEW = new Bounds(2, 2, 2, 8);

  private static void fill(Region region, int words, long value) {
    Words.atomically(
        () -> {
          for (int i = 0; i < words; i++) {
            Words.write(region, i, value);
          }
        });
  }

  @CrashTest
  void p1Atomic(CrashExplorer<Region> explorer) {
    explorer
        .given(region -> Words.create(region, 8))
        .step("first", region -> fill(region, 3, 1))
        .step(
            "a word twice",
            region ->
                Words.atomically(
                    () -> {
                      Words.write(region, 0, 7);
                      Words.write(region, 1, 7);
                      Words.write(region, 0, 8);
                      Words.write(region, 1, 8);
                    }))
        .step("nested", region -> Words.atomically(() -> fill(region, 2, 9)))
        .step("nothing stored", region -> Words.atomically(() -> {}))
        .state(region -> Words.read(region, 0, 4));
  }

  @CrashTest
  void p1AtomicWithRootsAndFreshMemory(CrashExplorer<Region> explorer) {
    explorer
        .step("create", region -> Words.create(region, 2))
        .step("fill", region -> fill(region, 2, 5))
        .state(
            region ->
                region.roots().all().stream().map(root -> root.name() + root.kind()).toList()
                    + " "
                    + Words.read(region, 0, 2));
  }

  /// Several sections in one step, so that only the commit's own fence keeps them apart.
  @CrashTest
  void entriesAreNotReusedBeforeTheCommit(CrashExplorer<Region> explorer) {
    explorer
        .given(region -> Words.create(region, 8))
        .withoutModel()
        .step(
            "three sections",
            region -> {
              fill(region, 3, 1);
              fill(region, 3, 2);
              fill(region, 3, 3);
            })
        .state(region -> Words.read(region, 0, 3))
        .check(
            (region, point) ->
                assertThat(new HashSet<>(Words.read(region, 0, 3))).as("words alike").hasSize(1));
  }

  @CrashTest
  void p1AtomicBeyondTheRing(CrashExplorer<Region> explorer) {
    explorer
        .given(
            region -> {
              Words.create(region, 128);
              Words.dirtyFreeSpans(region);
            })
        .bounds(FEW)
        .step("100 stores", region -> fill(region, 100, 1))
        .step("100 again", region -> fill(region, 100, 2))
        .step("one", region -> fill(region, 1, 3))
        .state(region -> Words.read(region, 0, 100))
        .check((region, point) -> assertThat(Words.spans(region, Use.LOG_CHUNK)).isZero());
  }

  @CrashTest
  void p1AtomicBeyondAChunk(CrashExplorer<Region> explorer) {
    explorer
        .given(region -> Words.create(region, 2_200))
        .bounds(new Bounds(1, 1, 1, 5))
        .step("2,200 stores", region -> fill(region, 2_200, 1))
        .state(region -> Words.read(region, 0, 2_200))
        .check((region, point) -> assertThat(Words.spans(region, Use.LOG_CHUNK)).isZero());
  }
}
