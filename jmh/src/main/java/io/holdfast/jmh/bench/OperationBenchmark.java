package io.holdfast.jmh.bench;

import io.holdfast.Holdfast;
import io.holdfast.jmh.map.Draws;
import io.holdfast.jmh.map.Items;
import io.holdfast.jmh.process.ComparedProcess;
import io.holdfast.jmh.process.Scratch;
import io.holdfast.jmh.suite.Experiment;
import java.util.Map;
import java.util.Queue;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/// Single operations by one thread, as a program has them: codecs, checks and all. What other
/// suites measure below that is theirs.
@Experiment(
    question = "what does a single operation cost, and one in a section of its own?",
    floor = "the same in another version, by `--against`",
    variables = "the operation")
public class OperationBenchmark extends ComparedProcess {
  @Param("100000")
  public int entries;

  private final Draws draws = new Draws(1);
  private final Elements elements = new Elements();
  private Scratch scratch;
  private Holdfast store;
  private Map<Long, Long> map;
  private Map<Long, Long> tree;
  private Queue<byte[]> queue;
  private long number;

  @Setup
  public void open() {
    scratch = new Scratch();
    store = Holdfast.open(scratch.file("operations.hf"));
    map = store.hashMap("map", Long.class, Long.class);
    tree = store.treeMap("tree", Long.class, Long.class);
    queue = store.queue("queue", byte[].class);
    for (long i = 0; i < entries; i++) {
      map.put(Items.longKey(i), i);
      tree.put(Items.longKey(i), i);
    }
    for (int i = 0; i < Elements.PREFILL; i++) {
      queue.offer(elements.fresh());
    }
  }

  @TearDown
  public void close() {
    store.close();
    scratch.close();
  }

  private long key() {
    return Items.longKey(draws.item(entries));
  }

  @Benchmark
  public Long put() {
    return map.put(key(), ++number);
  }

  @Benchmark
  public Long get() {
    return map.get(key());
  }

  @Benchmark
  public Long treePut() {
    return tree.put(key(), ++number);
  }

  @Benchmark
  public Long treeGet() {
    return tree.get(key());
  }

  @Benchmark
  public byte[] offerAndPoll() {
    queue.offer(elements.fresh());
    return queue.poll();
  }

  @Benchmark
  public void putAtomically() {
    store.atomically(() -> map.put(key(), ++number));
  }
}
