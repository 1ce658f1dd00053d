package io.holdfast.jmh.bench.transaction;

import io.holdfast.Holdfast;
import io.holdfast.core.TransactionCounts;
import io.holdfast.jmh.process.Scratch;
import io.holdfast.jmh.report.Measurement;
import io.holdfast.jmh.report.Page;
import io.holdfast.jmh.report.Results;
import io.holdfast.jmh.report.ThroughputTable;
import io.holdfast.jmh.stamp.StampKind;
import io.holdfast.jmh.stamp.StampProgram;
import io.holdfast.jmh.suite.Experiment;
import io.holdfast.jmh.suite.Suite;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// A program and a store for each run, which checks its invariants at its end. The rate is that of
/// runs of a body in vain, of all its runs.
@Experiment(
    question = "how often do transactions of STAMP's programs abort?",
    floor = "one thread, whose transactions never do",
    variables = "the program; the number of threads")
public final class StampBenchmark implements Suite.Trial {
  private static final List<Integer> THREADS = List.of(1, 2, 4, 8);
  private static final int RUNS = 3, QUICK_RUNS = 1;

  public StampBenchmark() {}

  static String name(String what, StampKind kind, int threads) {
    return "StampBenchmark.%s(program=%s,threads=%d)".formatted(what, kind, threads);
  }

  /// @param nanos of the run
  record Outcome(TransactionCounts counts, double nanos) {
    /// Of runs of a body, in percent.
    double abortRate() {
      return 100.0 * counts.aborted() / (counts.committed() + counts.aborted());
    }
  }

  @Override
  public void run(Suite.Extent extent, Results results) {
    for (StampKind kind : StampKind.values()) {
      for (int threads : THREADS) {
        List<Outcome> outcomes = new ArrayList<>();
        for (int i = 0; i < (extent.quick() ? QUICK_RUNS : RUNS); i++) {
          outcomes.add(measure(kind, threads, extent.quick() ? kind.quickSize : kind.size));
        }
        add(results, kind, threads, outcomes);
      }
    }
  }

  private static void add(Results results, StampKind kind, int threads, List<Outcome> outcomes) {
    results.add(
        name("transaction", kind, threads),
        Measurement.NANOSECONDS,
        outcomes.stream().map(each -> each.nanos / each.counts.committed()).toList());
    results.add(
        name("abortRate", kind, threads), "%", outcomes.stream().map(Outcome::abortRate).toList());
    Map<String, List<Long>> counts = new LinkedHashMap<>();
    counts.put("committed", outcomes.stream().map(each -> each.counts.committed()).toList());
    counts.put("aborted", outcomes.stream().map(each -> each.counts.aborted()).toList());
    counts.put("locking", outcomes.stream().map(each -> each.counts.locking()).toList());
    counts.forEach(
        (what, values) ->
            results.add(
                name(what, kind, threads),
                "runs",
                values.stream().map(Long::doubleValue).toList()));
  }

  /// Runs a program.
  ///
  /// @throws IllegalStateException if one of its invariants does not hold
  static Outcome measure(StampKind kind, int threads, int size) {
    try (Scratch scratch = new Scratch();
        Holdfast store = Holdfast.open(scratch.file("stamp.hf"))) {
      StampProgram program = kind.over(store, threads, size);
      long nanos = program.run();
      program.check();
      TransactionCounts counts = store.transactions();
      StampProgram.require(
          counts.committed() == program.transactions(),
          "committed=%d, expected=%d",
          counts.committed(),
          program.transactions());
      return new Outcome(counts, nanos);
    }
  }

  public static void print(Results results, Page page) {
    page.out().printf("%nSTAMP's programs:%n%n");
    ThroughputTable.heading(
        page.out(),
        "program, threads",
        List.of("committed", "aborted", "abort rate, %", "with locks", "thousand a second"));
    for (StampKind kind : StampKind.values()) {
      for (int threads : THREADS) {
        results
            .median(name("transaction", kind, threads))
            .ifPresent(
                nanos ->
                    page.out()
                        .println(
                            Page.row(
                                List.of(
                                    "%s, %d".formatted(kind.title, threads),
                                    cell(results, "committed", kind, threads, "%,.0f"),
                                    cell(results, "aborted", kind, threads, "%,.0f"),
                                    cell(results, "abortRate", kind, threads, "%.2f"),
                                    cell(results, "locking", kind, threads, "%,.0f"),
                                    "%,.0f".formatted(1e6 / nanos)))));
      }
    }
    page.out()
        .printf(
            """

            The thesis's Table 5.5, abort rates in %%, is of other programs, on simulated hardware \
            whose transactions conflict by cache lines: no ratio of the two tables means anything.

            | | queue | hash | sdg | sps | btree | rbtree | average |
            |---|---|---|---|---|---|---|---|
            | sdTM | 68 | 19 | 23 | 27 | 37 | 46 | 37 |
            | DHTM | 46 | 5 | 13 | 16 | 18 | 26 | 21 |
            """);
  }

  private static String cell(
      Results results, String what, StampKind kind, int threads, String format) {
    return Page.cell(results.median(name(what, kind, threads)), format);
  }
}
