package io.holdfast.core.heap;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.fixture.Words;
import io.holdfast.core.heap.HeapValidator.Block;
import io.holdfast.core.memory.RegionLayout;
import io.holdfast.core.memory.SpanTable.Use;
import io.holdfast.core.region.Region;
import io.holdfast.core.section.hooks.SectionHooks;
import io.holdfast.testkit.Bounds;
import io.holdfast.testkit.CrashExplorer;
import io.holdfast.testkit.CrashTest;
import java.util.ArrayList;
import java.util.List;

/// Crashes while blocks are allocated and freed. A block is held by a word; its first word names
/// its holder.
class HeapCrashTest {
  private static final int HOLDERS = 8;

  private static void allocate(Region region, int holder, long size) {
    long block = region.heap().allocate(size);
    region.memory().writePlain(block, 0xB10C00 + holder);
    Words.write(region, holder, block);
  }

  private static void free(Region region, int holder) {
    region.heap().free(Words.read(region, holder));
    Words.write(region, holder, 0);
  }

  /// All blocks, and what each holder's block says: a leak, a block used twice or content lost
  /// shows.
  private static Object state(Region region) {
    List<Object> state = new ArrayList<>(region.heap().validator().blocks());
    for (long block : Words.read(region, 0, HOLDERS)) {
      state.add(block == 0 ? "none" : Long.toHexString(region.memory().readPlain(block)));
    }
    return state;
  }

  private static CrashExplorer<Region> prepared(CrashExplorer<Region> explorer) {
    return explorer
        .given(
            region -> {
              Words.create(region, HOLDERS);
              Words.dirtyFreeSpans(region);
            })
        .bounds(new Bounds(8, 16, 16, 200))
        .state(HeapCrashTest::state);
  }

  /// What is held can be freed, and what is free allocated.
  private static void goOn(Region region, Object point) {
    int before = region.heap().validator().blocks().size();
    List<Long> held = Words.read(region, 0, HOLDERS).stream().filter(block -> block != 0).toList();
    Words.atomically(() -> held.forEach(region.heap()::free));
    assertThat(region.heap().validator().blocks()).hasSize(before - held.size());
    Words.atomically(() -> allocate(region, 0, 3_000));
    assertThat(region.heap().validator().blocks()).hasSize(before - held.size() + 1);
  }

  /// Shows SLAB-1.
  @CrashTest
  void newSlabsAreEmpty(CrashExplorer<Region> explorer) {
    prepared(explorer)
        .step(
            "the first block of its size",
            region -> Words.atomically(() -> allocate(region, 0, 3_000)))
        .step(
            "the second, with a root",
            region ->
                Words.atomically(
                    () -> {
                      allocate(region, 1, 3_000);
                      region.roots().create("r", "k", "f", () -> Words.read(region, 0));
                    }))
        .check(HeapCrashTest::goOn);
  }

  /// Of a slab that a thread has made whose section is still open, another one takes a block.
  @CrashTest
  void newSlabsAreForAllThreads(CrashExplorer<Region> explorer) {
    prepared(explorer)
        .step(
            "one",
            "makes a slab",
            region -> {
              SectionHooks.enter();
              region.heap().allocate(3_000);
            })
        .step(
            "other", "a block of it", region -> Words.atomically(() -> allocate(region, 0, 3_000)))
        .step("one", "goes on", region -> SectionHooks.exit())
        .state(region -> Words.read(region, 0, HOLDERS))
        .check(
            (region, point) -> {
              long block = Words.read(region, 0);
              if (block != 0) {
                region.heap().checkBlock(block, 3_000, "a word");
              }
            });
  }

  /// Shows DEFER-1.
  @CrashTest
  void heap1BlocksComeAndGoWithTheirSection(CrashExplorer<Region> explorer) {
    prepared(explorer)
        .step("small", region -> Words.atomically(() -> allocate(region, 0, 100)))
        .step(
            "large, and the file grows",
            region -> Words.atomically(() -> allocate(region, 1, 1_200_000)))
        .step(
            "three at once",
            region ->
                Words.atomically(
                    () -> {
                      allocate(region, 2, 16);
                      allocate(region, 3, 16);
                      allocate(region, 4, 66_000);
                    }))
        .step("free small", region -> Words.atomically(() -> free(region, 0)))
        .step("free large", region -> Words.atomically(() -> free(region, 1)))
        .step(
            "allocate and free in one",
            region ->
                Words.atomically(
                    () -> {
                      allocate(region, 5, 16);
                      allocate(region, 6, 66_000);
                      free(region, 5);
                      free(region, 6);
                    }))
        .check(HeapCrashTest::goOn);
  }

  /// In one section a freed block is not used again; in the next it is, and plain stores fill it.
  @CrashTest
  void heap2FreedBlocksKeepTheirContentUntilDurable(CrashExplorer<Region> explorer) {
    prepared(explorer)
        .given(
            region -> {
              Words.atomically(
                  () -> {
                    allocate(region, 0, 30_000);
                    allocate(region, 1, 30_000);
                    allocate(region, 2, 70_000);
                  });
            })
        .withoutModel()
        .step(
            "exchange",
            region -> {
              Words.atomically(
                  () -> {
                    free(region, 0);
                    free(region, 2);
                    allocate(region, 3, 30_000);
                    allocate(region, 4, 70_000);
                  });
              Words.atomically(
                  () -> {
                    allocate(region, 5, 30_000);
                    allocate(region, 6, 70_000);
                  });
            })
        .check(
            (region, point) -> {
              List<Long> holders = Words.read(region, 0, HOLDERS);
              long held = holders.stream().filter(block -> block != 0).count();
              assertThat(region.heap().validator().blocks()).hasSize((int) held + 2);
              for (int i = 0; i < HOLDERS; i++) {
                long block = holders.get(i);
                if (block != 0) {
                  assertThat(region.memory().readPlain(block)).isEqualTo(0xB10C00 + i);
                }
              }
            })
        .check(HeapCrashTest::goOn);
  }

  /// A section's one change is there or not, and the next section's plain stores to the block come
  /// after it.
  @CrashTest
  void defer2OneChangeTakesNoLog(CrashExplorer<Region> explorer) {
    long[] block = new long[1];
    prepared(explorer)
        .given(region -> Words.atomically(() -> allocate(region, 0, 30_000)))
        .withoutModel()
        .step(
            "allocate, free, use again",
            region -> {
              Words.atomically(() -> block[0] = region.heap().allocate(1_000_000));
              Words.atomically(() -> region.heap().free(block[0]));
              Words.atomically(() -> region.heap().free(Words.read(region, 0)));
              Words.atomically(() -> allocate(region, 1, 30_000));
            })
        .check(
            (region, point) -> {
              List<Long> blocks =
                  region.heap().validator().blocks().stream().map(Block::offset).toList();
              long first = Words.read(region, 0);
              long second = Words.read(region, 1);
              if (second != 0) {
                assertThat(blocks).contains(second);
                assertThat(region.memory().readPlain(second)).isEqualTo(0xB10C01);
              } else if (blocks.contains(first)) {
                assertThat(region.memory().readPlain(first)).isEqualTo(0xB10C00);
              }
              assertThat(blocks.size()).isBetween(2, 4);
              if (point.acknowledged() == 1) {
                assertThat(blocks).hasSize(3).contains(second);
              }
            });
  }

  /// Two slabs of two blocks; when one is empty its span is a slab of other blocks, whose content
  /// is stored where the allocation bytes were.
  @CrashTest
  void slab2EmptySlabsAreSpansAgain(CrashExplorer<Region> explorer) {
    prepared(explorer)
        .given(
            region -> {
              for (int holder = 0; holder < 4; holder++) {
                int each = holder;
                Words.atomically(() -> allocate(region, each, 30_000));
              }
              while (Words.spans(region, Use.FREE) != 0) {
                Words.atomically(() -> region.heap().allocate(RegionLayout.SPAN_BYTES));
              }
            })
        .step(
            "free three",
            region ->
                Words.atomically(
                    () -> {
                      for (int holder = 0; holder < 3; holder++) {
                        free(region, holder);
                      }
                    }))
        .step(
            "the span is a block",
            region -> {
              assertThat(Words.spans(region, Use.FREE)).isEqualTo(1);
              Words.atomically(() -> allocate(region, 4, 60_000));
            })
        .step("free both", region -> Words.atomically(() -> freeBoth(region)))
        .step(
            "a slab is made, and stays",
            region -> Words.atomically(() -> allocate(region, 5, 3_000)))
        .check(HeapCrashTest::goOn);
  }

  private static void freeBoth(Region region) {
    free(region, 3);
    free(region, 4);
  }

  /// A block that a section has allocated and freed is used again in it, and content stored plain.
  @CrashTest
  void blocksAreUsedAgainInTheirSection(CrashExplorer<Region> explorer) {
    prepared(explorer)
        .step(
            "again and again",
            region ->
                Words.atomically(
                    () -> {
                      allocate(region, 0, 30_000);
                      long block = Words.read(region, 0);
                      free(region, 0);
                      allocate(region, 1, 30_000);
                      assertThat(Words.read(region, 1)).isEqualTo(block);
                      free(region, 1);
                      allocate(region, 2, 30_000);
                      allocate(region, 3, 30_000);
                      free(region, 3);
                    }))
        .step("once more", region -> Words.atomically(() -> allocate(region, 3, 30_000)))
        .check(HeapCrashTest::goOn);
  }
}
