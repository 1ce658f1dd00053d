package io.holdfast.jmh.bench.map;

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

/// Chronicle Map and `ConcurrentHashMap` are told how many there will be; ours grows, its file too.
/// Keys come in an order that has nothing to do with theirs. Each measurement fills a new map once,
/// so there are few.
@Experiment(
    question = "what does an insert take, on average, until an empty map holds a million longs?",
    floor = "ceiling: `ConcurrentHashMap`, given its capacity",
    variables = "the map; one thread, or two that insert half of them each")
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 2)
@Measurement(iterations = 5)
public class InsertBenchmark extends MapComparison {
  private static final int INSERTS = 1_000_000;

  @Setup(Level.Iteration)
  public void create() {
    create(MapShape.ofLongs(entries));
  }

  @TearDown(Level.Iteration)
  public void close() {
    delete();
  }

  @Benchmark
  @Threads(1)
  @OperationsPerInvocation(INSERTS)
  public void insert(BenchmarkParams params) {
    insert(0, params.getOpsPerInvocation());
  }

  @Benchmark
  @Threads(2)
  @OperationsPerInvocation(INSERTS / 2)
  public void insertByTwo(BenchmarkParams params, ThreadParams thread) {
    int count = params.getOpsPerInvocation();
    insert(thread.getThreadIndex() * count, count);
  }
}
