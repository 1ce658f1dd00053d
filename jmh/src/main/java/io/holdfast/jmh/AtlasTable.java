package io.holdfast.jmh;

import io.holdfast.jmh.atlas.ProgramMode;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.openjdk.jmh.util.Statistics;

/// Table 1 of the Atlas paper: what a program takes without durability, and how many times that in
/// each mode with it.
final class AtlasTable {
  private static final String NOT_MEASURED = "";

  private final Function<String, Optional<Statistics>> times;

  /// @param times what a benchmark, as {@link Report#name} calls it, took in nanoseconds
  AtlasTable(Function<String, Optional<Statistics>> times) {
    this.times = times;
  }

  void print(PrintWriter out) {
    ProgramMode[] modes = ProgramMode.values();
    out.printf(
        "| program |%s%n|---|%s%n",
        row(modes, mode -> mode == ProgramMode.NONE ? "NONE, ns" : mode + " / NONE"),
        "---|".repeat(modes.length));
    for (String program : AtlasNames.PROGRAMS) {
      out.printf("| %s |%s%n", program, row(modes, mode -> cell(program, mode)));
    }
  }

  private static String row(ProgramMode[] modes, Function<ProgramMode, String> cell) {
    return Arrays.stream(modes)
        .map(mode -> " " + cell.apply(mode) + " |")
        .collect(Collectors.joining());
  }

  private String cell(String program, ProgramMode mode) {
    Optional<Double> base = median(program, ProgramMode.NONE);
    if (mode == ProgramMode.NONE) {
      return base.map("%.1f"::formatted).orElse(NOT_MEASURED);
    }
    return median(program, mode)
        .flatMap(time -> base.map(alone -> "%.2f".formatted(time / alone)))
        .orElse(NOT_MEASURED);
  }

  private Optional<Double> median(String program, ProgramMode mode) {
    return times.apply(AtlasNames.program(program, mode)).map(time -> time.getPercentile(50));
  }
}
