package io.holdfast.jmh.bench.map;

import io.holdfast.jmh.map.Maps;
import io.holdfast.jmh.map.Trees;
import io.holdfast.jmh.map.Workload;
import io.holdfast.jmh.report.Measurement;
import io.holdfast.jmh.report.Page;
import io.holdfast.jmh.report.ThroughputTable;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.openjdk.jmh.util.Statistics;

/// What the benchmarks of maps measured, side by side.
public final class MapTables {
  private final Function<String, Optional<Statistics>> times;
  private final Page page;

  /// @param times what a benchmark, as {@link Measurement#shortName} calls it, took in nanoseconds
  public MapTables(Function<String, Optional<Statistics>> times, Page page) {
    this.times = times;
    this.page = page;
  }

  /// Puts, gets and inserts of longs.
  public void printLongs() {
    new ThroughputTable("Maps of longs", Maps.ALL, times)
        .row("put", 1, map -> MapNames.longs("put", map))
        .row("put, 2 threads", 2, map -> MapNames.longs("putByTwo", map))
        .row("get", 1, map -> MapNames.longs("get", map))
        .row("get, 2 threads", 2, map -> MapNames.longs("getByTwo", map))
        .row("insert", 1, map -> MapNames.insert("insert", map))
        .row("insert, 2 threads", 2, map -> MapNames.insert("insertByTwo", map))
        .print(page, "map.svg");
    page.out().printf("%nPuts that survive a loss of power, on this disk:%n%n");
    new ThroughputTable("Puts that survive a loss of power", Maps.POWER_PEERS, times)
        .row("put", 1, map -> MapNames.longs("put", map))
        .print(page, "map-power.svg");
  }

  /// YCSB.
  public void printYcsb() {
    printYcsb("values of 100 bytes", "oneThread", MapNames.WORKLOADS, MapNames.VALUE_BYTES);
    printYcsb("2 threads", "twoThreads", MapNames.WORKLOADS, MapNames.VALUE_BYTES);
    printYcsb("uniform", "oneThread", MapNames.UNIFORM_WORKLOADS, MapNames.VALUE_BYTES);
    printYcsb("values of 1 KiB", "oneThread", MapNames.WORKLOADS, MapNames.LONG_VALUE_BYTES);
    new ThroughputTable("YCSB E: scans", Trees.ALL, times)
        .row("YCSB E", 1, MapNames::scans)
        .print(page, "ycsb-scans.svg");
  }

  private void printYcsb(String what, String method, List<Workload> workloads, int valueBytes) {
    page.out().printf("%nYCSB, %s:%n%n", what);
    ThroughputTable table = new ThroughputTable("YCSB, " + what, Maps.ALL, times);
    for (Workload workload : workloads) {
      table.row(
          "YCSB " + workload,
          method.equals("twoThreads") ? 2 : 1,
          map -> MapNames.ycsb(method, map, workload, valueBytes));
    }
    table.print(page, "ycsb-%s.svg".formatted(what.toLowerCase(Locale.ROOT).replace(' ', '-')));
  }

  private interface Name {
    String of(String roundTrips, int x);
  }

  /// Figure 7 of the CSO paper: the throughput of each, and what one round trip gains.
  public void printRoundTrips() {
    MapFigures figures = new MapFigures(times);
    figure(
        "ns added to a fence",
        MapNames.ADDED_NANOS,
        MapNames::byLatency,
        nanos -> nanos == 0 ? "25 %" : nanos == 800 ? "86 %" : "");
    page.plot(figures.byLatency(), "figure-7a.svg");
    figure(
        "entries in the set",
        MapNames.SIZES,
        MapNames::bySize,
        size -> size <= 131_072 ? "52 to 56 %" : "23 to 29 %");
    page.plot(figures.bySize(), "figure-7b.svg");
    figure(
        "lines of an entry",
        MapNames.LINES,
        MapNames::byLines,
        lines -> lines <= 2 ? "25.9 to 26.5 %" : lines <= 8 ? "16.4 to 16.7 %" : "9.1 %");
    page.plot(figures.byLines(), "figure-7c.svg");
  }

  private void figure(String title, List<Integer> xs, Name name, IntFunction<String> paper) {
    ThroughputTable throughput = new ThroughputTable(title, List.of(), times);
    page.out().println();
    ThroughputTable.heading(
        page.out(),
        title,
        List.of("one round trip", "two", "two, overlapped", "gain", "over overlapped", "paper"));
    IntFunction<String> row =
        x ->
            Stream.concat(
                    MapNames.ROUND_TRIPS.stream()
                        .map(roundTrips -> throughput.throughput(name.of(roundTrips, x), 1)),
                    Stream.of(gain(name, "two", x), gain(name, "twoOverlapped", x), paper.apply(x)))
                .collect(Collectors.joining(" | "));
    xs.forEach(x -> page.out().printf("| %,d | %s |%n", x, row.apply(x)));
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
