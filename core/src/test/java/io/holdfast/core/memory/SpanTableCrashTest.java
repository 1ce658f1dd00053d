package io.holdfast.core.memory;

import static io.holdfast.core.memory.RegionLayout.SPAN_BYTES;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.fixture.Words;
import io.holdfast.core.heap.HeapValidator.Block;
import io.holdfast.core.region.Region;
import io.holdfast.testkit.Bounds;
import io.holdfast.testkit.CrashExplorer;
import io.holdfast.testkit.CrashTest;
import java.util.List;

/// Crashes while a region grows into its second zone.
class SpanTableCrashTest {
  private static final long ZONE = (long) RegionLayout.FIRST_ZONE_SPANS * SPAN_BYTES;

  /// The table of the new zone lies where another block was, whose content looks like spans' words.
  @CrashTest
  void table1NewZonesAreEmpty(CrashExplorer<Region> explorer) {
    explorer
        .given(
            region -> {
              Words.create(region, 4);
              allocate(region, 0, SPAN_BYTES);
              allocate(region, 1, ZONE - (1 << 20));
              for (long at = 0; at < SPAN_BYTES; at += 64) {
                region.memory().writePlain(Words.read(region, 0) + at, 0x302);
              }
              Words.atomically(() -> region.heap().free(Words.read(region, 0)));
              Words.atomically(() -> Words.write(region, 0, 0));
            })
        .bounds(new Bounds(6, 8, 4, 40))
        .step("a block over the boundary", region -> allocate(region, 2, 3 << 20))
        .step("its neighbour", region -> allocate(region, 3, SPAN_BYTES))
        .step(
            "it is freed",
            region ->
                Words.atomically(
                    () -> {
                      region.heap().free(Words.read(region, 2));
                      Words.write(region, 2, 0);
                    }))
        .step("its room is used again, a part", region -> allocate(region, 0, 2 << 20))
        .step("and the rest", region -> allocate(region, 2, 1 << 20))
        .state(region -> List.of(region.heap().validator().blocks(), Words.read(region, 0, 4)))
        .check(
            (region, point) -> {
              Words.atomically(() -> Words.write(region, 0, region.heap().allocate(4 << 20)));
              List<Block> blocks = region.heap().validator().blocks();
              long end = 0;
              for (Block block : blocks) {
                assertThat(block.offset()).isGreaterThanOrEqualTo(end);
                end = block.offset() + block.bytes();
              }
            });
  }

  private static void allocate(Region region, int holder, long bytes) {
    Words.atomically(() -> Words.write(region, holder, region.heap().allocate(bytes)));
  }
}
