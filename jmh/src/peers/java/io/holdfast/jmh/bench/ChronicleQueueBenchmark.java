package io.holdfast.jmh.bench;

import io.holdfast.jmh.suite.Experiment;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/// With an unnamed tailer what was taken before a crash is taken again after it. That is less than
/// `poll` promises, and faster, so it is what we compare with; the `named` tailer promises what we
/// do.
@Experiment(
    question = "what does Chronicle Queue take for what `QueueBenchmark` does?",
    floor = "`QueueBenchmark`'s",
    variables =
        "where the element comes from and goes to, as there; whether the reader's"
            + " position is stored (`named`) or forgotten (`unnamed`)")
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class ChronicleQueueBenchmark extends ChronicleBenchmark {
  /// With a tailer that forgets where it stood.
  @State(Scope.Thread)
  public static class Unnamed {
    final Elements elements = new Elements();
    final byte[] taken = new byte[Elements.BYTES];
    ChronicleFiles queue;

    @Setup
    public void open() {
      queue = prefilled(ChronicleFiles.UNNAMED, elements);
    }

    @TearDown
    public void close() {
      queue.close();
    }
  }

  /// With a tailer that goes on where it stood.
  @State(Scope.Thread)
  public static class Named {
    final Elements elements = new Elements();
    ChronicleFiles queue;

    @Setup
    public void open() {
      queue = prefilled("reader", elements);
    }

    @TearDown
    public void close() {
      queue.close();
    }
  }

  private static ChronicleFiles prefilled(String tailerName, Elements elements) {
    ChronicleFiles queue = new ChronicleFiles(tailerName);
    for (int i = 0; i < Elements.PREFILL; i++) {
      queue.append(elements.fresh());
    }
    return queue;
  }

  @Benchmark
  public byte[] unnamedFresh(Unnamed state) {
    state.queue.append(state.elements.fresh());
    byte[] taken = new byte[Elements.BYTES];
    state.queue.read(taken);
    return taken;
  }

  @Benchmark
  public byte[] unnamedReused(Unnamed state) {
    state.queue.append(state.elements.reused());
    state.queue.read(state.taken);
    return state.taken;
  }

  @Benchmark
  public byte[] namedFresh(Named state) {
    state.queue.append(state.elements.fresh());
    byte[] taken = new byte[Elements.BYTES];
    state.queue.read(taken);
    return taken;
  }
}
