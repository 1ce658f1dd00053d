package io.holdfast.jmh.bench.program;

import io.holdfast.jmh.atlas.ProgramMode;
import io.holdfast.jmh.report.Results;
import io.holdfast.jmh.report.Target;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/// What {@link Results} calls the programs of Atlas.
public final class AtlasNames {
  /// In the order of the paper.
  static final List<String> PROGRAMS =
      List.of(
          "arrayStores",
          "linkedList",
          "queue",
          "cowArrayList",
          "dedup",
          "memcached5",
          "memcached50",
          "memcached95",
          "mdb",
          "alarmClock");

  private AtlasNames() {}

  static String program(String program, ProgramMode mode) {
    return "AtlasBenchmark.%s(mode=%s)".formatted(program, mode);
  }

  /// Each program with durability, against itself without: twice its time at most if it survives a
  /// crash of the process. In the paper's Table 1 that is 3 to 4, and without its flushes, which is
  /// more like ours, 2.1 to 2.7. What flushes cost is told.
  public static Stream<Target> targets() {
    return PROGRAMS.stream()
        .flatMap(
            program ->
                Arrays.stream(ProgramMode.values())
                    .filter(mode -> mode != ProgramMode.NONE)
                    .map(mode -> target(program, mode)));
  }

  private static Target target(String program, ProgramMode mode) {
    return new Target(
        program(program, mode),
        program(program, ProgramMode.NONE),
        mode == ProgramMode.PROCESS_CRASH ? 2 : Target.REPORTED);
  }
}
