package io.holdfast.jmh.bench.map;

import io.holdfast.jmh.report.Chart;
import io.holdfast.jmh.report.Chart.Point;
import io.holdfast.jmh.report.Chart.Series;
import io.holdfast.jmh.report.Measurement;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.openjdk.jmh.util.Statistics;

/// Figure 7 of the CSO paper, from what {@link RoundTripBenchmark} measured.
final class MapFigures {
  private static final String THROUGHPUT = "million operations per second";

  private static final Map<String, String> NAMES =
      Map.of(
          "one",
          "one round trip",
          "two",
          "two",
          "twoOverlapped",
          "two, the index searched meanwhile");

  private final Function<String, Optional<Statistics>> times;

  /// @param times what a benchmark, as {@link Measurement#shortName} calls it, took in nanoseconds
  MapFigures(Function<String, Optional<Statistics>> times) {
    this.times = times;
  }

  /// Figure 7(a).
  Chart byLatency() {
    return chart(
        "Figure 7(a): by added latency",
        "nanoseconds added to a fence",
        MapNames.ADDED_NANOS,
        MapNames::byLatency);
  }

  /// Figure 7(b).
  Chart bySize() {
    return chart(
        "Figure 7(b): by the size of the set",
        "entries in the set",
        MapNames.SIZES,
        MapNames::bySize);
  }

  /// Figure 7(c).
  Chart byLines() {
    return chart(
        "Figure 7(c): by the size of an entry",
        "lines of an entry",
        MapNames.LINES,
        MapNames::byLines);
  }

  private interface Name {
    String of(String roundTrips, int x);
  }

  private Chart chart(String title, String xLabel, List<Integer> xs, Name name) {
    List<Series> series =
        MapNames.ROUND_TRIPS.stream()
            .map(roundTrips -> new Series(NAMES.get(roundTrips), points(xs, roundTrips, name)))
            .filter(line -> !line.points().isEmpty())
            .toList();
    return new Chart(title, xLabel, THROUGHPUT, true, series);
  }

  private List<Point> points(List<Integer> xs, String roundTrips, Name name) {
    return xs.stream()
        .flatMap(
            x ->
                times
                    .apply(name.of(roundTrips, x))
                    .map(time -> Point.ofThroughput(x, time))
                    .stream())
        .toList();
  }
}
