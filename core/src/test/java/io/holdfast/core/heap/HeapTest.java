package io.holdfast.core.heap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.core.RegionFullException;
import io.holdfast.core.explorer.RecordingMemory;
import io.holdfast.core.explorer.Words;
import io.holdfast.core.heap.HeapValidator.Block;
import io.holdfast.core.recovery.Region;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class HeapTest {
  @Test
  void randomAllocationsAgreeWithAModel() {
    long seed = Long.getLong("holdfast.seed", 42);
    Random random = new Random(seed);
    RecordingMemory memory = new RecordingMemory();
    Region region = Words.open(memory);
    Map<Long, Long> model = new TreeMap<>();
    for (int round = 0; round < 40; round++) {
      Region now = region;
      for (int section = 0; section < 20; section++) {
        Words.atomically(() -> change(now, model, random));
      }
      if (round % 2 == 0) {
        region.close();
      }
      region = Words.open(memory); // after a close, or as after a halt
      List<Block> found = region.heap().validator().blocks();
      assertThat(found.stream().map(Block::offset))
          .as("seed=%d", seed)
          .containsExactlyElementsOf(model.keySet());
      long end = 0;
      for (Block block : found) {
        assertThat(block.offset()).isGreaterThanOrEqualTo(end);
        assertThat(block.bytes()).isGreaterThanOrEqualTo(model.get(block.offset()));
        end = block.offset() + block.bytes();
      }
      if (round % 2 != 0) {
        now.close(); // of no effect on what was recovered: forgets the sections only
        region.close();
        region = Words.open(memory);
      }
    }
    region.close();
  }

  private static void change(Region region, Map<Long, Long> model, Random random) {
    for (int i = 0; i < 12; i++) {
      if (random.nextInt(100) < 52 || model.isEmpty()) {
        long size = 1 + (long) Math.exp(random.nextDouble() * Math.log(200_000));
        long block = region.heap().allocate(size);
        assertThat(block % (size >= 64 ? 64 : 16)).isZero();
        assertThat(model.put(block, size)).as("a block that is in use").isNull();
      } else {
        List<Long> blocks = new ArrayList<>(model.keySet());
        long block = blocks.get(random.nextInt(blocks.size()));
        region.heap().free(block);
        model.remove(block);
      }
    }
  }

  @Test
  void freedSpansAreNotReusedBeforeTheSectionIsDurable() {
    RecordingMemory memory = new RecordingMemory();
    long[] block = new long[2];
    try (Region region = Words.open(memory)) {
      Words.atomically(() -> block[0] = region.heap().allocate(100_000));
    }
    try (Region region = Words.open(memory)) {
      Words.atomically(
          () -> {
            region.heap().free(block[0]); // the first thing that this process does
            block[1] = region.heap().allocate(100_000);
            assertThat(block[1]).isNotEqualTo(block[0]);
          });
    }
  }

  @Test
  void aLogThatCannotGrowLeavesTheHeapAsItWas() {
    RecordingMemory memory = new RecordingMemory();
    try (Region region = Words.open(memory)) {
      Words.create(region, 64);
      // The first of two blocks in its slab; then everything else is used up.
      Words.atomically(() -> region.heap().allocate(30_000));
      memory.limitTo(memory.length());
      assertThatThrownBy(
              () -> {
                while (true) {
                  Words.atomically(() -> region.heap().allocate(60_000));
                }
              })
          .isInstanceOf(RegionFullException.class);
      int before = region.heap().validator().blocks().size();
      Words.atomically(
          () -> {
            for (int i = 0; i < 53; i++) {
              Words.write(region, i, 1);
            }
            assertThatThrownBy(() -> region.heap().allocate(30_000))
                .isInstanceOf(RegionFullException.class);
          });
      Words.atomically(() -> region.heap().allocate(30_000)); // the second
      for (int i = 0; i < 2; i++) {
        Words.atomically(
            () ->
                assertThatThrownBy(() -> region.heap().allocate(30_000))
                    .isInstanceOf(RegionFullException.class));
      }
      assertThat(region.heap().validator().blocks()).hasSize(before + 1);
    }
  }

  @Test
  void misuseIsRefused() {
    try (Region region = Words.open(new RecordingMemory())) {
      Heap heap = region.heap();
      long outside = heap.allocate(16);
      assertThatThrownBy(() -> heap.free(outside)).hasMessageContaining("outside of a section");
      Words.atomically(
          () -> {
            long small = heap.allocate(100);
            long large = heap.allocate(100_000);
            assertThatThrownBy(() -> heap.free(small + 16))
                .hasMessageContaining("not an allocated");
            assertThatThrownBy(() -> heap.free(large + 64))
                .hasMessageContaining("not an allocated");
            assertThatThrownBy(() -> heap.free(large + 65_536)).hasMessageContaining("not an all");
            heap.free(small);
            heap.free(large);
            assertThatThrownBy(() -> heap.free(small)).hasMessageContaining("not an allocated");
            assertThatThrownBy(() -> heap.free(large)).hasMessageContaining("not an allocated");
            assertThatThrownBy(() -> heap.allocate(0)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> heap.allocate(Heap.MAX_BYTES + 1))
                .isInstanceOf(IllegalArgumentException.class);
          });
    }
  }
}
