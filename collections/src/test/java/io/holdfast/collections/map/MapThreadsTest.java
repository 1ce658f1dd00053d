package io.holdfast.collections.map;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.codec.Encoded;
import io.holdfast.collections.keyed.KeyedRegion;
import io.holdfast.collections.keyed.KeyedThreadsContract;
import io.holdfast.collections.map.slot.MapRoot;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.memory.RegionFile;
import io.holdfast.core.region.Region;
import io.holdfast.core.section.hooks.SectionHooks;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Readers against writers of the same few keys and of growing numbers of others, on a real file.
class MapThreadsTest extends KeyedThreadsContract {
  @Override
  protected KeyedRegion open(Memory memory) {
    return MapRegion.open(memory, 1);
  }

  private static final int KEYS = 8;
  private static final int WRITES = 16_000;

  /// The common pool may have one thread only.
  private static final Executor OWN_THREADS = task -> Thread.ofPlatform().daemon().start(task);

  @TempDir Path directory;

  /// Each value is one byte many times, so that a mixture of two shows.
  private static Encoded value(Random random) {
    byte[] bytes = new byte[1 + random.nextInt(300)];
    Arrays.fill(bytes, (byte) random.nextInt());
    return Encoded.of(bytes);
  }

  private static void checkWhole(Encoded value) {
    byte[] bytes = value.bytes();
    for (int i = 1; i < value.length(); i++) {
      if (bytes[i] != bytes[0]) {
        throw new AssertionError("a mixture: at=%d of %d".formatted(i, value.length()));
      }
    }
  }

  @Test
  void readersSeeWholeEntries() throws Exception {
    try (RegionFile file = RegionFile.open(directory.resolve("map.hf"));
        Region region = Region.open(file.memory(), RegionFile.INITIAL_BYTES)) {
      long[] root = new long[1];
      region
          .roots()
          .create("map", "test", "", () -> root[0] = MapRoot.create(region, 1, false, 7, 11));
      EntryMap map = new EntryMap(region, root[0]);
      for (int key = 0; key < KEYS; key++) {
        map.put(Encoded.of(key), value(new Random(key)));
      }
      AtomicBoolean done = new AtomicBoolean();
      List<CompletableFuture<Void>> threads = new ArrayList<>();
      for (int reader = 0; reader < 2; reader++) {
        Random random = new Random(reader);
        threads.add(
            CompletableFuture.runAsync(
                () -> {
                  while (!done.get()) {
                    // Always there: no reader may miss it, whatever moves.
                    Encoded found = map.get(Encoded.of(random.nextInt(KEYS)));
                    assertThat(found).isNotNull();
                    checkWhole(found);
                  }
                },
                OWN_THREADS));
      }
      List<CompletableFuture<Void>> writers = new ArrayList<>();
      for (int writer = 0; writer < 2; writer++) {
        int number = writer;
        writers.add(CompletableFuture.runAsync(() -> write(map, number), OWN_THREADS));
      }
      writers.forEach(CompletableFuture::join);
      done.set(true);
      threads.forEach(CompletableFuture::join);
      assertThat(map.validate()).isEqualTo(map.size()).isEqualTo(KEYS + 2L * WRITES / 8);
    }
  }

  private static void write(EntryMap map, int number) {
    Random random = new Random(100 + number);
    for (int i = 0; i < WRITES; i++) {
      boolean inSection = random.nextInt(50) == 0;
      if (inSection) {
        SectionHooks.enter();
      }
      map.put(Encoded.of(random.nextInt(KEYS)), value(random));
      if (inSection) {
        SectionHooks.exit();
      }
      if (i % 8 == 0) { // segments split under the readers
        map.put(Encoded.of(1_000_000L * (number + 1) + i), Encoded.of(i));
      }
    }
  }
}
