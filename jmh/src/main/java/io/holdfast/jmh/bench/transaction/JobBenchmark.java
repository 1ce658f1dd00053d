package io.holdfast.jmh.bench.transaction;

import io.holdfast.Holdfast;
import io.holdfast.Job;
import io.holdfast.jmh.map.Draws;
import io.holdfast.jmh.process.ComparedProcess;
import io.holdfast.jmh.process.Scratch;
import io.holdfast.jmh.suite.Experiment;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/// Loads 20,000 lines, each a long under some key of a hash map of 100,000 and one of a sorted map;
/// an operation is a line.
@Experiment(
    question = "what does it take that long work goes on where it was?",
    floor =
        "the same lines without a job, where each change is durable by itself; and into the JDK's"
            + " `HashMap` and `TreeMap`",
    variables = "after how many changes a job is cut")
public class JobBenchmark extends ComparedProcess {
  private static final int LINES = 20_000;
  private static final int KEYS = 100_000;
  public static final String WITHOUT_A_JOB = "without a job";
  static final String IN_THE_HEAP = "in the heap";
  static final List<String> ALL =
      List.of("1", "30", "300", "1000", "10000", WITHOUT_A_JOB, IN_THE_HEAP);

  static String name(String every) {
    return "JobBenchmark.load(every=%s)".formatted(every);
  }

  record Cursor(int line) {}

  @Param({"1", "30", "300", "1000", "10000", WITHOUT_A_JOB, IN_THE_HEAP})
  public String every;

  private final Draws draws = new Draws(1);
  private Scratch scratch;
  private Holdfast store;
  private Map<Long, Long> byKey, inOrder;
  private long job;

  @Setup
  public void open() {
    scratch = new Scratch();
    store = Holdfast.open(scratch.file("lines.hf"));
    boolean inHeap = every.equals(IN_THE_HEAP);
    byKey = inHeap ? new HashMap<>() : store.hashMap("by key", Long.class, Long.class);
    inOrder = inHeap ? new TreeMap<>() : store.treeMap("in order", Long.class, Long.class);
    for (long key = 0; key < KEYS; key++) {
      byKey.put(key, key);
      inOrder.put(key, key);
    }
  }

  @TearDown
  public void close() {
    store.close();
    scratch.close();
  }

  private void load(int line) {
    byKey.put(draws.item(KEYS), (long) line);
    inOrder.put(draws.item(KEYS), (long) line);
  }

  @Benchmark
  @OperationsPerInvocation(LINES)
  public void load() {
    if (every.equals(WITHOUT_A_JOB) || every.equals(IN_THE_HEAP)) {
      for (int line = 0; line < LINES; line++) {
        load(line);
      }
      return;
    }
    store.job(
        "load " + job++,
        Cursor.class,
        new Cursor(0),
        Job.Options.defaults().every(Long.parseLong(every)).atMost(Duration.ofMinutes(1)),
        (from, here) -> {
          for (int line = from.line(); line < LINES; line++) {
            load(line);
            here.at(new Cursor(line + 1));
          }
        });
  }
}
