package io.holdfast.jmh.bench.map;

import io.holdfast.jmh.map.BenchmarkMap.LongAccess;
import io.holdfast.jmh.map.Draws;
import io.holdfast.jmh.map.Items;
import io.holdfast.jmh.map.MapShape;
import io.holdfast.jmh.suite.Experiment;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.infra.ThreadParams;

/// Keys are drawn uniformly among those that are there. A time is that of an operation of one
/// thread: with two threads and two idle cores, what it is with one if nobody is in the other's
/// way.
@Experiment(
    question = "what do a put over an entry and a get take, in a map of a million longs to longs?",
    floor =
        "`FloorBenchmark.drawnKey`, drawing a key; for `HoldfastPower` a line flushed"
            + " and fenced, `anyLine` and `nextLine`; ceiling: `ConcurrentHashMap`, which"
            + " survives nothing",
    variables = "the map; one thread, or two with the same map; for puts, whether peers sync")
public class MapBenchmark extends MapComparison {
  /// What a thread draws and uses.
  @State(Scope.Thread)
  public static class Worker {
    private Draws draws;
    private LongAccess access;
    private long number;

    @Setup
    public void open(MapBenchmark benchmark, ThreadParams thread) {
      draws = new Draws(thread.getThreadIndex());
      access = benchmark.opened().longs();
    }

    private long key(int entries) {
      return Items.longKey(draws.item(entries));
    }
  }

  @Setup
  public void fill() {
    create(MapShape.ofLongs(entries));
    opened().fill(entries);
  }

  @TearDown
  public void close() {
    delete();
  }

  @Benchmark
  @Threads(1)
  public void put(Worker worker) {
    worker.access.put(worker.key(entries), ++worker.number);
  }

  @Benchmark
  @Threads(2)
  public void putByTwo(Worker worker) {
    put(worker);
  }

  @Benchmark
  @Threads(1)
  public long get(Worker worker) {
    return worker.access.get(worker.key(entries));
  }

  @Benchmark
  @Threads(2)
  public long getByTwo(Worker worker) {
    return get(worker);
  }
}
