package io.holdfast.collections;

import static io.holdfast.core.fixture.Words.atomically;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.codec.Codec;
import io.holdfast.core.memory.RegionFile;
import java.nio.file.Path;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Sections over a sorted map depend on each other where data flowed, and not through the leaf, the
/// nodes or the count that they shared.
class PersistentTreeMapDependenciesTest {
  @TempDir Path dir;
  private RegionFile file;
  private TreeMapRegion store;
  private PersistentTreeMap<Long, Long> map;

  @BeforeEach
  void open() {
    file = RegionFile.open(dir.resolve("t.hf"));
    store = TreeMapRegion.open(file.memory(), 1 << 20);
    map = store.map("map", Codec.of(Long.class), Codec.of(Long.class), null);
    for (long i = 0; i < 10; i++) {
      map.put(i * 10, i);
    }
  }

  @AfterEach
  void close() {
    assertThat(map.validate()).isEqualTo(map.size());
    store.close();
    file.close();
  }

  /// Sections on different keys of a leaf share nothing.
  @Test
  void sectionsOfDifferentKeysDoNotDepend() {
    depends(
        0,
        () -> map.put(11L, 1L),
        () -> {
          map.put(12L, 1L);
          map.remove(20L);
          map.get(11L);
          map.firstKey();
        });
  }

  @Test
  void theFirstKeysOfATreeDoNotDepend() {
    map.clear();
    depends(0, () -> map.put(11L, 1L), () -> map.put(12L, 1L));
    map.clear();
    depends(0, () -> map.put(11L, 1L), () -> map.remove(12L));
  }

  /// The first section's leaf is split by the second one, and by its own end.
  @Test
  void splitsMakeNobodyDepend() {
    depends(
        0,
        () -> LongStream.range(101, 300).forEach(i -> map.put(i, i)),
        () -> LongStream.range(301, 500).forEach(i -> map.put(i, i)));
    assertThat(map.tailMap(100L).keySet()).hasSize(398);
  }

  /// The second one depends on the first one, whose end finds in the leaf what waits for it.
  @Test
  void claim1ABuiltOnKeyIsDependedOn() {
    depends(2, () -> map.merge(10L, 5L, Long::sum), () -> map.merge(10L, 7L, Long::sum));
    assertThat(map).containsEntry(10L, 13L);
  }

  /// A merge of leaves at the end of a section, whose neighbour another one changes later.
  @Test
  void mergesMakeNobodyDepend() {
    LongStream.range(101, 500).forEach(i -> map.put(i, i));
    depends(
        0,
        () -> LongStream.range(101, 400).forEach(map::remove),
        () -> LongStream.range(400, 499).forEach(map::remove));
    assertThat(map.tailMap(100L).keySet()).containsExactly(499L);
  }

  /// STRUCT-1: single operations come between the stores of sections that split and merge leaves.
  @Test
  void struct1NobodyDependsOnAnEndingSection() throws Exception {
    LongStream.range(101, 500).forEach(i -> map.put(i, i));
    long before = store.region().sections().dependencies();
    Thread writer =
        Thread.ofPlatform()
            .start(
                () -> {
                  for (int i = 0; i < 300; i++) {
                    atomically(() -> LongStream.range(1_000, 1_100).forEach(k -> map.put(k, k)));
                    atomically(() -> LongStream.range(1_000, 1_100).forEach(map::remove));
                  }
                });
    while (writer.isAlive()) {
      map.merge(0L, 1L, Long::sum);
    }
    writer.join();
    assertThat(store.region().sections().dependencies() - before).isZero();
  }

  /// Two sections that are open at the same time, the first of which ends last.
  private void depends(long expected, Runnable first, Runnable second) {
    long before = store.region().sections().dependencies();
    atomically(
        () -> {
          first.run();
          Thread thread = Thread.ofPlatform().start(() -> atomically(second::run));
          try {
            thread.join();
          } catch (InterruptedException e) {
            throw new AssertionError(e);
          }
        });
    assertThat(store.region().sections().dependencies() - before).isEqualTo(expected);
  }
}
