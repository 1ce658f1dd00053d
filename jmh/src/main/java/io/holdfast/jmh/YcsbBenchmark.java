package io.holdfast.jmh;

import io.holdfast.jmh.map.BenchmarkMap.ByteAccess;
import io.holdfast.jmh.map.Items;
import io.holdfast.jmh.map.MapShape;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.infra.ThreadParams;

/// *Question:* what does an operation of YCSB's workloads A and B take (Cooper and others:
/// "Benchmarking Cloud Serving Systems with YCSB", 2010), with keys of 16 bytes and values of 100?
///
/// *Floor:* {@link FloorBenchmark#ycsb}, the workload without a map. *Ceiling and peers:* those of
/// {@link MapBenchmark}; the ceiling holds the same arrays.
///
/// *Variables:* the map; one or two threads; the workload: A is half reads and half updates, B 95 %
/// reads. An update puts a new value as a whole; what is read is an array of the reader's own where
/// the map doesn't keep the very array.
public class YcsbBenchmark extends MapComparison {
  @Param({"A", "B"})
  public String workload;

  /// What a thread draws and uses.
  @State(Scope.Thread)
  public static class Worker {
    private YcsbRequests requests;
    private ByteAccess access;

    @Setup
    public void open(YcsbBenchmark benchmark, ThreadParams thread) {
      requests = new YcsbRequests(benchmark.workload, benchmark.entries, thread.getThreadIndex());
      access = benchmark.opened().bytes();
    }
  }

  @Setup
  public void fill() {
    create(MapShape.ofYcsb(entries));
    ByteAccess access = opened().bytes();
    for (int i = 0; i < entries; i++) {
      access.put(Items.key(i), Items.value(i, YcsbRequests.VALUE_BYTES));
    }
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
