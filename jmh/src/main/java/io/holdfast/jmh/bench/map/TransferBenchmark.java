package io.holdfast.jmh.bench.map;

import io.holdfast.jmh.map.Draws;
import io.holdfast.jmh.map.Maps;
import io.holdfast.jmh.map.Transfers;
import io.holdfast.jmh.process.ComparedProcess;
import io.holdfast.jmh.process.Scratch;
import io.holdfast.jmh.suite.Experiment;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;

/// A transfer reads an entry of each of two collections, and writes both. Ours are a hash map and a
/// tree map; peers have two of the one kind that they have. Keys are drawn uniformly.
@Experiment(
    question =
        "what does a transaction over two collections take, that moves an amount from an entry of"
            + " the one to an entry of the other?",
    floor = "ceiling: a `HashMap` and a `TreeMap` under a lock, which survive nothing",
    variables = "whose collections")
public class TransferBenchmark extends ComparedProcess {
  @Param({"Holdfast", "HoldfastPower", "HashMapAndTreeMap", "LMDB", "RocksDB", "MVStore", "Xodus"})
  public String map;

  @Param("100000")
  public int entries;

  private final Draws draws = new Draws(1);
  private Scratch scratch;
  private Transfers collections;

  @Setup
  public void open() {
    scratch = new Scratch();
    collections = Maps.createTransfers(map, scratch.directory(), entries);
  }

  /// @throws IllegalStateException if something was lost on the way
  @TearDown
  public void close() {
    long total = collections.total();
    collections.close();
    scratch.close();
    if (total != 0) {
      throw new IllegalStateException("total=%d, expected=0".formatted(total));
    }
  }

  @Benchmark
  @Threads(1)
  public void transfer() {
    collections.transfer(draws.item(entries), draws.item(entries), 1);
  }

  public static String name(String map) {
    return "TransferBenchmark.transfer(map=%s)".formatted(map);
  }
}
