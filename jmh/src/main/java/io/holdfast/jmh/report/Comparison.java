package io.holdfast.jmh.report;

import java.io.PrintWriter;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.apache.commons.math3.distribution.TDistribution;
import org.apache.commons.math3.stat.descriptive.SummaryStatistics;
import org.openjdk.jmh.util.ListStatistics;

/// Two results beside each other: of what both have measured under one name, the ratio of the new
/// value to the old, and an interval that holds it with a confidence of 99 %.
///
/// The ratio is that of geometric means, the interval Welch's for the difference of the means of
/// logarithms: two runs may scatter differently. Its sample is the medians of the rounds, because
/// iterations of one process are alike, as long as both sides have {@link #ROUNDS_MIN} rounds; with
/// fewer it is the iterations, and the interval is narrower than it should be: the table says so.
/// What has *moved* has an interval that leaves 1 out. Of a hundred that have not, one does so by
/// chance.
public final class Comparison {
  static final double CONFIDENCE = 0.99;
  static final int ROUNDS_MIN = 3;

  private final List<Row> rows;
  private final int onlyBefore;
  private final int onlyAfter;

  /// One name.
  ///
  /// @param ratio of the new value to the old one
  /// @param low of the interval
  /// @param high of it
  /// @param byRounds whether rounds were compared, not iterations
  record Row(String name, double ratio, double low, double high, boolean byRounds) {
    boolean moved() {
      return low > 1 || high < 1;
    }
  }

  public Comparison(Results before, Results after) {
    rows =
        after.all().stream()
            .flatMap(
                now ->
                    before.find(now.name()).stream()
                        .filter(then -> then.unit().equals(now.unit()))
                        .flatMap(then -> compare(then, now)))
            .sorted(Comparator.comparing(Row::moved).reversed().thenComparing(Row::name))
            .toList();
    onlyBefore = before.all().size() - rows.size();
    onlyAfter = after.all().size() - rows.size();
  }

  List<Row> rows() {
    return rows;
  }

  /// Nothing if a side has less than two values, or one that is no size: that says nothing.
  private static Stream<Row> compare(Measurement then, Measurement now) {
    boolean byRounds = then.rounds().size() >= ROUNDS_MIN && now.rounds().size() >= ROUNDS_MIN;
    SummaryStatistics old = logarithms(then, byRounds);
    SummaryStatistics young = logarithms(now, byRounds);
    if (old.getN() < 2 || young.getN() < 2 || !Double.isFinite(old.getMean() + young.getMean())) {
      return Stream.empty();
    }
    double difference = young.getMean() - old.getMean();
    double oldError = old.getVariance() / old.getN();
    double youngError = young.getVariance() / young.getN();
    double error = oldError + youngError;
    double half = error == 0 ? 0 : quantile(old, oldError, young, youngError) * Math.sqrt(error);
    return Stream.of(
        new Row(
            now.name(),
            Math.exp(difference),
            Math.exp(difference - half),
            Math.exp(difference + half),
            byRounds));
  }

  /// Of Student's distribution, with Welch's degrees of freedom.
  private static double quantile(
      SummaryStatistics old, double oldError, SummaryStatistics young, double youngError) {
    double error = oldError + youngError;
    double degrees =
        error
            * error
            / (oldError * oldError / (old.getN() - 1)
                + youngError * youngError / (young.getN() - 1));
    return new TDistribution(degrees).inverseCumulativeProbability((1 + CONFIDENCE) / 2);
  }

  private static SummaryStatistics logarithms(Measurement measurement, boolean byRounds) {
    SummaryStatistics logarithms = new SummaryStatistics();
    for (List<Double> round : measurement.rounds()) {
      double[] values = round.stream().mapToDouble(Double::doubleValue).toArray();
      if (byRounds) {
        logarithms.addValue(Math.log(new ListStatistics(values).getPercentile(50)));
      } else {
        for (double value : values) {
          logarithms.addValue(Math.log(value));
        }
      }
    }
    return logarithms;
  }

  public void print(PrintWriter out) {
    out.printf("%n| now / before | ratio | between, 99 %% | moved | by |%n|---|---|---|---|---|%n");
    for (Row row : rows) {
      out.printf(
          "| `%s` | %.3f | %.3f and %.3f | %s | %s |%n",
          row.name,
          row.ratio,
          row.low,
          row.high,
          row.moved() ? row.ratio > 1 ? "UP" : "DOWN" : "",
          row.byRounds ? "rounds" : "iterations");
    }
    long moved = rows.stream().filter(Row::moved).count();
    out.printf(
        "%n%d of %d have moved; %d are in the old results alone or too few to compare, %d in the"
            + " new. Of times, UP is slower.%n",
        moved, rows.size(), onlyBefore, onlyAfter);
    if (rows.stream().anyMatch(row -> !row.byRounds)) {
      out.printf(
          "Where iterations were compared, fewer than %d rounds were there: processes differ more"
              + " than the interval says.%n",
          ROUNDS_MIN);
    }
  }
}
