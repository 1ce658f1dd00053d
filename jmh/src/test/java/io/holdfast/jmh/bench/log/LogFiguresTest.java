package io.holdfast.jmh.bench.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.holdfast.jmh.report.Chart.Point;
import io.holdfast.jmh.report.Chart.Series;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.util.MultisetStatistics;
import org.openjdk.jmh.util.Statistics;

class LogFiguresTest {
  private static final Map<String, Statistics> TIMES =
      Map.of(
          "LogBenchmark.floor(latency=0)", nanos(200, 250, 400),
          "LogBenchmark.halfLine(latency=0,log=CSO-VB)", nanos(250, 500, 1_000),
          "LogBenchmark.halfLine(latency=800,log=CSO-VB)", nanos(1_000, 1_000, 1_000),
          "LogBenchmark.longer(bytes=512,log=CSO-FVB)", nanos(2_000, 2_000, 2_000));

  private final LogFigures figures = new LogFigures(name -> Optional.ofNullable(TIMES.get(name)));

  private static Statistics nanos(double... values) {
    MultisetStatistics statistics = new MultisetStatistics();
    for (double value : values) {
      statistics.addValue(value, 1);
    }
    return statistics;
  }

  @Test
  void sizesAreAxisAndLogsAreSeries() {
    assertThat(figures.bySize().series())
        .extracting(Series::name)
        .containsExactly("floor", "CSO-VB", "CSO-FVB");
    assertThat(figures.bySize().series())
        .flatExtracting(Series::points)
        .extracting(Point::x, Point::y)
        .containsExactly(tuple(32, 4), tuple(32, 2), tuple(512, 0.5));
  }

  @Test
  void latenciesAreAxis() {
    assertThat(figures.byLatency().series())
        .filteredOn(line -> line.name().equals("CSO-VB"))
        .flatExtracting(Series::points)
        .extracting(Point::x, Point::y)
        .containsExactly(tuple(0, 2), tuple(800, 1));
  }

  @Test
  void theLongestTimeIsTheLowestThroughput() {
    Point half = figures.byLatency().series().getLast().points().getFirst();
    assertThat(half.low()).isCloseTo(1, within(1e-9));
    assertThat(half.high()).isCloseTo(4, within(1e-9));
  }

  private static Tuple tuple(double x, double y) {
    return Tuple.tuple(x, y);
  }
}
