package io.holdfast.jmh.bench.map;

import io.holdfast.core.persistence.PersistenceDomain;
import io.holdfast.core.persistence.PersistentMemory;
import io.holdfast.jmh.domain.EmulatedLatency;
import io.holdfast.jmh.map.BenchmarkMap.ByteAccess;
import io.holdfast.jmh.map.BenchmarkMap.LongAccess;
import io.holdfast.jmh.map.Draws;
import io.holdfast.jmh.map.HoldfastMap;
import io.holdfast.jmh.map.Items;
import io.holdfast.jmh.map.ScrambledZipf;
import io.holdfast.jmh.map.TwoRoundTrips;
import io.holdfast.jmh.process.Scratch;
import io.holdfast.jmh.suite.Experiment;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/// The twin is {@link TwoRoundTrips}; in the paper's the first round trip must be over before the
/// next step, and can't overlap the search. Of the paper's sixteen lines it is fifteen here,
/// because slots come in 15 and in 20. Keys are drawn as YCSB draws them.
@Experiment(
    question =
        "what does one round trip to the media save, against two? The CSO paper's"
            + " Figure 7, measured as there: half reads, half updates, by one thread",
    floor =
        "the same map in two round trips, as in the paper (`two`), and with the first"
            + " one overlapping the search in the index (`twoOverlapped`); below them"
            + " `FloorBenchmark.anyLine`",
    variables =
        "nanoseconds added to a fence, at a million entries (`byLatency`); entries in"
            + " the map (`bySize`); lines of an entry, at a million (`byLines`)")
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(
    value = 1,
    jvmArgsAppend = {"-Xms2g", "-Xmx2g", "--enable-native-access=ALL-UNNAMED"})
public class RoundTripBenchmark {
  /// Of an entry's key in {@link #byLines}.
  private static final int KEY_BYTES = 16;

  /// What an entry has in its first line and in each further one.
  private static final int FIRST_LINE = 40, FURTHER_LINE = 63;

  /// A map and what is drawn from it.
  @State(Scope.Thread)
  public abstract static class Updated {
    @Param({"one", "two", "twoOverlapped"})
    public String roundTrips;

    private final Draws draws = new Draws(1);
    private final Scratch scratch = new Scratch();
    private ScrambledZipf items;
    private long number;
    private HoldfastMap map;

    final HoldfastMap open(int entries, int latency) {
      items = new ScrambledZipf(entries, draws);
      map = HoldfastMap.open(scratch.directory(), file -> domain(file, latency));
      return map;
    }

    private PersistenceDomain domain(Path file, int latency) throws IOException {
      PersistenceDomain lines = PersistentMemory.domainOf(file);
      PersistenceDomain domain = latency == 0 ? lines : new EmulatedLatency(lines, latency);
      return switch (roundTrips) {
        case "one" -> domain;
        case "two" -> new TwoRoundTrips(domain, false);
        case "twoOverlapped" -> new TwoRoundTrips(domain, true);
        default -> throw new IllegalArgumentException("round trips=" + roundTrips);
      };
    }

    final boolean isRead() {
      return draws.next() < 0;
    }

    final int item() {
      return items.item();
    }

    final long nextNumber() {
      return ++number;
    }

    @TearDown
    public final void close() {
      map.close();
      scratch.close();
    }
  }

  /// Longs.
  public abstract static class Longs extends Updated {
    private LongAccess access;

    final void fill(int entries, int latency) {
      access = open(entries, latency).longs();
      for (int i = 0; i < entries; i++) {
        access.put(Items.longKey(i), i);
      }
    }

    final long run() {
      long key = Items.longKey(item());
      if (isRead()) {
        return access.get(key);
      }
      access.put(key, nextNumber());
      return 0;
    }
  }

  /// A million longs.
  public static class ByLatency extends Longs {
    @Param("1000000")
    public int entries;

    @Param({"0", "200", "400", "600", "800"})
    public int addedNanos;

    @Setup
    public void fill() {
      fill(entries, addedNanos);
    }
  }

  /// Longs, of which there are more or less.
  public static class BySize extends Longs {
    @Param({"2048", "8192", "32768", "131072", "524288", "2097152", "8388608", "33554432"})
    public int size;

    @Setup
    public void fill() {
      fill(size, 0);
    }
  }

  /// A million entries of one and more lines.
  public static class ByLines extends Updated {
    @Param({"1", "2", "4", "8", "15"})
    public int lines;

    @Param("1000000")
    public int entries;

    private ByteAccess access;
    private int valueBytes;

    @Setup
    public void fill() {
      access = open(entries, 0).bytes();
      valueBytes = FIRST_LINE + (lines - 1) * FURTHER_LINE - KEY_BYTES;
      for (int i = 0; i < entries; i++) {
        access.put(Items.key(i), Items.value(i, valueBytes));
      }
    }

    private byte[] run() {
      byte[] key = Items.key(item());
      if (isRead()) {
        return access.get(key);
      }
      byte[] value = Items.value(nextNumber(), valueBytes);
      access.put(key, value);
      return value;
    }
  }

  @Benchmark
  public long byLatency(ByLatency map) {
    return map.run();
  }

  @Benchmark
  public long bySize(BySize map) {
    return map.run();
  }

  @Benchmark
  public byte[] byLines(ByLines map) {
    return map.run();
  }
}
