package io.holdfast.jmh.bench.tree;

import io.holdfast.Holdfast;
import io.holdfast.collections.PersistentTreeMap;
import io.holdfast.jmh.map.Draws;
import io.holdfast.jmh.map.Items;
import io.holdfast.jmh.map.Trees;
import io.holdfast.jmh.process.ComparedProcess;
import io.holdfast.jmh.process.Scratch;
import io.holdfast.jmh.suite.Experiment;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.LongStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/// What goes by a sorted map's order but a scan: ranks, and all of its entries. A time is that of a
/// rank, or of an entry.
@Experiment(
    question = "what do a rank, an entry of a walk over all, and an entry that is loaded take?",
    floor =
        "a get of the same map, and a put in order; ceiling of walks: `ConcurrentSkipListMap`,"
            + " which decodes nothing",
    variables =
        "the sorted map, of a million longs to longs; one thread, or two by a parallel" + " stream")
public class TreeRankBenchmark extends ComparedProcess {
  private static final int ENTRIES = 1_000_000;
  private static final int LOADED = 100_000;

  @Param({Trees.HOLDFAST, Trees.CONCURRENT_SKIP_LIST_MAP})
  public String tree;

  private final Draws draws = new Draws(1);
  private Scratch scratch;
  private Holdfast store;
  private ConcurrentNavigableMap<Long, Long> map;

  /// The same, if it has ranks.
  private PersistentTreeMap<Long, Long> ranked;

  private PersistentTreeMap<Long, Long> loaded;
  private List<Map.Entry<Long, Long>> sorted;

  @Setup
  public void fill() {
    scratch = new Scratch();
    store = Holdfast.open(scratch.file("ranks.hf"));
    ranked = store.treeMap("ranks", Long.class, Long.class);
    loaded = store.treeMap("loaded", Long.class, Long.class);
    map = tree.equals(Trees.HOLDFAST) ? ranked : new ConcurrentSkipListMap<>();
    for (long i = 0; i < ENTRIES; i++) {
      map.put(Items.longKey(i), i);
    }
    sorted = LongStream.range(0, LOADED).mapToObj(i -> Map.entry(i, i)).toList();
  }

  @TearDown
  public void close() {
    store.close();
    scratch.close();
  }

  private long key() {
    return Items.longKey(draws.item(ENTRIES));
  }

  @Benchmark
  public Long get() {
    return map.get(key());
  }

  @Benchmark
  public long indexOf() {
    return ranked.indexOf(key());
  }

  /// Behind a removal and a put of another key.
  @Benchmark
  public long indexOfUnderChange() {
    long changed = key();
    ranked.remove(changed);
    ranked.put(changed, changed);
    return ranked.indexOf(key());
  }

  @Benchmark
  public Long keyAt() {
    return ranked.keyAt(draws.item(ENTRIES));
  }

  @Benchmark
  @OperationsPerInvocation(ENTRIES)
  public long forEach() {
    long[] sum = new long[1];
    map.forEach((key, value) -> sum[0] += key + value);
    return sum[0];
  }

  @Benchmark
  @OperationsPerInvocation(ENTRIES)
  public long spliterator() {
    long[] sum = new long[1];
    map.entrySet()
        .spliterator()
        .forEachRemaining(entry -> sum[0] += entry.getKey() + entry.getValue());
    return sum[0];
  }

  @Benchmark
  @OperationsPerInvocation(ENTRIES)
  public long parallelStream() {
    return map.entrySet().parallelStream()
        .mapToLong(entry -> entry.getKey() + entry.getValue())
        .sum();
  }

  @Benchmark
  @OperationsPerInvocation(LOADED)
  public long load() {
    loaded.clear();
    return loaded.load(sorted.iterator());
  }

  @Benchmark
  @OperationsPerInvocation(LOADED)
  public Long putInOrder() {
    loaded.clear();
    sorted.forEach(entry -> loaded.put(entry.getKey(), entry.getValue()));
    return loaded.lastKey();
  }
}
