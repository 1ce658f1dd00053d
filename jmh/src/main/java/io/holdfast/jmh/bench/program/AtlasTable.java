package io.holdfast.jmh.bench.program;

import io.holdfast.jmh.atlas.ProgramMode;
import io.holdfast.jmh.report.Mark;
import io.holdfast.jmh.report.Marks;
import io.holdfast.jmh.report.Measurement;
import io.holdfast.jmh.report.Page;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.openjdk.jmh.util.Statistics;

/// Table 1 of the Atlas paper: what a program takes without durability, and how many times that in
/// each mode with it.
public final class AtlasTable {
  private final Function<String, Optional<Statistics>> times;

  /// @param times what a benchmark, as {@link Measurement#shortName} calls it, took in nanoseconds
  public AtlasTable(Function<String, Optional<Statistics>> times) {
    this.times = times;
  }

  public void print(Page page) {
    PrintWriter out = page.out();
    ProgramMode[] modes = ProgramMode.values();
    out.printf(
        "| program |%s%n|---|%s%n",
        row(modes, mode -> mode == ProgramMode.NONE ? "NONE, ns" : mode + " / NONE"),
        "---|".repeat(modes.length));
    for (String program : AtlasNames.PROGRAMS) {
      out.printf("| %s |%s%n", program, row(modes, mode -> cell(program, mode)));
    }
    out.printf(
        """

        What the paper has (Table 1). Its default is hybrid; *no flush* is most like PROCESS_CRASH, \
        *delayed, local* is DELAYED_TO_END, *delayed, global* DELAYED_TO_DURABLE:

        | program | default | no flush | log all | eager | delayed, local | delayed, global |
        |---|---|---|---|---|---|---|
        | queue | 3.9 | 2.1 | 4.4 | 3.5 | 4.7 | 3.5 |
        | cow_al | 3.0 | 2.7 | 8 | 7 | 4.3 | 3.3 |
        | dedup | 1.3 | 1.2 | 1.4 | 5 | 1.7 | 1.7 |
        | memcached | 1.6 | 1.2 | 2.8 | 2 | 2.2 | 1.8 |
        | mdb | 4 | 2.5 | 12 | 5.2 | 5.3 | 5.5 |

        Table 2, the paper's, of a whole run:

        | program | logs | words not logged | sections | flushes if eager |
        |---|---|---|---|---|
        | queue | 900,000 | 50 %% | 300,000 | 0.95 times |
        | cow_al | 2,400 | 99 %% | 1,200 | 11 times |
        | dedup | 1,400,000 | 5 %% | 260,000 | once |
        | memcached | 11,000,000 | 87 %% | 4,000,000 | once |
        | mdb | 4,000 | 97 %% | 1,300 | once |

        Table 2, ours, counted for an operation:

        """);
    ProgramTable.print(out, ProgramTable.atlas());
    page.plot(
        new Marks(
            "Atlas's programs",
            "times the time without durability",
            AtlasNames.PROGRAMS,
            Arrays.stream(modes)
                .filter(mode -> mode != ProgramMode.NONE)
                .map(
                    mode ->
                        new Marks.Series(
                            mode.name(),
                            AtlasNames.PROGRAMS.stream().map(p -> mark(p, mode)).toList()))
                .toList()),
        "atlas.svg");
  }

  private static String row(ProgramMode[] modes, Function<ProgramMode, String> cell) {
    return Arrays.stream(modes)
        .map(mode -> " " + cell.apply(mode) + " |")
        .collect(Collectors.joining());
  }

  private String cell(String program, ProgramMode mode) {
    return mode == ProgramMode.NONE
        ? Page.cell(median(program, mode), "%.1f")
        : Page.cell(ratio(program, mode), "%.2f");
  }

  private Optional<Mark> mark(String program, ProgramMode mode) {
    return times
        .apply(AtlasNames.program(program, mode))
        .flatMap(
            time ->
                times
                    .apply(AtlasNames.program(program, ProgramMode.NONE))
                    .map(alone -> Mark.ofRatio(time, alone)));
  }

  private Optional<Double> ratio(String program, ProgramMode mode) {
    return mark(program, mode).map(Mark::value);
  }

  private Optional<Double> median(String program, ProgramMode mode) {
    return times.apply(AtlasNames.program(program, mode)).map(time -> time.getPercentile(50));
  }
}
