package io.holdfast.jmh.bench.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.holdfast.core.memory.FlushMode;
import io.holdfast.jmh.SmallRuns;
import io.holdfast.jmh.atlas.Crew;
import io.holdfast.jmh.atlas.Program;
import io.holdfast.jmh.atlas.SectionMemory;
import io.holdfast.jmh.bench.program.ProgramTable;
import io.holdfast.jmh.count.CountingDomain;
import io.holdfast.jmh.report.Page;
import io.holdfast.jmh.report.Results;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.openjdk.jmh.runner.RunnerException;

class SectionLogBenchmarkTest {
  private static final int OPERATIONS = 1_200;

  /// What a list takes more than CSO-VB: half a fence and half a line for an entry, or a whole one.
  @ParameterizedTest
  @CsvSource({
    "arrayStores, CSO-VB, 3.0, 3.0",
    "arrayStores, AtlasLog, 3.5, 3.5",
    "arrayStores, TwoRounds, 4.0, 4.0",
    "queue, CSO-VB, 8.0, 12.0",
    "queue, AtlasLog, 10.0, 14.0",
    "queue, TwoRounds, 12.0, 16.0",
  })
  void entriesTakeTheRoundTripsOfTheirLog(
      String program, String log, double fences, double lines, @TempDir Path directory) {
    CountingDomain domain = new CountingDomain();
    try (Program running =
            ProgramTable.atlas()
                .get(program)
                .apply(
                    SectionMemory.open(
                        directory.resolve("program"),
                        _ -> LogRoundTrips.of(log, domain),
                        FlushMode.HYBRID));
        Crew crew = new Crew(running)) {
      crew.run(OPERATIONS); // so that nothing grows
      var before = domain.counts();
      crew.run(OPERATIONS);
      var counts = domain.counts().since(before);
      assertThat((double) counts.fences() / OPERATIONS).isCloseTo(fences, within(0.03));
      assertThat((double) counts.lines() / OPERATIONS).isCloseTo(lines, within(0.2));
      running.content();
    }
  }

  @Test
  void runs() throws RunnerException {
    Set<String> ran =
        SmallRuns.run(
            SmallRuns.smallest("SectionLogBenchmark").forks(0).param("addedNanos", "0", "800"));
    assertThat(ran).hasSize(24).contains(SectionLogBenchmark.name("alarmClock", "TwoRounds", 800));
  }

  @Test
  void theFigureShowsRatios(@TempDir Path directory) throws IOException {
    Results results = new Results(Map.of());
    results.add(SectionLogBenchmark.name("queue", "CSO-VB", 0), "ns", List.of(1_000.0));
    results.add(SectionLogBenchmark.name("queue", "AtlasLog", 0), "ns", List.of(1_250.0));
    Page page = new Page("a title", directory);
    SectionLogBenchmark.print(results, page);
    assertThat(page.toString().lines()).contains("| queue | 0 | 25 % |  | 23 % |");
    assertThat(directory.resolve("figure-6.svg")).isNotEmptyFile();
  }
}
