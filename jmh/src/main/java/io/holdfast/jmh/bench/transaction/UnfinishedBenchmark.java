package io.holdfast.jmh.bench.transaction;

import io.holdfast.Holdfast;
import io.holdfast.Resumable;
import io.holdfast.jmh.process.Scratch;
import io.holdfast.jmh.report.Results;
import io.holdfast.jmh.suite.Experiment;
import io.holdfast.jmh.suite.Suite;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// From before the opening until a map has answered, in a warm JVM; the function is not registered.
/// What it takes to make a million calls that were left is counted as well, by registering it.
@Experiment(
    question = "do calls that are not finished keep an opening waiting?",
    floor = "a store without any",
    variables = "0 and 1,000,000 unfinished calls")
public final class UnfinishedBenchmark implements Suite.Trial {
  static final int MANY = 1_000_000;
  private static final int QUICK_MANY = 100_000;
  private static final int OPENINGS = 200;

  public UnfinishedBenchmark() {}

  static String name(String what, int unfinished) {
    return "UnfinishedBenchmark.%s(unfinished=%d)".formatted(what, unfinished);
  }

  @Override
  public void run(Suite.Extent extent, Results results) {
    int many = extent.quick() ? QUICK_MANY : MANY;
    try (Scratch scratch = new Scratch()) {
      Path empty = scratch.file("empty.hf");
      Path full = scratch.file("full.hf");
      leave(empty, 0);
      leave(full, many);
      List<Double> ofEmpty = new ArrayList<>();
      List<Double> ofFull = new ArrayList<>();
      for (int i = -OPENINGS; i < OPENINGS; i++) { // in turns, the first half to warm up
        double first = openAndAsk(empty);
        double second = openAndAsk(full);
        if (i >= 0) {
          ofEmpty.add(first);
          ofFull.add(second);
        }
      }
      results.add(name("opening", 0), "µs", ofEmpty);
      results.add(name("opening", many), "µs", ofFull);
      try (Holdfast store = Holdfast.open(full)) {
        long started = System.nanoTime();
        store.resumable("count", Long.class, _ -> {});
        results.add(name("registration", many), "ms", List.of((System.nanoTime() - started) / 1e6));
      }
    }
  }

  private static double openAndAsk(Path file) {
    long started = System.nanoTime();
    try (Holdfast store = Holdfast.open(file)) {
      store.hashMap("map", Long.class, Long.class).get(1L);
      return (System.nanoTime() - started) / 1e3;
    }
  }

  /// Calls are accepted by a function that fails, which leaves them.
  private static void leave(Path file, int count) {
    try (Holdfast store = Holdfast.open(file)) {
      store.hashMap("map", Long.class, Long.class).put(1L, 1L);
      Resumable<Long, Void> resumable =
          store.resumable(
              "count",
              Long.class,
              Resumable.Options.<Long>defaults().retryFailed(),
              _ -> {
                throw NotNow.ONE;
              });
      for (long i = 0; i < count; i++) {
        try {
          resumable.run(i);
        } catch (NotNow e) {
          // it stays
        }
      }
    }
  }

  private static final class NotNow extends RuntimeException {
    private static final long serialVersionUID = 1L;
    static final NotNow ONE = new NotNow();

    private NotNow() {
      super("not now", null, false, false);
    }
  }
}
