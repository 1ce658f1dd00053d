package io.holdfast.collections.map;

import static io.holdfast.collections.RawCodec.text;
import static io.holdfast.core.fixture.Words.atomically;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.codec.Encoded;
import io.holdfast.collections.map.slot.SlotClass;
import io.holdfast.core.heap.HeapValidator.Block;
import io.holdfast.testkit.RecordingMemory;
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
      assertThat(bytes(store)).isLessThan(5_000);
    }
  }

  /// All entries change their size, in sections and outside: what they were in goes back (MAP-10),
  /// but for an empty chunk of each size.
  @Test
  void chunksOfASizeThatIsNotUsedGoBack() {
    int entries = 8_000;
    int[] lengths = {10, 100, 250, 420, 10};
    try (MapRegion store = MapRegion.open(new RecordingMemory(), 1).create()) {
      long first = 0;
      for (int length : lengths) {
        for (int from = 0; from < entries; from += 100) {
          int start = from;
          Runnable some =
              () -> {
                for (int i = start; i < start + 100; i++) {
                  store.put("key%05d".formatted(i), text("v", length));
                }
              };
          if (from % 1_000 == 0) {
            atomically(some);
          } else {
            some.run();
          }
        }
        first = first == 0 ? bytes(store) : first;
        int lines = SlotClass.lines(SlotClass.holding(8 + length - (8 + length <= 116 ? 53 : 48)));
        assertThat(bytes(store))
            .isLessThan(entries * (lines * 64L + 64) + lengths.length * 65_536L);
        assertThat(store.map().validate()).isEqualTo(entries);
      }
      assertThat(bytes(store)).isLessThan(first + lengths.length * 65_536L);
      for (int i = 0; i < entries; i++) {
        store.remove("key%05d".formatted(i));
      }
      assertThat(store.map().validate()).isZero();
      store.checkBlocks();
    }
  }

  /// Entries that are as large as blocks.
  @Test
  void largeEntriesGiveTheirBlocksBack() {
    try (MapRegion store = MapRegion.open(new RecordingMemory(), 1).create()) {
      store.put("key", text("v", 40_000));
      long before = bytes(store);
      for (int i = 0; i < 200; i++) {
        store.put("key", text("v" + i, 40_000 + 7 * i));
        assertThat(bytes(store)).isLessThan(before + 8_192);
      }
      store.put("key", "small");
      assertThat(bytes(store)).isLessThan(before - 30_000);
      store.put("key", text("v", 1_000_000));
      store.remove("key");
      assertThat(bytes(store)).isLessThan(before - 30_000);
      store.checkBlocks();
      assertThat(store.map().validate()).isZero();
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
