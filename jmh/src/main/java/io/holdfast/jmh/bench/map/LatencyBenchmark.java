package io.holdfast.jmh.bench.map;

import io.holdfast.jmh.map.BenchmarkMap;
import io.holdfast.jmh.map.BenchmarkMap.ByteAccess;
import io.holdfast.jmh.map.MapShape;
import io.holdfast.jmh.map.Maps;
import io.holdfast.jmh.map.Workload;
import io.holdfast.jmh.map.YcsbRequests;
import io.holdfast.jmh.process.ChildProcess;
import io.holdfast.jmh.process.Scratch;
import io.holdfast.jmh.report.Mark;
import io.holdfast.jmh.report.Marks;
import io.holdfast.jmh.report.Measurement;
import io.holdfast.jmh.report.Page;
import io.holdfast.jmh.report.Results;
import io.holdfast.jmh.report.ThroughputTable;
import io.holdfast.jmh.suite.Experiment;
import io.holdfast.jmh.suite.Suite;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/// A request's latency begins when it was due, not when it was sent: one that takes long makes
/// those after it late, as it would for clients that know nothing of each other. So nothing is
/// omitted that a client would have seen (G. Tene's coordinated omission), and there is nothing to
/// correct.
///
/// One thread in a process for each map sends requests at a fixed rate, first unrecorded.
@Experiment(
    question = "how late are YCSB A's requests answered at a fixed rate, by percentile?",
    floor =
        "ceiling: `ConcurrentHashMap`; what is late with it too is the machine, the JVM"
            + " and its collector",
    variables = "the map; the rate, of which MVStore, Xodus and EclipseStore stand the least alone")
public final class LatencyBenchmark implements Suite.Trial {
  /// What most maps stand by far, and what all do.
  static final List<Integer> RATES = List.of(100_000, 1_000);

  public static final List<String> PERCENTILES = List.of("50", "90", "99", "99.9", "99.99");
  private static final List<String> SLOW =
      List.of(Maps.H2_MV_STORE, Maps.XODUS, Maps.ECLIPSE_STORE);
  private static final int ENTRIES = 100_000;
  private static final int VALUE_BYTES = 100;
  private static final int SECONDS = 10, QUICK_SECONDS = 1;

  public LatencyBenchmark() {}

  static List<String> maps(int rate) {
    return Maps.ALL.stream().filter(map -> rate == RATES.getLast() || !SLOW.contains(map)).toList();
  }

  static String name(String percentile, String map, int rate) {
    return "LatencyBenchmark.p%s(map=%s,rate=%d)".formatted(percentile, map, rate);
  }

  @Override
  public void run(Suite.Extent extent, Results results) {
    for (int rate : extent.quick() ? RATES.subList(0, 1) : RATES) {
      for (String map : maps(rate)) {
        if (extent.peers() || Maps.OWN.contains(map)) {
          measure(map, rate, extent.quick() ? QUICK_SECONDS : SECONDS)
              .forEach(
                  (percentile, nanos) ->
                      results.add(
                          name(percentile, map, rate), Measurement.NANOSECONDS, List.of(nanos)));
        }
      }
    }
  }

  /// Nanoseconds by percentile.
  public static Map<String, Double> measure(String map, int rate, int seconds) {
    try (Scratch scratch = new Scratch();
        ChildProcess child =
            new ChildProcess(
                LatencyBenchmark.class,
                scratch.file("errors"),
                true,
                map,
                rate,
                seconds,
                scratch.directory())) {
      String[] values = child.answer().split(" ");
      Map<String, Double> nanos = new TreeMap<>();
      for (int i = 0; i < values.length; i++) {
        nanos.put(PERCENTILES.get(i), Double.valueOf(values[i]));
      }
      return nanos;
    }
  }

  /// @param arguments the map, requests a second, seconds, a directory
  public static void main(String[] arguments) {
    int rate = Integer.parseInt(arguments[1]);
    int seconds = Integer.parseInt(arguments[2]);
    try (BenchmarkMap map =
        Maps.open(arguments[0], Path.of(arguments[3]), MapShape.ofYcsb(ENTRIES, VALUE_BYTES))) {
      map.fillBytes(ENTRIES, VALUE_BYTES);
      ByteAccess access = map.bytes();
      YcsbRequests requests = new YcsbRequests(Workload.A, ENTRIES, VALUE_BYTES, 0, 1);
      record(requests, access, rate, seconds);
      Histogram recorded = record(requests, access, rate, seconds);
      ChildProcess.say(
          String.join(
              " ",
              PERCENTILES.stream()
                  .map(p -> recorded.getValueAtPercentile(Double.parseDouble(p)))
                  .map(String::valueOf)
                  .toList()));
    }
  }

  private static Histogram record(YcsbRequests requests, ByteAccess access, int rate, int seconds) {
    Histogram latencies = new Histogram(TimeUnit.MINUTES.toNanos(10), 3);
    long interval = TimeUnit.SECONDS.toNanos(1) / rate;
    long started = System.nanoTime();
    for (long i = 0; i < (long) rate * seconds; i++) {
      long due = started + i * interval;
      while (System.nanoTime() < due) {
        Thread.onSpinWait();
      }
      requests.run(access);
      latencies.recordValue(System.nanoTime() - due);
    }
    return latencies;
  }

  public static void print(Results results, Page page) {
    for (int rate : RATES) {
      List<String> measured =
          maps(rate).stream()
              .filter(map -> results.time(name("50", map, rate)).isPresent())
              .toList();
      if (measured.isEmpty()) {
        continue;
      }
      page.out().println();
      ThroughputTable.heading(
          page.out(),
          "µs at %,d requests a second".formatted(rate),
          PERCENTILES.stream().map(p -> "p" + p).toList());
      for (String map : measured) {
        page.out()
            .printf(
                "| %s | %s |%n",
                map,
                String.join(
                    " | ",
                    PERCENTILES.stream()
                        .map(p -> "%.1f".formatted(results.median(name(p, map, rate)).get() / 1e3))
                        .toList()));
      }
      page.plot(
          new Marks(
              "YCSB A at %,d requests a second: latency".formatted(rate),
              "microseconds from when it was due",
              PERCENTILES.stream().map(p -> "p" + p).toList(),
              measured.stream()
                  .map(
                      map ->
                          new Marks.Series(
                              map,
                              PERCENTILES.stream()
                                  .map(
                                      p ->
                                          results
                                              .time(name(p, map, rate))
                                              .map(ns -> Mark.of(ns).times(1e-3)))
                                  .toList()))
                  .toList()),
          "latency-%d.svg".formatted(rate));
    }
  }
}
