package io.holdfast.jmh;

import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.openjdk.jmh.util.Statistics;

/// Benchmarks by what was compared: thousand operations a second of all threads together, the
/// median, and in brackets between what half of the iterations are.
final class ThroughputTable {
  static final String NOT_MEASURED = "";

  private final List<String> compared;
  private final Function<String, Optional<Statistics>> times;

  /// @param compared its columns
  /// @param times what a benchmark, as {@link Report#name} calls it, took in nanoseconds
  ThroughputTable(List<String> compared, Function<String, Optional<Statistics>> times) {
    this.compared = compared;
    this.times = times;
  }

  void heading(PrintWriter out) {
    heading(out, "thousand operations a second", compared);
  }

  static void heading(PrintWriter out, String first, List<String> others) {
    out.printf(
        "| %s | %s |%n|---|%s%n", first, String.join(" | ", others), "---|".repeat(others.size()));
  }

  /// @param name of the benchmark, by what is compared
  void row(PrintWriter out, String title, int threads, Function<String, String> name) {
    out.printf(
        "| %s | %s |%n",
        title,
        compared.stream()
            .map(each -> throughput(name.apply(each), threads))
            .collect(Collectors.joining(" | ")));
  }

  String throughput(String benchmark, int threads) {
    return times
        .apply(benchmark)
        .map(
            time ->
                "%,.0f (%,.0f to %,.0f)"
                    .formatted(
                        threads * 1e6 / time.getPercentile(50),
                        threads * 1e6 / time.getPercentile(75),
                        threads * 1e6 / time.getPercentile(25)))
        .orElse(NOT_MEASURED);
  }
}
