package io.holdfast.jmh.bench.program;

import io.holdfast.core.memory.RegionFile.DomainFinder;
import io.holdfast.core.persistence.PersistentMemory;
import io.holdfast.jmh.byhand.Area;
import io.holdfast.jmh.byhand.Copies;
import io.holdfast.jmh.byhand.Insertions;
import io.holdfast.jmh.byhand.Way;
import io.holdfast.jmh.domain.EmulatedLatency;
import io.holdfast.jmh.process.Scratch;
import io.holdfast.jmh.process.TimedBenchmark;
import io.holdfast.jmh.suite.Experiment;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/// Loss of power, on persistent memory: the file is treated as such and is none, so that flushes
/// cost what DRAM makes them cost.
@Experiment(
    question =
        "how far is a section from hand-written code that does the same: a copy of bytes with a"
            + " record that has it made again, an insertion that one pointer publishes? The Atlas"
            + " paper's Figures 7(b) and 7(c), in one thread",
    floor = "the same work, with no regard for crashes (`TRANSIENT`)",
    variables = "who sees to the durability; bytes of a copy; nanoseconds added to a fence")
@Fork(value = 1, jvmArgsAppend = "--enable-native-access=ALL-UNNAMED")
public class ByHandBenchmark extends TimedBenchmark {
  private static final int ELEMENTS = 10_000;

  /// An area, and who sees to its durability.
  @State(Scope.Thread)
  public abstract static class Opened {
    @Param public Way way;

    @Param({"0", "300"})
    public int addedNanos;

    private Scratch scratch;
    private Area area;

    final Area open(long bytes) {
      scratch = new Scratch();
      DomainFinder finder =
          file -> new EmulatedLatency(PersistentMemory.domainOf(file), addedNanos);
      area = Area.create(way, scratch.file("area"), finder, bytes);
      return area;
    }

    @TearDown
    public final void close() {
      area.close();
      scratch.close();
    }
  }

  /// Bytes, and as many to copy them to.
  public static class Copied extends Opened {
    @Param({"64", "512", "4096"})
    public int bytes;

    private Copies copies;
    private long from;

    @Setup
    public void open() {
      copies = Copies.in(open(Copies.areaBytes(2L * bytes)), way, 2L * bytes);
    }

    void copy() {
      long to = bytes - from;
      copies.copy(from, to, bytes);
      from = to;
    }
  }

  /// A list that is empty when an invocation begins.
  public static class Inserted extends Opened {
    private Insertions list;

    @Setup
    public void open() {
      list = Insertions.in(open(Insertions.areaBytes(ELEMENTS)), way);
    }

    @TearDown(Level.Invocation)
    public void clear() {
      if (list.content().size() != ELEMENTS) {
        throw new IllegalStateException("elements=" + list.content().size());
      }
      list.clear();
    }

    void insert() {
      for (int i = 0; i < ELEMENTS; i++) {
        list.insert(i);
      }
    }
  }

  @Benchmark
  public void copy(Copied copied) {
    copied.copy();
  }

  @Benchmark
  @OperationsPerInvocation(ELEMENTS)
  public void insert(Inserted inserted) {
    inserted.insert();
  }
}
