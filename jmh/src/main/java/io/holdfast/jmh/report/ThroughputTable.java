package io.holdfast.jmh.report;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.openjdk.jmh.util.Statistics;

/// Benchmarks by what was compared: thousand operations a second of all threads together, the
/// median, and in brackets between what half of the iterations are.
public final class ThroughputTable {
  public static final String NOT_MEASURED = "";

  private final String title;
  private final List<String> compared;
  private final Function<String, Optional<Statistics>> times;
  private final List<Row> rows = new ArrayList<>();

  private record Row(String work, int threads, Function<String, String> name) {}

  /// @param compared its columns
  /// @param times what a benchmark, as {@link Measurement#shortName} calls it, took in nanoseconds
  public ThroughputTable(
      String title, List<String> compared, Function<String, Optional<Statistics>> times) {
    this.title = title;
    this.compared = compared;
    this.times = times;
  }

  /// Adds a row.
  ///
  /// @param name of the benchmark, by what is compared
  public ThroughputTable row(String work, int threads, Function<String, String> name) {
    rows.add(new Row(work, threads, name));
    return this;
  }

  public static void heading(PrintWriter out, String first, List<String> others) {
    out.printf(
        "| %s | %s |%n|---|%s%n", first, String.join(" | ", others), "---|".repeat(others.size()));
  }

  /// Shows the rows of which something was measured, and a plot of them.
  ///
  /// @param file of the plot
  public void print(Page page, String file) {
    List<Row> measured = rows.stream().filter(this::isMeasured).toList();
    if (measured.isEmpty()) {
      return;
    }
    heading(page.out(), "thousand operations a second", compared);
    for (Row row : measured) {
      page.out()
          .println(
              Page.row(
                  Stream.concat(
                          Stream.of(row.work),
                          compared.stream()
                              .map(each -> throughput(row.name.apply(each), row.threads)))
                      .toList()));
    }
    page.plot(
        new Marks(
            title,
            "thousand operations a second",
            measured.stream().map(Row::work).toList(),
            compared.stream()
                .map(
                    each ->
                        new Marks.Series(
                            each, measured.stream().map(row -> mark(row, each)).toList()))
                .toList()),
        file);
  }

  private boolean isMeasured(Row row) {
    return compared.stream().anyMatch(each -> times.apply(row.name.apply(each)).isPresent());
  }

  private Optional<Mark> mark(Row row, String each) {
    return times.apply(row.name.apply(each)).map(time -> Mark.ofThroughput(row.threads, time));
  }

  public String throughput(String benchmark, int threads) {
    return times
        .apply(benchmark)
        .map(
            time ->
                "%,.0f (%,.0f to %,.0f)"
                    .formatted(
                        threads * 1e6 / time.getPercentile(50),
                        threads * 1e6 / time.getPercentile(75),
                        threads * 1e6 / time.getPercentile(25)))
        .orElse(NOT_MEASURED);
  }
}
