package io.holdfast.jmh.report;

import java.util.ArrayList;
import java.util.List;
import org.openjdk.jmh.util.ListStatistics;
import org.openjdk.jmh.util.Statistics;

/// What was measured under one name, in all rounds.
///
/// @param name `Class.method(parameter=value,…)`
/// @param unit of the values
/// @param rounds the values by round: those of one round were measured in one process
/// @param allocated bytes that an operation allocates, 0 where nobody looked
public record Measurement(String name, String unit, List<List<Double>> rounds, double allocated) {
  /// Of benchmarks by JMH.
  public static final String NANOSECONDS = "ns";

  /// The name without the number of entries, which is the same for a whole run.
  public String shortName() {
    return shortName(name);
  }

  public static String shortName(String name) {
    return name.replaceFirst("\\bentries=\\d+,?", "").replace(",)", ")").replace("()", "");
  }

  public Statistics statistics() {
    return new ListStatistics(
        rounds.stream().flatMap(List::stream).mapToDouble(Double::doubleValue).toArray());
  }

  public double median() {
    return statistics().getPercentile(50);
  }

  /// With the rounds of another measurement of the same.
  Measurement and(Measurement later) {
    List<List<Double>> all = new ArrayList<>(rounds);
    all.addAll(later.rounds);
    return new Measurement(name, unit, List.copyOf(all), later.allocated);
  }
}
