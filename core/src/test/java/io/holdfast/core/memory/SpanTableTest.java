package io.holdfast.core.memory;

import static io.holdfast.core.memory.RegionLayout.SPAN_BYTES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.core.RegionDamagedException;
import io.holdfast.core.RegionFullException;
import io.holdfast.core.fixture.Words;
import io.holdfast.core.heap.HeapValidator.Block;
import io.holdfast.core.region.Region;
import io.holdfast.testkit.RecordingMemory;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Shows SPAN-1.
class SpanTableTest {
  @Test
  void zonesDoubleAndTheirTablesGrowWithThem() {
    long tables = 0;
    for (int zone = 0; zone < RegionLayout.ZONES_MAX; zone++) {
      long first = RegionLayout.firstSpanOf(zone);
      long end = RegionLayout.firstSpanOf(zone + 1);
      assertThat(RegionLayout.zoneOf((int) first)).isEqualTo(zone);
      assertThat(RegionLayout.zoneOf((int) (end - 1))).isEqualTo(zone);
      assertThat((long) RegionLayout.tableSpansOf(zone) * SPAN_BYTES)
          .isGreaterThanOrEqualTo((end - first) * RegionLayout.WORD_BYTES);
      tables += RegionLayout.tableSpansOf(zone);
    }
    assertThat(RegionLayout.firstSpanOf(RegionLayout.ZONES_MAX))
        .isEqualTo(RegionLayout.MAX_BYTES / SPAN_BYTES);
    assertThat(tables).isLessThan(RegionLayout.MAX_BYTES / SPAN_BYTES / 8_000);
  }

  @Test
  void trimmingGivesBackTheTablesOfZonesToo() {
    SparseMemory memory = new SparseMemory(1L << 32);
    try (Region region = Words.open(memory)) {
      Words.create(region, 8);
      region.trim();
      long shortest = memory.length();
      long[] block = new long[1];
      for (int i = 0; i < 3; i++) {
        Words.atomically(() -> block[0] = region.heap().allocate(100 << 20));
        assertThat(memory.length()).isGreaterThan(100 << 20);
        assertThat(SpanTable.wordOf(memory, 64 << 20)).isLessThan(memory.length());
        Words.atomically(() -> region.heap().free(block[0]));
        region.trim();
        assertThat(memory.length()).isEqualTo(shortest);
      }
    }
  }

  @Test
  void freedNeighboursAreOneRunAndTheRegionDoesNotGrow() {
    try (Region region = Words.open(new RecordingMemory())) {
      long[] blocks = new long[64];
      for (int i = 0; i < blocks.length; i++) {
        int each = i;
        Words.atomically(() -> blocks[each] = region.heap().allocate(SPAN_BYTES));
      }
      long length = region.memory().length();
      Words.atomically(
          () -> {
            for (int i = 0; i < blocks.length; i += 2) {
              region.heap().free(blocks[i]);
            }
          });
      Words.atomically(
          () -> {
            for (int i = 1; i < blocks.length; i += 2) {
              region.heap().free(blocks[i]);
            }
          });
      Words.atomically(() -> region.heap().allocate(64 * SPAN_BYTES));
      assertThat(region.memory().length()).isEqualTo(length);
    }
  }

  /// Offsets beyond 2^31 and 2^32 bytes, blocks over several zones, tables of several spans.
  @Test
  void blocksOfManyGibibytes() {
    SparseMemory memory = new SparseMemory(100L << 30);
    long[] blocks = new long[4];
    long[] sizes = {1 << 20, 5L << 30, 33L << 30, 100};
    try (Region region = Words.open(memory)) {
      for (int i = 0; i < blocks.length; i++) {
        int each = i;
        Words.atomically(() -> blocks[each] = region.heap().allocate(sizes[each]));
        memory.writePlain(blocks[i], i);
        memory.writePlain(blocks[i] + (sizes[i] - 1) / 8 * 8, ~i);
      }
      assertThatThrownBy(() -> Words.atomically(() -> region.heap().allocate(90L << 30)))
          .isInstanceOf(RegionFullException.class);
    }
    try (Region region = Words.open(memory)) {
      List<Block> found = region.heap().validator().blocks();
      assertThat(found).hasSize(4);
      long end = 0;
      for (Block block : found) {
        assertThat(block.offset()).isGreaterThanOrEqualTo(end);
        end = block.offset() + block.bytes();
      }
      for (int i = 0; i < blocks.length; i++) {
        assertThat(memory.readPlain(blocks[i])).isEqualTo(i);
        assertThat(memory.readPlain(blocks[i] + (sizes[i] - 1) / 8 * 8)).isEqualTo(~i);
      }
      long length = memory.length();
      Words.atomically(() -> region.heap().free(blocks[2]));
      Words.atomically(() -> region.heap().allocate(20L << 30));
      Words.atomically(() -> region.heap().allocate(12L << 30));
      assertThat(memory.length()).isEqualTo(length);
    }
  }

  @Test
  void aWildLinkToATableIsRefused() {
    for (long wild : new long[] {0, 8, 0x10000 + 8, 1L << 40, -SPAN_BYTES}) {
      RecordingMemory memory = new RecordingMemory();
      try (Region region = Words.open(memory)) {
        Words.atomically(() -> region.heap().allocate(20 << 20));
      }
      memory.damage(RegionLayout.ANCHOR_TABLES + 8, wild);
      assertThatThrownBy(() -> Words.open(memory))
          .isInstanceOf(RegionDamagedException.class)
          .hasMessageContaining("span table of zone 1");
    }
  }
}
