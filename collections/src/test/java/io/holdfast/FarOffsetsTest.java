package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.collections.PersistentHashMap;
import io.holdfast.collections.PersistentQueue;
import io.holdfast.collections.PersistentTreeMap;
import io.holdfast.core.RecoveryReport.Outcome;
import io.holdfast.core.fixture.LongRegion;
import io.holdfast.core.fixture.Words;
import io.holdfast.core.memory.RegionFile;
import io.holdfast.core.region.Region;
import io.holdfast.verification.HeldRegion;
import io.holdfast.verification.SoundnessCheck;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Collections whose blocks lie beyond 2^40 bytes of their file, which is a hole up to there.
@Timeout(300)
class FarOffsetsTest {
  private static final long FAR = 1L << 40;
  private static final long ROOM = 1L << 30;
  private static final int ENTRIES = 5_000;

  @TempDir private Path directory;

  private static PersistentHashMap<Long, String> map(Holdfast store) {
    return store.hashMap("map", Long.class, String.class);
  }

  private static PersistentTreeMap<Long, String> tree(Holdfast store) {
    return store.treeMap("tree", Long.class, String.class);
  }

  private static PersistentQueue<Long> queue(Holdfast store) {
    return store.queue("queue", Long.class);
  }

  /// Fills a store, removes what is odd, and dies in a section that has undone half of that.
  public static void main(String[] arguments) {
    Holdfast store = Holdfast.open(Path.of(arguments[0]));
    String text = "v".repeat(300);
    for (long i = 0; i < ENTRIES; i++) {
      map(store).put(i, text + i);
      tree(store).put(i, text + i);
      queue(store).add(i);
    }
    map(store).keySet().removeIf(key -> key % 2 == 1);
    tree(store).keySet().removeIf(key -> key % 2 == 1);
    queue(store).removeIf(key -> key % 2 == 1);
    store.atomically(
        () -> {
          for (long i = 0; i < ENTRIES / 2; i++) {
            map(store).put(i, "undone");
            tree(store).put(i, "undone");
            queue(store).poll();
          }
          HappensBefore.releasing(store); // it stores what it holds back
          Runtime.getRuntime().halt(ChildJvm.KILLED);
        });
  }

  private static void inRegion(Path path, Consumer<Region> action) {
    try (RegionFile file = RegionFile.open(path);
        Region region = Region.open(file.memory(), RegionFile.INITIAL_BYTES)) {
      action.accept(region);
    }
  }

  @Test
  void collectionsBeyondTwoToThe40() throws Exception {
    Path path = directory.resolve("far.hf");
    LongRegion.create(path, FAR + ROOM);
    AtomicLong filler = new AtomicLong();
    inRegion(path, region -> Words.atomically(() -> filler.set(region.heap().allocate(FAR))));
    try (ChildJvm child = ChildJvm.start(FarOffsetsTest.class, path.toString())) {
      assertThat(child.awaitEnd()).isEqualTo(ChildJvm.KILLED);
    }
    try (Holdfast store = Holdfast.open(path)) {
      assertThat(store.recovery().outcome()).isEqualTo(Outcome.RECOVERED);
      assertThat(store.recovery().sectionsUndone()).isEqualTo(1);
      String text = "v".repeat(300);
      for (long i = 0; i < ENTRIES; i++) {
        String expected = i % 2 == 1 ? null : text + i;
        assertThat(map(store).get(i)).isEqualTo(expected);
        assertThat(tree(store).get(i)).isEqualTo(expected);
      }
      for (long i = 0; i < ENTRIES; i += 2) {
        assertThat(queue(store).poll()).isEqualTo(i);
      }
      assertThat(queue(store).poll()).isNull();
      assertThat(tree(store).keyAt(ENTRIES / 4)).isEqualTo(ENTRIES / 2);
      store.trim();
    }
    inRegion(
        path,
        region -> {
          assertThat(region.heap().validator().blocks())
              .filteredOn(block -> block.offset() > FAR)
              .hasSizeGreaterThan(100);
          Words.atomically(() -> region.heap().free(filler.get()));
        });
    try (HeldRegion held = HeldRegion.of(path)) {
      SoundnessCheck check = new SoundnessCheck(null, 1, blocks -> more -> {});
      check.run(held);
      assertThat(check.faults()).isEmpty();
      assertThat(check.entries().values()).containsExactlyInAnyOrder(2_500L, 2_500L, 0L);
    }
    assertThat(Files.size(path)).isBetween(FAR, FAR + ROOM);
  }
}
