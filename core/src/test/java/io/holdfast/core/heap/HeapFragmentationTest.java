package io.holdfast.core.heap;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.fixture.Words;
import io.holdfast.core.memory.RegionFile;
import io.holdfast.core.region.Region;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// How long a region becomes for what it holds, counted in bytes: a small version of the soak in
/// `jmh`.
class HeapFragmentationTest {
  private static final int BLOCKS = 40_000;
  private static final int EXCHANGES = 300_000;

  @TempDir Path directory;

  @Test
  void mixedSizesFreedAndAllocatedAgain() {
    long seed = Long.getLong("holdfast.seed", 7);
    Random random = new Random(seed);
    try (RegionFile file = RegionFile.open(directory.resolve("mixed.hf"));
        Region region = Region.open(file.memory(), RegionFile.INITIAL_BYTES)) {
      long[] blocks = new long[BLOCKS];
      int[] sizes = new int[BLOCKS];
      long live = 0;
      for (int i = 0; i < BLOCKS; i++) {
        live += allocate(region, blocks, sizes, i, size(random, 0));
      }
      long peak = live;
      for (int done = 0; done < EXCHANGES; done++) {
        int at = random.nextInt(BLOCKS);
        live -= sizes[at];
        Words.atomically(() -> region.heap().free(blocks[at]));
        live += allocate(region, blocks, sizes, at, size(random, done));
        peak = Math.max(peak, live);
      }
      double ratio = (double) region.memory().length() / peak;
      System.out.printf(
          "a region of %d bytes for %d at the peak: %.3f; %s%n",
          region.memory().length(), peak, ratio, region.heap().validator().usage());
      assertThat(ratio).as("seed=%d", seed).isLessThanOrEqualTo(1.3);
      assertThat(region.heap().validator().blocks()).hasSize(BLOCKS);
    }
  }

  /// From 16 bytes to some 32 KiB, as many in each octave; what is usual shifts with time.
  private static int size(Random random, int done) {
    double octaves = 10 + (done / (EXCHANGES / 3) % 2);
    return (int) (16 * Math.pow(2, random.nextDouble() * octaves));
  }

  private static int allocate(Region region, long[] blocks, int[] sizes, int at, int size) {
    Words.atomically(() -> blocks[at] = region.heap().allocate(size));
    sizes[at] = size;
    return size;
  }
}
