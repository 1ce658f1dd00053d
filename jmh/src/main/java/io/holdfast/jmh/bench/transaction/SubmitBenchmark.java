package io.holdfast.jmh.bench.transaction;

import io.holdfast.jmh.call.Calls;
import io.holdfast.jmh.process.Scratch;
import io.holdfast.jmh.report.Measurement;
import io.holdfast.jmh.report.Page;
import io.holdfast.jmh.report.Results;
import io.holdfast.jmh.report.ThroughputTable;
import io.holdfast.jmh.suite.Experiment;
import io.holdfast.jmh.suite.Suite;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/// Virtual threads submit calls of a function that counts. A time is that of all together, divided
/// by the calls: until all are accepted, and until all were made as well.
@Experiment(
    question = "what does it take to have calls made that survive a kill?",
    floor = "none; beside it a scheduler over a database",
    variables = "who makes them")
public final class SubmitBenchmark implements Suite.Trial {
  private static final int THREADS = 64;

  /// Of each thread.
  private static final int CALLS = 100;

  private static final int RUNS = 7, QUICK_RUNS = 3;

  public SubmitBenchmark() {}

  static String name(String what, String calls) {
    return "SubmitBenchmark.%s(calls=%s)".formatted(what, calls);
  }

  @Override
  public void run(Suite.Extent extent, Results results) {
    measure(CALLS, extent.quick() ? QUICK_RUNS : RUNS, results);
  }

  /// @param each calls of a thread in a run; as many runs more warm up
  static void measure(int each, int runs, Results results) {
    Map<String, List<Double>> times = new TreeMap<>();
    for (String calls : Calls.present()) {
      try (Scratch scratch = new Scratch();
          Calls some = Calls.create(calls, scratch.directory())) {
        for (int i = -runs; i < runs; i++) {
          long started = System.nanoTime();
          submit(some, some.made(), each);
          double accepted = System.nanoTime() - started;
          while (some.made() < (long) (i + runs + 1) * THREADS * each) {
            LockSupport.parkNanos(100_000);
          }
          double made = System.nanoTime() - started;
          if (i >= 0) {
            times
                .computeIfAbsent(name("accepted", calls), _ -> new ArrayList<>())
                .add(accepted / (THREADS * each));
            times
                .computeIfAbsent(name("made", calls), _ -> new ArrayList<>())
                .add(made / (THREADS * each));
          }
        }
      }
    }
    times.forEach((name, values) -> results.add(name, Measurement.NANOSECONDS, values));
  }

  private static void submit(Calls calls, long first, int each) {
    List<Thread> threads =
        IntStream.range(0, THREADS)
            .mapToObj(
                thread ->
                    Thread.startVirtualThread(
                        () -> {
                          for (int i = 0; i < each; i++) {
                            calls.submit(first + (long) thread * each + i);
                          }
                        }))
            .toList();
    for (Thread thread : threads) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        throw new IllegalStateException("interrupted", e);
      }
    }
  }

  static void print(Results results, Page page) {
    page.out().printf("%nCalls submitted by %d virtual threads:%n%n", THREADS);
    new ThroughputTable("Submitted calls", Calls.ALL, results::time)
        .row("accepted", 1, calls -> name("accepted", calls))
        .row("accepted and made", 1, calls -> name("made", calls))
        .print(page, "submitted.svg");
  }
}
