package io.holdfast.jmh.bench.tree;

import io.holdfast.jmh.map.BenchmarkTree.SortedAccess;
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

/// Keys are drawn uniformly among those that are there; a scan begins at one, and decodes each key
/// and value. A time is that of an operation of one thread.
@Experiment(
    question =
        "what do a get and a scan of 100 entries take, in a tree of a million longs to" + " longs?",
    floor =
        "`FloorBenchmark.drawnKey`, drawing a key; ceilings: `ConcurrentSkipListMap`"
            + " and `TreeMap`, which survive nothing and decode nothing",
    variables = "the tree; one thread, or two with the same tree")
public class TreeBenchmark extends TreeComparison {
  private static final int SCANNED = 100;

  /// What a thread draws and uses.
  @State(Scope.Thread)
  public static class Worker {
    private Draws draws;
    private SortedAccess access;

    @Setup
    public void open(TreeBenchmark benchmark, ThreadParams thread) {
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
  public long get(Worker worker) {
    return worker.access.get(worker.key(entries));
  }

  @Benchmark
  @Threads(2)
  public long getByTwo(Worker worker) {
    return get(worker);
  }

  @Benchmark
  @Threads(1)
  public long scan(Worker worker) {
    return worker.access.scan(worker.key(entries), SCANNED);
  }

  @Benchmark
  @Threads(2)
  public long scanByTwo(Worker worker) {
    return scan(worker);
  }
}
