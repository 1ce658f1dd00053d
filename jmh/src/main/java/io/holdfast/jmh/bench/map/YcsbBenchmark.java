package io.holdfast.jmh.bench.map;

import io.holdfast.jmh.map.BenchmarkMap.ByteAccess;
import io.holdfast.jmh.map.MapShape;
import io.holdfast.jmh.map.Workload;
import io.holdfast.jmh.map.YcsbRequests;
import io.holdfast.jmh.suite.Experiment;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.ThreadParams;

/// YCSB's workloads but E, which needs a sorted map: `YcsbScanBenchmark`.
///
/// An update puts a new value as a whole; what is read is an array of the reader's own where the
/// map doesn't keep the very array, as the ceiling does.
@Experiment(
    question = "what does an operation of YCSB's workloads take, with keys of 16 bytes?",
    floor =
        "`FloorBenchmark.ycsb`, the workload without a map; ceiling:"
            + " `ConcurrentHashMap`, which survives nothing",
    variables =
        "the map; one or two threads; the workload, with it the distribution (A, B, C,"
            + " F: Zipf, scattered; D: the latest most; `_UNIFORM`: all alike); bytes of a"
            + " value")
public class YcsbBenchmark extends MapComparison {
  @Param({"A", "B", "C", "D", "F", "A_UNIFORM", "B_UNIFORM", "C_UNIFORM"})
  public Workload workload;

  @Param({"100", "1024"})
  public int valueBytes;

  /// What a thread draws and uses.
  @State(Scope.Thread)
  public static class Worker {
    private YcsbRequests requests;
    private ByteAccess access;

    @Setup
    public void open(YcsbBenchmark benchmark, BenchmarkParams params, ThreadParams thread) {
      requests =
          new YcsbRequests(
              benchmark.workload,
              benchmark.entries,
              benchmark.valueBytes,
              thread.getThreadIndex(),
              params.getThreads());
      access = benchmark.opened().bytes();
    }
  }

  @Setup
  public void fill() {
    create(MapShape.ofYcsb(roomFor(workload, entries), valueBytes));
    opened().fillBytes(entries, valueBytes);
  }

  /// Entries that there will be at most, as peers must be told: one request of twenty inserts, and
  /// none of them does more than twenty million a second, for five seconds.
  public static long roomFor(Workload workload, int entries) {
    return workload.inserts() ? entries + 5_000_000L : entries;
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

  @Benchmark
  @Threads(2)
  public byte[] twoThreads(Worker worker) {
    return oneThread(worker);
  }
}
