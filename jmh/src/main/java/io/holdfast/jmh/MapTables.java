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
  private final Function<String, Optional<Statistics>> times;
  private final ThroughputTable maps;

  /// @param times what a benchmark, as {@link Report#name} calls it, took in nanoseconds
  MapTables(Function<String, Optional<Statistics>> times) {
    this.times = times;
    this.maps = new ThroughputTable(Maps.ALL, times);
  }

  void print(PrintWriter out) {
    maps.heading(out);
    maps.row(out, "put", 1, map -> MapNames.longs("put", map));
    maps.row(out, "put, 2 threads", 2, map -> MapNames.longs("putByTwo", map));
    maps.row(out, "get", 1, map -> MapNames.longs("get", map));
    maps.row(out, "get, 2 threads", 2, map -> MapNames.longs("getByTwo", map));
    maps.row(out, "insert", 1, map -> MapNames.insert("insert", map));
    maps.row(out, "insert, 2 threads", 2, map -> MapNames.insert("insertByTwo", map));
    for (String workload : MapNames.WORKLOADS) {
      String name = "YCSB " + workload;
      maps.row(out, name, 1, map -> MapNames.ycsb("oneThread", map, workload));
      maps.row(out, name + ", 2 threads", 2, map -> MapNames.ycsb("twoThreads", map, workload));
    }
    figure(out, "ns added to a fence", MapNames.ADDED_NANOS, MapNames::byLatency);
    figure(out, "entries in the set", MapNames.SIZES, MapNames::bySize);
    figure(out, "lines of an entry", MapNames.LINES, MapNames::byLines);
  }

  private interface Name {
    String of(String roundTrips, int x);
  }

  /// A part of Figure 7: the throughput of each, and what one round trip gains.
  private void figure(PrintWriter out, String title, List<Integer> xs, Name name) {
    out.println();
    ThroughputTable.heading(
        out, title, List.of("one round trip", "two", "two, overlapped", "gain", "gain"));
    IntFunction<String> row =
        x ->
            MapNames.ROUND_TRIPS.stream()
                    .map(roundTrips -> maps.throughput(name.of(roundTrips, x), 1))
                    .collect(Collectors.joining(" | "))
                + " | %s | %s".formatted(gain(name, "two", x), gain(name, "twoOverlapped", x));
    xs.forEach(x -> out.printf("| %,d | %s |%n", x, row.apply(x)));
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
        .orElse(ThroughputTable.NOT_MEASURED);
  }
}
