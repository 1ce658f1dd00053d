package io.holdfast.jmh.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.holdfast.jmh.report.Comparison.Row;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class ComparisonTest {
  private final Results before = new Results(Map.of());
  private final Results after = new Results(Map.of());

  private void measured(String name, List<Double> then, List<Double> now) {
    before.add(name, "ns", then);
    after.add(name, "ns", now);
  }

  private Map<String, Row> rows() {
    return new Comparison(before, after)
        .rows().stream().collect(Collectors.toMap(Row::name, Function.identity()));
  }

  /// By hand: logarithms' means differ by ln 2, both variances are v = 2 × ln(1.1)² / 3, of three
  /// values each. Welch's degrees of freedom are then 4, the quantile 4.604095, and the half
  /// interval that times the root of 2 v / 3 = ln(1.1) × 2/3.
  @Test
  void theIntervalIsWelchsOfLogarithms() {
    measured("a.b", List.of(100 / 1.1, 100.0, 100 * 1.1), List.of(200 / 1.1, 200.0, 200 * 1.1));
    Row row = rows().get("a.b");
    double variance = Math.pow(Math.log(1.1), 2);
    double half = 4.604095 * Math.sqrt(2 * variance / 3);
    assertThat(row.ratio()).isCloseTo(2, within(1e-9));
    assertThat(row.low()).isCloseTo(Math.exp(Math.log(2) - half), within(1e-5));
    assertThat(row.high()).isCloseTo(Math.exp(Math.log(2) + half), within(1e-5));
    assertThat(row.moved()).isTrue();
    assertThat(row.byRounds()).isFalse();
  }

  @Test
  void whatScattersMoreThanItDiffersHasNotMoved() {
    measured("a.noisy", List.of(50.0, 100.0, 200.0), List.of(60.0, 120.0, 240.0));
    measured("a.faster", List.of(100.0, 101.0, 102.0), List.of(80.0, 81.0, 82.0));
    assertThat(rows().get("a.noisy").moved()).isFalse();
    assertThat(rows().get("a.faster").moved()).isTrue();
    assertThat(rows().get("a.faster").ratio()).isLessThan(1);
  }

  @Test
  void threeRoundsAreComparedByTheirMedians() {
    for (int round = 0; round < 3; round++) {
      // Each round has an iteration that something else made long.
      measured("a.b", List.of(100.0 + round, 100.0 + round, 9e6), List.of(100.0, 100.0, 1.0));
    }
    Row row = rows().get("a.b");
    assertThat(row.byRounds()).isTrue();
    assertThat(row.ratio()).isBetween(0.98, 1.0);
  }

  @Test
  void whatOneSideLacksIsCountedNotCompared() {
    measured("a.both", List.of(1.0, 1.1), List.of(1.0, 1.1));
    before.add("a.gone", "ns", List.of(1.0, 2.0));
    after.add("a.single", "ns", List.of(1.0));
    before.add("a.single", "ns", List.of(1.0));
    after.add("a.none", "updates", List.of(0.0, 0.0));
    before.add("a.none", "updates", List.of(0.0, 0.0));
    assertThat(rows()).containsOnlyKeys("a.both");
    StringWriter text = new StringWriter();
    new Comparison(before, after).print(new PrintWriter(text, true));
    assertThat(text.toString())
        .contains("0 of 1 have moved; 3 are in the old results alone or too few", "2 in the new");
  }
}
