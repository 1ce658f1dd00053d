package io.holdfast.jmh.bench.map;

import io.holdfast.core.memory.MappedMemory;
import io.holdfast.core.memory.Memory;
import io.holdfast.jmh.map.BenchmarkMap.ByteAccess;
import io.holdfast.jmh.map.Draws;
import io.holdfast.jmh.map.HoldfastMap;
import io.holdfast.jmh.map.Items;
import io.holdfast.jmh.map.Workload;
import io.holdfast.jmh.map.YcsbRequests;
import io.holdfast.jmh.process.Scratch;
import io.holdfast.jmh.suite.Experiment;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
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

/// Drawing a key ({@link #drawnKey}) is part of every operation of {@link MapBenchmark}; drawing an
/// item, building its key, and copying its value, of every operation of {@link YcsbBenchmark}
/// ({@link #ycsb}). A put that is durable has to flush a line and wait: {@link #anyLine} does so
/// for one of as many lines as a map has entries, {@link #nextLine} for one after the other. Both
/// store the four words that an entry of a long and a long has. An entry in a slot is two lines
/// away, of which the first has the second's address: {@link #twoWaits} makes the same requests of
/// as many such lines, one after the other.
@Experiment(
    question = "what do the maps' benchmarks take without a map?",
    floor =
        "it is the floor: drawing a key (`drawnKey`), a workload's requests (`ycsb`), a"
            + " line stored, flushed and fenced (`anyLine`, `nextLine`), two waits for memory, none"
            + " of which begins before the last one has ended (`twoWaits`)",
    variables = "the workload; which line is flushed")
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(
    value = 1,
    jvmArgsAppend = {"-Xms2g", "-Xmx2g", "--enable-native-access=ALL-UNNAMED"})
public class FloorBenchmark {
  private static final int LINE_BYTES = 64;
  private static final int VALUE_BYTES = 100;

  /// What is drawn from.
  @State(Scope.Thread)
  public static class Drawing {
    @Param("1000000")
    public int entries;

    final Draws draws = new Draws(1);
    long number;

    final long key() {
      return Items.longKey(draws.item(entries));
    }
  }

  /// Lines of a mapped file.
  @State(Scope.Thread)
  public static class Lines extends Drawing {
    private final Scratch scratch = new Scratch();
    private Memory memory;
    private long next;

    @Setup
    public void open() {
      Path file = scratch.file("lines");
      long length = (long) entries * LINE_BYTES;
      try {
        Files.createFile(file);
        memory = new MappedMemory(file, 0, HoldfastMap.POWER_FAILURE.domainOf(file));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      memory.grow(length);
    }

    @TearDown
    public void close() {
      memory.close();
      scratch.close();
    }

    private void store(long line, long key) {
      long at = line * LINE_BYTES;
      memory.writePlain(at + 8, LINE_BYTES);
      memory.writePlain(at + 24, key);
      memory.writePlain(at + 32, number);
      memory.writeRelease(at, ++number);
      memory.flush(at, LINE_BYTES);
      memory.fence();
    }
  }

  /// A workload without a map.
  @State(Scope.Thread)
  public static class Requests implements ByteAccess {
    @Param("1000000")
    public int entries;

    @Param({"A", "B", "C", "D", "F"})
    public Workload workload;

    private YcsbRequests requests;
    private byte[] value;

    @Setup
    public void draw() {
      requests = new YcsbRequests(workload, entries, VALUE_BYTES, 0, 1);
      value = Items.value(0, VALUE_BYTES);
    }

    /// Keeps it, as a map would, so that it is made.
    @Override
    public void put(byte[] itsKey, byte[] itsValue) {
      value = itsValue;
    }

    @Override
    public byte[] get(byte[] itsKey) {
      byte[] copy = value.clone();
      copy[8] = itsKey[0];
      return copy;
    }
  }

  /// Words that lead to slots, as the index of a map of as many entries, and those slots.
  @State(Scope.Thread)
  public static class Slots implements ByteAccess {
    private static final int INDEX_BYTES_EACH = 23;
    private static final int SLOT_BYTES = 128;

    /// A prime, so that each item has a slot of its own.
    private static final long STRIDE = 611_953;

    @Param("1000000")
    public int entries;

    @Param({"A", "B"})
    public Workload workload;

    private final Scratch scratch = new Scratch();
    private Memory memory;
    private long words;
    private YcsbRequests requests;

    /// Of the last slot; added to what is read next, and so waited for.
    private long zero;

    @Setup
    public void open() {
      Path file = scratch.file("slots");
      try {
        Files.createFile(file);
        memory = new MappedMemory(file, 0, HoldfastMap.PROCESS_CRASH.domainOf(file));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      words = (long) entries * INDEX_BYTES_EACH / Long.BYTES;
      long slots = words * Long.BYTES + LINE_BYTES & -LINE_BYTES;
      memory.grow(slots + (long) entries * SLOT_BYTES);
      for (int item = 0; item < entries; item++) {
        // Keys that share a word share the last one's slot: a sixth of the slots is not read.
        memory.writePlain(wordOf(Items.key(item)), slots + item * STRIDE % entries * SLOT_BYTES);
      }
      for (long at = slots; at < memory.length(); at += LINE_BYTES) {
        memory.writePlain(at + LINE_BYTES - Long.BYTES, 0);
      }
      requests = new YcsbRequests(workload, entries, VALUE_BYTES, 0, 1);
    }

    @TearDown
    public void close() {
      memory.close();
      scratch.close();
    }

    private long wordOf(byte[] key) {
      return Math.unsignedMultiplyHigh(Items.scatter(Items.number(key)), words) * Long.BYTES;
    }

    private long slot(byte[] key) {
      long slot = memory.readPlain(wordOf(key) + zero);
      zero = memory.readPlain(slot + SLOT_BYTES - Long.BYTES);
      return slot;
    }

    @Override
    public void put(byte[] key, byte[] value) {
      memory.writeBytesPlain(slot(key), value, 0, VALUE_BYTES);
    }

    @Override
    public byte[] get(byte[] key) {
      byte[] value = new byte[VALUE_BYTES];
      memory.readBytes(slot(key), value, 0, VALUE_BYTES);
      return value;
    }
  }

  @Benchmark
  public long drawnKey(Drawing drawing) {
    return drawing.key();
  }

  @Benchmark
  public byte[] ycsb(Requests workload) {
    return workload.requests.run(workload);
  }

  @Benchmark
  public byte[] twoWaits(Slots slots) {
    return slots.requests.run(slots);
  }

  @Benchmark
  public void anyLine(Lines lines) {
    long key = lines.key();
    lines.store(Math.unsignedMultiplyHigh(key, lines.entries), key);
  }

  @Benchmark
  public void nextLine(Lines lines) {
    lines.next = lines.next + 1 == lines.entries ? 0 : lines.next + 1;
    lines.store(lines.next, lines.key());
  }
}
