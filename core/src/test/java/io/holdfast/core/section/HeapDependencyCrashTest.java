package io.holdfast.core.section;

import static io.holdfast.core.section.SectionSteps.lock;
import static io.holdfast.core.section.SectionSteps.unlock;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.fixture.Words;
import io.holdfast.core.region.Region;
import io.holdfast.testkit.Bounds;
import io.holdfast.testkit.CrashExplorer;
import io.holdfast.testkit.CrashPoint;
import io.holdfast.testkit.CrashTest;
import java.util.List;

/// Crashes while blocks go from one thread to another, and sections that allocate and free them
/// wait for each other. Each block is held by a word, and its first word names its holder.
class HeapDependencyCrashTest {
  private static final List<Object> LOCKS = SectionSteps.locks(3);
  private static final Object OUTER = LOCKS.get(0), INNER = LOCKS.get(1), OTHER = LOCKS.get(2);
  private static final int HOLDERS = 6;
  private static final long CONTENT = 0xB10C00;

  /// The root's directory, and the words.
  private static final int BLOCKS_BEFORE = 2;

  private static CrashExplorer<Region> prepared(CrashExplorer<Region> explorer) {
    return explorer
        .given(region -> Words.create(region, HOLDERS + 1))
        .withoutModel()
        .bounds(new Bounds(8, 12, 12, 100))
        .state(region -> List.of(region.heap().validator().blocks(), Words.read(region, 0, 7)))
        .check(HeapDependencyCrashTest::eachBlockHasOneHolder);
  }

  private static void allocate(Region region, int holder, long size) {
    long block = region.heap().allocate(size);
    region.memory().writePlain(block, CONTENT + holder);
    Words.write(region, holder, block);
  }

  private static void free(Region region, int holder) {
    region.heap().free(Words.read(region, holder));
    Words.write(region, holder, 0);
  }

  private static void eachBlockHasOneHolder(Region region, CrashPoint point) {
    List<Long> held = Words.read(region, 0, HOLDERS).stream().filter(block -> block != 0).toList();
    assertThat(held).doesNotHaveDuplicates();
    assertThat(region.heap().validator().blocks()).hasSize(BLOCKS_BEFORE + held.size());
    for (int i = 0; i < HOLDERS; i++) {
      long block = Words.read(region, i);
      if (block != 0) {
        assertThat(region.memory().readPlain(block)).as("block of %d", i).isEqualTo(CONTENT + i);
      }
    }
    Words.atomically(
        () -> {
          for (int i = 0; i < HOLDERS; i++) {
            if (Words.read(region, i) == 0) {
              allocate(region, i, 60);
            }
          }
        });
    assertThat(Words.read(region, 0, HOLDERS)).doesNotHaveDuplicates();
  }

  private static void openRelease(Region region) {
    lock(OUTER);
    lock(INNER);
    Words.write(region, HOLDERS, Words.read(region, HOLDERS) + 1);
    unlock(INNER);
  }

  @CrashTest
  void aBlockOfAnOpenSectionIsFreedByAnother(CrashExplorer<Region> explorer) {
    prepared(explorer)
        .step(
            "A",
            "A allocates, releases openly",
            region -> {
              lock(OUTER);
              lock(INNER);
              allocate(region, 0, 60);
              allocate(region, 1, 1_000_000);
              unlock(INNER);
            })
        .step(
            "B",
            "B frees, and waits",
            region -> {
              lock(INNER);
              free(region, 0);
              free(region, 1);
              unlock(INNER);
            })
        .step(
            "B",
            "B allocates",
            region -> {
              lock(OTHER);
              allocate(region, 2, 60);
              unlock(OTHER);
            })
        .step(
            "A",
            "A allocates, ends",
            region -> {
              allocate(region, 3, 60);
              unlock(OUTER);
            })
        .step("A", "A allocates", region -> Words.atomically(() -> allocate(region, 4, 60)));
  }

  @CrashTest
  void aBlockIsFreedByAnotherThread(CrashExplorer<Region> explorer) {
    prepared(explorer)
        .step("A", "allocates", region -> Words.atomically(() -> allocate(region, 0, 60)))
        .step("B", "frees", region -> Words.atomically(() -> free(region, 0)))
        .step("A", "allocates", region -> Words.atomically(() -> allocate(region, 1, 60)))
        .step("B", "allocates", region -> Words.atomically(() -> allocate(region, 2, 60)));
  }

  /// B has freed while it waits for A. Nobody may store to the block, since B may be undone.
  @CrashTest
  void heap2WhatAWaitingSectionFreedIsNotUsed(CrashExplorer<Region> explorer) {
    prepared(explorer)
        .given(
            region -> {
              Words.atomically(() -> allocate(region, 0, 30_000));
              Words.atomically(() -> allocate(region, 1, 1_000_000));
            })
        .step("A", "A releases openly", HeapDependencyCrashTest::openRelease)
        .step(
            "B",
            "B frees, and waits",
            region -> {
              lock(INNER);
              free(region, 0);
              free(region, 1);
              unlock(INNER);
            })
        .step(
            "C",
            "C allocates",
            region ->
                Words.atomically(
                    () -> {
                      allocate(region, 2, 30_000);
                      allocate(region, 3, 30_000);
                      allocate(region, 4, 1_000_000);
                    }))
        .step("B", "B allocates", region -> Words.atomically(() -> allocate(region, 5, 30_000)))
        .step("A", "A ends", region -> unlock(OUTER));
  }

  /// B's log speaks of a block that it does not have any more, while it waits for A.
  @CrashTest
  void heap3WhatAWaitingSectionCancelledIsNotUsed(CrashExplorer<Region> explorer) {
    prepared(explorer)
        .given(region -> Words.atomically(() -> allocate(region, 0, 30_000)))
        .step("A", "A releases openly", HeapDependencyCrashTest::openRelease)
        .step(
            "B",
            "B allocates and frees, and waits",
            region -> {
              lock(INNER);
              allocate(region, 1, 30_000);
              allocate(region, 2, 1_000_000);
              free(region, 1);
              free(region, 2);
              unlock(INNER);
            })
        .step(
            "C",
            "C allocates",
            region ->
                Words.atomically(
                    () -> {
                      allocate(region, 3, 30_000);
                      allocate(region, 4, 1_000_000);
                    }))
        .step("A", "A ends", region -> unlock(OUTER));
  }
}
