package io.holdfast.core.heap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.core.RegionFullException;
import io.holdfast.core.fixture.Words;
import io.holdfast.core.heap.HeapValidator.Block;
import io.holdfast.core.region.Region;
import io.holdfast.testkit.RecordingMemory;
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

  /// The same for a block in a slab.
  @Test
  void freedBlocksAreNotReusedBeforeTheSectionIsDurable() {
    RecordingMemory memory = new RecordingMemory();
    long[] block = new long[1];
    try (Region region = Words.open(memory)) {
      Words.atomically(() -> block[0] = region.heap().allocate(3_000));
    }
    try (Region region = Words.open(memory)) {
      Words.atomically(
          () -> {
            region.heap().free(block[0]); // the first thing that this process does
            for (int i = 0; i < 40; i++) {
              assertThat(region.heap().allocate(3_000)).isNotEqualTo(block[0]);
            }
          });
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

  /// A region that can't grow, and nothing free in it but what a dead thread has kept.
  @Test
  void whatTheDeadHaveKeptIsUsedBeforeTheRegionGrows() throws Exception {
    RecordingMemory memory = new RecordingMemory();
    try (Region region = Words.open(memory)) {
      int allButOne = SizeClass.holding(64).blocks() - 1;
      Runnable work =
          () -> {
            for (int i = 0; i < allButOne; i++) {
              region.heap().allocate(64);
            }
          };
      Thread thread = new Thread(() -> Words.atomically(work));
      thread.start();
      thread.join();
      for (long span = 1; span != 0; ) {
        span = region.spans().takeFree(1);
      }
      memory.limitTo(memory.length());
      Words.atomically(() -> region.heap().allocate(64));
      assertThat(region.heap().validator().blocks()).hasSize(allButOne + 1);
    }
  }

  @Test
  void blocksWasteAtMostAFifthOrALine() {
    for (int size = 1; size <= 2_000_000; size += 1 + size / 1_000) {
      SizeClass sizeClass = SizeClass.holding(size);
      long bytes = sizeClass == null ? Heap.spansFor(size) * 65_536 : sizeClass.bytes();
      assertThat(bytes).as("size=%d", size).isGreaterThanOrEqualTo(size);
      assertThat(bytes - size)
          .as("size=%d", size)
          .isLessThanOrEqualTo(Math.max(size <= 64 ? 15 : 63, bytes / 5));
    }
  }

  @Test
  void slabsHaveLittleBehindTheirBlocks() {
    for (int number = 0; number < SizeClass.count(); number++) {
      SizeClass each = SizeClass.of(number);
      long slab = each.spans() * 65_536L;
      assertThat(each.blockOffset(0, each.blocks())).as("class %d", number).isBetween(1L, slab);
      assertThat(slab - (long) each.blocks() * each.bytes())
          .as("class of %d bytes", each.bytes())
          .isLessThanOrEqualTo(
              slab * (each.bytes() == 16 ? 60 : each.bytes() < 64 ? 32 : 17) / 1_000);
      assertThat(each.blockOffset(0, 0) % 64).isZero();
      assertThat(each.bytes() % (each.bytes() < 64 ? 16 : 64)).isZero();
    }
  }

  /// Free spans, and with them free slabs, become whatever is needed.
  @Test
  void emptySlabsAreSpansAgain() {
    try (Region region = Words.open(new RecordingMemory())) {
      List<Long> blocks = new ArrayList<>();
      for (int size : new int[] {16, 100, 3_000, 30_000, 100_000}) {
        for (int i = 0; i < 200; i++) {
          Words.atomically(() -> blocks.add(region.heap().allocate(size)));
        }
      }
      long length = region.memory().length();
      for (long block : blocks) {
        Words.atomically(() -> region.heap().free(block));
      }
      HeapUsage usage = region.heap().validator().usage();
      assertThat(usage.blocks()).isZero();
      for (long room = length - (4 << 20); room > 0; room -= 1 << 20) {
        Words.atomically(() -> region.heap().allocate(1 << 20));
      }
      assertThat(region.memory().length()).isEqualTo(length);
      // One of each class may be kept, until the region has to grow.
      assertThat(region.heap().validator().usage().slabBytes()).isLessThan(16 * 65_536);
      Words.atomically(() -> region.heap().allocate(length));
      assertThat(region.heap().validator().usage().slabBytes()).isZero();
    }
  }

  @Test
  void usageTellsWhatBytesAreFor() {
    try (Region region = Words.open(new RecordingMemory())) {
      Words.atomically(() -> region.heap().allocate(60));
      Words.atomically(() -> region.heap().allocate(65_000));
      HeapUsage usage = region.heap().validator().usage();
      long length = region.memory().length();
      assertThat(usage)
          .isEqualTo(new HeapUsage(2, 64 + 65_536, 65_536, length - 3 * 65_536, length));
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
