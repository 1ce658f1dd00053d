package io.holdfast.jmh.bench;

import io.holdfast.core.heap.Heap;
import io.holdfast.core.heap.HeapUsage;
import io.holdfast.core.memory.RegionFile;
import io.holdfast.core.region.Region;
import io.holdfast.core.section.hooks.SectionHooks;
import io.holdfast.jmh.process.Scratch;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// Frees and allocates blocks of mixed sizes for a while, and tells how long the region has become
/// for what it held at the peak. Counts bytes; the time is only for how long.
///
/// Sizes are from 16 bytes to 2 or 4 KiB, as many in each octave, by turns; one block of a thousand
/// is of up to 200 KiB. Blocks are freed at random, whatever their age.
@Command(
    name = "heap-soak",
    mixinStandardHelpOptions = true,
    description = "Frees and allocates blocks, and prints the region's length by what it holds.")
public final class HeapSoak implements Callable<Integer> {
  /// The most that the region may be longer than what it holds.
  private static final double RATIO_MAX = 1.3;

  private static final int OCTAVES = 7, LARGE_MIN = 30_000, LARGE_MAX = 200_000;

  @Option(
      names = "--seconds",
      defaultValue = "600",
      description = "how long it exchanges blocks (default: ${DEFAULT-VALUE})")
  private long seconds;

  @Option(
      names = "--blocks",
      defaultValue = "1000000",
      description = "in use at a time (default: ${DEFAULT-VALUE})")
  private int count;

  @Option(names = "--seed", defaultValue = "1", description = "default: ${DEFAULT-VALUE}")
  private long seed;

  private Heap heap;
  private Random random;
  private long[] blocks;
  private int[] sizes;
  private long live;
  private long peak;
  private long exchanges;

  private HeapSoak() {}

  /// Runs the command line and exits with its code: 0 within the bound, 1 beyond it.
  public static void main(String[] args) {
    System.exit(new CommandLine(new HeapSoak()).execute(args));
  }

  @Override
  public Integer call() {
    random = new Random(seed);
    blocks = new long[count];
    sizes = new int[count];
    try (Scratch scratch = new Scratch();
        RegionFile file = RegionFile.open(scratch.file("soak.hf"));
        Region region = Region.open(file.memory(), RegionFile.INITIAL_BYTES)) {
      heap = region.heap();
      for (int i = 0; i < count; i++) {
        allocate(i);
      }
      long started = System.nanoTime();
      tell(region, 0);
      long elapsed = 0;
      for (long told = 0; elapsed < seconds; ) {
        for (int i = 0; i < count / 10; i++) {
          exchange(random.nextInt(count));
        }
        elapsed = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - started);
        if (elapsed >= told + 30) {
          told = elapsed;
          tell(region, elapsed);
        }
      }
      tell(region, elapsed);
      double ratio = (double) region.memory().length() / peak;
      System.out.printf(
          "%d blocks, %d exchanges: region / live at the peak = %.3f, at most %.1f%n",
          count, exchanges, ratio, RATIO_MAX);
      return ratio <= RATIO_MAX ? 0 : 1;
    }
  }

  private void exchange(int at) {
    live -= sizes[at];
    SectionHooks.enter();
    try {
      heap.free(blocks[at]);
    } finally {
      SectionHooks.exit();
    }
    allocate(at);
    exchanges++;
  }

  private void allocate(int at) {
    sizes[at] = size();
    SectionHooks.enter();
    try {
      blocks[at] = heap.allocate(sizes[at]);
    } finally {
      SectionHooks.exit();
    }
    live += sizes[at];
    peak = Math.max(peak, live);
  }

  private int size() {
    if (random.nextInt(1_000) == 0) {
      return random.nextInt(LARGE_MIN, LARGE_MAX);
    }
    long phase = exchanges / (2L * count) % 2;
    return (int) (16 * Math.pow(2, random.nextDouble() * (OCTAVES + phase)));
  }

  private void tell(Region region, long elapsed) {
    HeapUsage usage = region.heap().validator().usage();
    System.out.printf(
        "%4d s, %d exchanges: region %d MB, asked for %d MB, at the peak %d MB, in blocks %d MB, in"
            + " slabs %d MB, free spans %d MB%n",
        elapsed,
        exchanges,
        usage.regionBytes() >> 20,
        live >> 20,
        peak >> 20,
        usage.liveBytes() >> 20,
        usage.slabBytes() >> 20,
        usage.freeBytes() >> 20);
  }
}
