package io.holdfast.jmh.bench;

import io.holdfast.jmh.atlas.Crew;
import io.holdfast.jmh.process.ComparedProcess;
import io.holdfast.jmh.process.Scratch;
import io.holdfast.jmh.queue.BenchmarkQueue;
import io.holdfast.jmh.queue.Queues;
import io.holdfast.jmh.suite.Experiment;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/// An invocation is a whole run: so many elements of 64 bytes that half of the threads add and the
/// other half take out. A thread that finds none looks again, and leaves the processor now and
/// then. On two cores four threads take turns.
///
/// Every element is a new array. Chronicle Queue has one reader under a lock where there are two,
/// because its readers each read everything; what it has read is not taken out of its file.
@Experiment(
    question =
        "how fast do elements of 64 bytes go through a queue from one thread to"
            + " another, and from two to two?",
    floor = "the `java.util.concurrent` twins, which keep a reference",
    variables = "the queue; one to one, or two to two")
public class PipelineBenchmark extends ComparedProcess {
  private static final int ELEMENTS = 100_000;

  @Param({
    "Holdfast",
    "HoldfastPower",
    "ArrayBlockingQueue",
    "ConcurrentLinkedQueue",
    "ChronicleQueue"
  })
  public String queue;

  /// A queue and its threads.
  public abstract static class Running {
    private Scratch scratch;
    private BenchmarkQueue opened;
    private Crew crew;

    final void open(String name, int pairs) {
      scratch = new Scratch();
      opened = Queues.create(name, scratch.directory(), ELEMENTS);
      crew = new Crew(new Pipeline(opened, pairs));
    }

    final void run() {
      crew.run(ELEMENTS);
    }

    @TearDown
    public final void close() {
      crew.close();
      opened.close();
      scratch.close();
    }
  }

  /// One to one.
  @State(Scope.Benchmark)
  public static class OnePair extends Running {
    @Setup
    public void open(PipelineBenchmark benchmark) {
      open(benchmark.queue, 1);
    }
  }

  /// Two to two.
  @State(Scope.Benchmark)
  public static class TwoPairs extends Running {
    @Setup
    public void open(PipelineBenchmark benchmark) {
      open(benchmark.queue, 2);
    }
  }

  @Benchmark
  @OperationsPerInvocation(ELEMENTS)
  public void oneToOne(OnePair queue) {
    queue.run();
  }

  @Benchmark
  @OperationsPerInvocation(ELEMENTS)
  public void twoToTwo(TwoPairs queue) {
    queue.run();
  }
}
