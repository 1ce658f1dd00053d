package io.holdfast.jmh;

import io.holdfast.jmh.map.Maps;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import org.openjdk.jmh.util.Statistics;

/// What the benchmarks of maps measured, side by side: thousand operations a second of all threads
/// together, the median, and in brackets between what half of the iterations are.
final class MapTables {
  private static final String NOT_MEASURED = "";

  private final Function<String, Optional<Statistics>> times;

  /// @param times what a benchmark, as {@link Report#name} calls it, took in nanoseconds
  MapTables(Function<String, Optional<Statistics>> times) {
    this.times = times;
  }

  void print(PrintWriter out) {
    heading(out, "thousand operations a second", Maps.ALL);
    row(out, "put", 1, map -> MapNames.longs("put", map));
    row(out, "put, 2 threads", 2, map -> MapNames.longs("putByTwo", map));
    row(out, "get", 1, map -> MapNames.longs("get", map));
    row(out, "get, 2 threads", 2, map -> MapNames.longs("getByTwo", map));
    row(out, "insert", 1, map -> MapNames.insert("insert", map));
    row(out, "insert, 2 threads", 2, map -> MapNames.insert("insertByTwo", map));
    for (String workload : MapNames.WORKLOADS) {
      String name = "YCSB " + workload;
      row(out, name, 1, map -> MapNames.ycsb("oneThread", map, workload));
      row(out, name + ", 2 threads", 2, map -> MapNames.ycsb("twoThreads", map, workload));
    }
    figure(out, "ns added to a fence", MapNames.ADDED_NANOS, MapNames::byLatency);
    figure(out, "entries in the set", MapNames.SIZES, MapNames::bySize);
    figure(out, "lines of an entry", MapNames.LINES, MapNames::byLines);
  }

  private static void heading(PrintWriter out, String first, List<String> others) {
    out.printf(
        "| %s | %s |%n|---|%s%n", first, String.join(" | ", others), "---|".repeat(others.size()));
  }

  private void row(PrintWriter out, String title, int threads, Function<String, String> name) {
    out.printf(
        "| %s | %s |%n",
        title,
        Maps.ALL.stream()
            .map(map -> throughput(name.apply(map), threads))
            .collect(Collectors.joining(" | ")));
  }

  private interface Name {
    String of(String roundTrips, int x);
  }

  /// A part of Figure 7: the throughput of each, and what one round trip gains.
  private void figure(PrintWriter out, String title, List<Integer> xs, Name name) {
    out.println();
    heading(out, title, List.of("one round trip", "two", "two, overlapped", "gain", "gain"));
    IntFunction<String> row =
        x ->
            MapNames.ROUND_TRIPS.stream()
                    .map(roundTrips -> throughput(name.of(roundTrips, x), 1))
                    .collect(Collectors.joining(" | "))
                + " | %s | %s".formatted(gain(name, "two", x), gain(name, "twoOverlapped", x));
    xs.forEach(x -> out.printf("| %,d | %s |%n", x, row.apply(x)));
  }

  private String throughput(String benchmark, int threads) {
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

  private String gain(Name name, String twin, int x) {
    return times
        .apply(name.of("one", x))
        .flatMap(
            one ->
                times
                    .apply(name.of(twin, x))
                    .map(two -> two.getPercentile(50) / one.getPercentile(50) - 1))
        .map(gain -> "%.0f %%".formatted(100 * gain))
        .orElse(NOT_MEASURED);
  }
}
