package io.holdfast.jmh.bench.transaction;

import io.holdfast.Holdfast;
import io.holdfast.Transaction;
import io.holdfast.jmh.map.Draws;
import io.holdfast.jmh.map.Items;
import io.holdfast.jmh.process.ComparedProcess;
import io.holdfast.jmh.process.Scratch;
import io.holdfast.jmh.suite.Experiment;
import java.util.Map;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/// Keys are drawn uniformly, in both cases within what is measured.
@Experiment(
    question = "what does it take to read ten entries of a hash map as of one moment?",
    floor = "ten gets by themselves (`tenGets`)",
    variables = "whether they are in a read-only transaction; entries of the map")
public class SnapshotBenchmark extends ComparedProcess {
  private static final int GETS = 10;
  private static final Transaction.Options READ_ONLY = Transaction.Options.defaults().readOnly();

  @Param({"100000", "1000000"})
  public int size;

  private final Draws draws = new Draws(1);
  private Scratch scratch;
  private Holdfast store;
  private Map<Long, Long> map;

  @Setup
  public void open() {
    scratch = new Scratch();
    store = Holdfast.open(scratch.file("map.hf"));
    map = store.hashMap("map", Long.class, Long.class);
    for (long i = 0; i < size; i++) {
      map.put(Items.longKey(i), i);
    }
  }

  @TearDown
  public void close() {
    store.close();
    scratch.close();
  }

  @Benchmark
  public long tenGets() {
    long sum = 0;
    for (int i = 0; i < GETS; i++) {
      sum += map.get(Items.longKey(draws.item(size)));
    }
    return sum;
  }

  @Benchmark
  public long readOnlyTransaction() {
    return store.transaction(READ_ONLY, this::tenGets);
  }
}
