package io.holdfast.jmh;

import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
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

  private Report(Results results, Page page) {
    this.results = results;
    this.page = page;
    this.out = page.out();
  }

  /// @param suites those that were run
  static void print(List<Suite> suites, Results results, Page page) {
    new Report(results, page).print(suites);
  }

  private void print(List<Suite> suites) {
    out.println();
    results.run().forEach((what, value) -> out.printf("- %s: %s%n", what, value));
    printTargets();
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
    List<Target> judged =
        Target.ALL.stream()
            .filter(target -> results.time(target.subject()).isPresent())
            .filter(target -> results.time(target.baseline()).isPresent())
            .toList();
    if (judged.isEmpty()) {
      return;
    }
    out.printf(
        "%n## Targets and ratios%n%n| of | divided by that of | ratio | target |%n"
            + "|---|---|---|---|%n");
    for (Target target : judged) {
      double ratio =
          results.median(target.subject()).get() / results.median(target.baseline()).get();
      out.printf(
          "| `%s` | `%s` | %.2f | %s |%n",
          target.subject(), target.baseline(), ratio, target.told(ratio));
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
          "| `%s` | %s | %,.1f | %,.1f and %,.1f | %.0f %% | %d | %,.0f |%n",
          measurement.name(),
          measurement.unit(),
          measurement.median(),
          quarter,
          threeQuarters,
          100 * (threeQuarters - quarter) / measurement.median(),
          measurement.rounds().size(),
          measurement.allocated());
    }
  }

  /// The cell of a table.
  static String cell(Optional<Double> value, String format) {
    return value.map(format::formatted).orElse("");
  }

  static String row(List<String> cells) {
    return cells.stream().collect(Collectors.joining(" | ", "| ", " |"));
  }
}
