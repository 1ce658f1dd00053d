package io.holdfast.jmh.bench.log;

import io.holdfast.jmh.report.Chart;
import io.holdfast.jmh.report.Chart.Point;
import io.holdfast.jmh.report.Chart.Series;
import io.holdfast.jmh.report.Measurement;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.openjdk.jmh.util.Statistics;

/// Figure 4 of the CSO paper, from what {@link LogBenchmark} measured.
public final class LogFigures {
  private static final String THROUGHPUT = "million appends per second";

  private final Function<String, Optional<Statistics>> times;

  /// @param times what a benchmark, as {@link Measurement#shortName} calls it, took in nanoseconds
  public LogFigures(Function<String, Optional<Statistics>> times) {
    this.times = times;
  }

  /// Figure 4(a): by the size of an entry.
  public Chart bySize() {
    return new Chart(
        "Figure 4(a): appends by the size of an entry",
        "bytes of an entry in the log",
        THROUGHPUT,
        true,
        series(LogNames.ENTRY_BYTES, LogNames::floorOfSize, LogNames::appendOfSize));
  }

  /// Figure 4(b): by the latency added to a fence.
  public Chart byLatency() {
    return new Chart(
        "Figure 4(b): appends of half a line by added latency",
        "nanoseconds added to a fence",
        THROUGHPUT,
        true,
        series(LogNames.LATENCIES_NS, LogNames::floorAtLatency, LogNames::appendAtLatency));
  }

  private interface OfLog {
    String name(String log, int x);
  }

  private List<Series> series(List<Integer> xs, IntFunction<String> floor, OfLog append) {
    return Stream.concat(
            Stream.of(line("floor", xs, floor)),
            LogNames.LOGS.stream().map(log -> line(log, xs, x -> append.name(log, x))))
        .filter(line -> !line.points().isEmpty())
        .toList();
  }

  private Series line(String name, List<Integer> xs, IntFunction<String> benchmark) {
    List<Point> points =
        xs.stream()
            .flatMap(
                x ->
                    times
                        .apply(benchmark.apply(x))
                        .map(time -> Point.ofThroughput(x, time))
                        .stream())
            .toList();
    return new Series(name, points);
  }
}
