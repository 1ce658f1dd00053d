package io.holdfast.collections.map;

import static io.holdfast.collections.RawCodec.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.explorer.RecordingMemory;
import io.holdfast.core.heap.HeapValidator.Block;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// What a map takes on media, in bytes of blocks.
class MapSpaceTest {
  private static long bytes(MapRegion store) {
    return store.region().heap().validator().blocks().stream().mapToLong(Block::bytes).sum();
  }

  private static void churn(MapRegion store, Random random, int operations) {
    for (int i = 0; i < operations; i++) {
      String key = "key%05d".formatted(random.nextInt(1_000));
      if (random.nextInt(3) == 0) {
        store.remove(key);
      } else {
        store.put(key, text("v", 1 + random.nextInt(1 << random.nextInt(9))));
      }
    }
  }

  /// Values shrink, grow and vanish at random. How many there are of a size goes up and down, and
  /// with the first 60 times the number of entries its highest is nearly reached.
  @Test
  void churnDoesNotGrowIt() {
    Random random = new Random(1);
    try (MapRegion store = MapRegion.open(new RecordingMemory(), 1).create()) {
      churn(store, random, 60_000);
      long before = bytes(store);
      churn(store, random, 240_000);
      assertThat(bytes(store)).isLessThanOrEqualTo(before + before / 8);
      store.map().clear();
      assertThat(bytes(store)).isLessThan(4_096);
    }
  }

  @Test
  void anEntryTakesLittleMoreThanItsLines() {
    int entries = 100_000;
    try (MapRegion store = MapRegion.open(new RecordingMemory(), 1).create(2)) {
      for (int i = 0; i < entries; i++) {
        store.map().put(Encoded.of(i), Encoded.of(-i));
      }
      assertThat(bytes(store) / (double) entries).isBetween(64.0, 1.5 * 64);
      assertThat(store.map().validate()).isEqualTo(entries);
    }
  }

  /// More blocks than a section frees.
  @Test
  void clearingGivesAllBack() {
    try (MapRegion store = MapRegion.open(new RecordingMemory(), 1).create()) {
      for (int i = 0; i < 150_000; i++) {
        store.map().put(Encoded.of(i), Encoded.of(-i));
      }
      store.map().clear();
      store.checkBlocks();
      store.put("k", "v");
      store.checkBlocks();
      assertThat(store.map().validate()).isEqualTo(1);
    }
  }
}
