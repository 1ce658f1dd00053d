package io.holdfast.jmh;

import io.holdfast.jmh.report.Bound;
import io.holdfast.jmh.report.Measurement;
import io.holdfast.jmh.report.Page;
import io.holdfast.jmh.report.Results;
import io.holdfast.jmh.report.Target;
import io.holdfast.jmh.suite.Experiment;
import io.holdfast.jmh.suite.Suite;
import java.io.PrintWriter;
import java.util.List;
import java.util.stream.Stream;
import org.openjdk.jmh.util.Statistics;

/// Results as a page: the run, what each suite has to show, the targets, and at the end all values
/// and the JVM flags they were measured with.
///
/// By medians of the iterations: what else runs on the machine lengthens some of them, to many
/// times what they are.
final class Report {
  private final Results results;
  private final PrintWriter out;
  private final Page page;
  private final boolean judges;

  private Report(Results results, Page page) {
    this.results = results;
    this.page = page;
    this.out = page.out();
    this.judges = !results.run().getOrDefault(Results.EXTENT, "").startsWith(Results.FIRST_LOOK);
  }

  /// @param suites those that were run
  static void print(List<Suite> suites, Results results, Page page) {
    new Report(results, page).print(suites);
  }

  private void print(List<Suite> suites) {
    out.println();
    results.run().forEach((what, value) -> out.printf("- %s: %s%n", what, value));
    printTargets();
    PeerTable.print(results, out);
    for (Suite suite : suites) {
      out.printf("%n## %s%n%n", suite.title());
      suite.experiments().forEach(this::printExperiment);
      suite.section().print(results, page);
    }
    printAll();
    results
        .flags()
        .forEach(
            (flags, whose) ->
                out.printf(
                    "%nJVM flags of %s:%n%n```%n%s%n```%n",
                    String.join(", ", whose), String.join("\n", flags)));
  }

  private void printExperiment(Class<?> measured) {
    Experiment experiment = measured.getAnnotation(Experiment.class);
    out.printf(
        "`%s`: %s%n- *Floor:* %s%n- *Variables:* %s%n%n",
        measured.getSimpleName(),
        experiment.question(),
        experiment.floor(),
        experiment.variables());
  }

  private void printTargets() {
    List<Target> compared =
        Targets.RATIOS.stream()
            .filter(target -> results.time(target.subject()).isPresent())
            .filter(target -> results.time(target.baseline()).isPresent())
            .toList();
    List<Bound> bounded =
        Targets.BOUNDS.stream().filter(bound -> results.time(bound.subject()).isPresent()).toList();
    if (compared.isEmpty() && bounded.isEmpty()) {
      return;
    }
    out.printf(
        "%n## Targets and ratios%n%n| of | divided by that of | ratio | target |%n"
            + "|---|---|---|---|%n");
    for (Target target : compared) {
      double ratio =
          results.median(target.subject()).get() / results.median(target.baseline()).get();
      out.printf(
          "| `%s` | `%s` | %.2f | %s |%n",
          target.subject(),
          target.baseline(),
          ratio,
          target.isJudged() ? verdict(target.asked(), target.isMet(ratio)) : "");
    }
    out.printf("%n| of | median | unit | target |%n|---|---|---|---|%n");
    for (Bound bound : bounded) {
      double value = results.median(bound.subject()).get();
      String unit = results.unit(bound.subject());
      out.printf(
          "| `%s` | %,.2f | %s | %s |%n",
          bound.subject(), value, unit, verdict(bound.asked(), bound.isMet(value)));
    }
    printUnmeasured(compared, bounded);
  }

  /// A first look, at code that is still being compiled, judges nothing.
  private String verdict(String asked, boolean met) {
    return judges ? asked + (met ? ": met" : ": MISSED") : asked;
  }

  private void printUnmeasured(List<Target> compared, List<Bound> bounded) {
    List<String> unmeasured =
        Stream.concat(
                Targets.RATIOS.stream()
                    .filter(target -> target.isJudged() && !compared.contains(target))
                    .map(target -> "`%s` / `%s`".formatted(target.subject(), target.baseline())),
                Targets.BOUNDS.stream()
                    .filter(bound -> !bounded.contains(bound))
                    .map(bound -> "`%s`".formatted(bound.subject())))
            .toList();
    if (!unmeasured.isEmpty()) {
      out.printf(
          "%n%d targets were not measured in this run: %s.%n",
          unmeasured.size(), String.join(", ", unmeasured));
    }
  }

  private void printAll() {
    out.printf(
        "%n## All values%n%n| benchmark | unit | median | half of them between | spread | rounds |"
            + " bytes allocated |%n|---|---|---|---|---|---|---|%n");
    for (Measurement measurement : results.all()) {
      Statistics values = measurement.statistics();
      double quarter = values.getPercentile(25);
      double threeQuarters = values.getPercentile(75);
      out.printf(
          "| `%s` | %s | %,.1f | %,.1f and %,.1f | %s | %d | %,.0f |%n",
          measurement.name(),
          measurement.unit(),
          measurement.median(),
          quarter,
          threeQuarters,
          spread(threeQuarters - quarter, measurement.median()),
          measurement.rounds().size(),
          measurement.allocated());
    }
  }

  private static String spread(double half, double median) {
    return median == 0 ? "" : "%.0f %%".formatted(100 * half / median);
  }
}
