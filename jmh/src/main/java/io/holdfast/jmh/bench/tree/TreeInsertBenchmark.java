package io.holdfast.jmh.bench.tree;

import io.holdfast.jmh.map.BenchmarkTree.SortedAccess;
import io.holdfast.jmh.map.MapShape;
import io.holdfast.jmh.suite.Experiment;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.ThreadParams;

/// All trees grow, their files too. Each measurement fills a new tree once, so there are few.
@Experiment(
    question =
        "what does an insertion take, a transaction each, on average until an empty"
            + " tree holds a million longs (MVStore, Xodus: a hundred thousand, in their favour)?"
            + " And do two writers get in each other's way?",
    floor = "ceilings: those of `TreeBenchmark`; a single thread's insertions for two threads'",
    variables =
        "the tree; keys at random by one thread, or by two that insert half of them"
            + " each; keys in order by one")
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 2)
@Measurement(iterations = 3)
public class TreeInsertBenchmark extends TreeComparison {
  private static final int INSERTS = 1_000_000;

  /// A million commits take some of them a minute and a half.
  public static final int SLOW_INSERTS = INSERTS / 10;

  @Setup(Level.Iteration)
  public void begin() {
    create(MapShape.ofLongs(entries));
  }

  @TearDown(Level.Iteration)
  public void close() {
    delete();
  }

  @Benchmark
  @Threads(1)
  @OperationsPerInvocation(INSERTS)
  public void random(BenchmarkParams params) {
    insert(0, params.getOpsPerInvocation());
  }

  @Benchmark
  @Threads(2)
  @OperationsPerInvocation(INSERTS / 2)
  public void randomByTwo(BenchmarkParams params, ThreadParams thread) {
    int count = params.getOpsPerInvocation();
    insert(thread.getThreadIndex() * count, count);
  }

  @Benchmark
  @Threads(1)
  @OperationsPerInvocation(INSERTS)
  public void sequential(BenchmarkParams params) {
    SortedAccess access = opened().longs();
    for (int i = 0; i < params.getOpsPerInvocation(); i++) {
      access.put(i, i);
    }
  }
}
