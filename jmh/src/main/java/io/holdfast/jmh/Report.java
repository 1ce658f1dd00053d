package io.holdfast.jmh;

import java.io.PrintWriter;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.util.MultisetStatistics;
import org.openjdk.jmh.util.Statistics;

/// What benchmarks took in all rounds, and the ratios that targets are about.
///
/// In Markdown, to be pasted. By medians of the iterations: what else runs on the machine lengthens
/// some of them, to many times what they are.
final class Report {
  /// JMH's name for the bytes that an operation allocates.
  private static final String ALLOCATED = "gc.alloc.rate.norm";

  /// Of a column of names, at least: the next one's heading is as long.
  private static final int NAME_WIDTH = 18;

  private final Map<String, MultisetStatistics> times = new TreeMap<>();
  private final Map<String, MultisetStatistics> allocated = new TreeMap<>();

  /// The flags that some benchmarks have and others not, and whose they are.
  private final Map<List<String>, String> flags = new LinkedHashMap<>();

  /// Adds a round.
  void add(Collection<RunResult> round) {
    for (RunResult result : round) {
      BenchmarkParams params = result.getParams();
      String name = name(params);
      add(times, name, result.getPrimaryResult());
      add(allocated, name, result.getSecondaryResults().get(ALLOCATED));
      List<String> own = List.copyOf(params.getJvmArgs());
      if (!own.isEmpty()) {
        flags.putIfAbsent(own, name.substring(0, name.indexOf('.')));
      }
    }
  }

  /// `Class.method`, and `(parameter=value,…)` behind it if it has parameters.
  static String name(BenchmarkParams params) {
    String name = params.getBenchmark().substring(Bench.class.getPackageName().length() + 1);
    String values =
        params.getParamsKeys().stream()
            .map(key -> key + "=" + params.getParam(key))
            .collect(Collectors.joining(","));
    return values.isEmpty() ? name : name + "(" + values + ")";
  }

  private static void add(Map<String, MultisetStatistics> all, String name, Result<?> result) {
    MultisetStatistics values = all.computeIfAbsent(name, _ -> new MultisetStatistics());
    result
        .getStatistics()
        .getRawData()
        .forEachRemaining(value -> values.addValue(value.getKey(), value.getValue()));
  }

  void print(PrintWriter out) {
    printTimes(out);
    printRatios(out);
    flags.forEach(
        (own, whose) -> out.printf("%nJVM flags of %s:%n  %s%n", whose, String.join("\n  ", own)));
  }

  private void printTimes(PrintWriter out) {
    String name = "| %-" + widest(times.keySet().stream()) + "s |";
    out.printf(
        name + " %9s | %21s | %9s |%n",
        "ns an operation",
        "median",
        "half of them between",
        "bytes");
    out.printf("|---|---|---|---|%n");
    times.forEach(
        (benchmark, time) ->
            out.printf(
                name + " %9.1f | %9.1f and %7.1f | %9.0f |%n",
                code(benchmark),
                median(time),
                time.getPercentile(25),
                time.getPercentile(75),
                median(allocated.get(benchmark))));
  }

  private void printRatios(PrintWriter out) {
    List<Target> measured =
        Target.ALL.stream()
            .filter(target -> times.containsKey(target.subject()))
            .filter(target -> times.containsKey(target.baseline()))
            .toList();
    if (measured.isEmpty()) {
      return;
    }
    String names =
        "| %-"
            + widest(measured.stream().map(Target::subject))
            + "s | %-"
            + widest(measured.stream().map(Target::baseline))
            + "s |";
    out.printf("%n" + names + " %5s | %s |%n", "time of", "divided by that of", "ratio", "target");
    out.printf("|---|---|---|---|%n");
    for (Target target : measured) {
      double ratio = median(times.get(target.subject())) / median(times.get(target.baseline()));
      out.printf(
          names + " %5.2f | %s |%n",
          code(target.subject()),
          code(target.baseline()),
          ratio,
          Double.isNaN(target.most())
              ? ""
              : "at most %.2f: %s".formatted(target.most(), target.verdict(ratio)));
    }
  }

  private static String code(String name) {
    return "`" + name + "`";
  }

  private static int widest(Stream<String> names) {
    return Math.max(NAME_WIDTH, 2 + names.mapToInt(String::length).max().orElse(0));
  }

  /// The time of a benchmark as {@link #name} calls it.
  Optional<Statistics> time(String name) {
    return Optional.ofNullable(times.get(name));
  }

  private static double median(Statistics values) {
    return values.getPercentile(50);
  }
}
