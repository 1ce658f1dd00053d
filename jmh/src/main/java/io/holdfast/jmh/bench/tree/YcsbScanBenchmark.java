package io.holdfast.jmh.bench.tree;

import io.holdfast.jmh.bench.map.YcsbBenchmark;
import io.holdfast.jmh.map.BenchmarkTree.SortedBytes;
import io.holdfast.jmh.map.MapShape;
import io.holdfast.jmh.map.Workload;
import io.holdfast.jmh.map.YcsbRequests;
import io.holdfast.jmh.suite.Experiment;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;

/// YCSB's workload E.
@Experiment(
    question =
        "what does an operation of YCSB's workload E take: a scan of 1 to 100 entries,"
            + " keys of 16 bytes and values of 100, or, one time in twenty, an insert?",
    floor = "ceilings: `ConcurrentSkipListMap` and `TreeMap`, which survive and copy nothing",
    variables = "the tree")
public class YcsbScanBenchmark extends TreeComparison {
  private static final int VALUE_BYTES = 100;

  /// What the thread draws and uses.
  @State(Scope.Thread)
  public static class Worker {
    private YcsbRequests requests;
    private SortedBytes access;

    @Setup
    public void open(YcsbScanBenchmark benchmark) {
      requests = new YcsbRequests(Workload.E, benchmark.entries, VALUE_BYTES, 0, 1);
      access = benchmark.opened().bytes();
    }
  }

  @Setup
  public void fill() {
    create(MapShape.ofYcsb(YcsbBenchmark.roomFor(Workload.E, entries), VALUE_BYTES));
    opened().fillBytes(entries, VALUE_BYTES);
  }

  @TearDown
  public void close() {
    delete();
  }

  @Benchmark
  @Threads(1)
  public byte[] oneThread(Worker worker) {
    return worker.requests.run(worker.access);
  }
}
