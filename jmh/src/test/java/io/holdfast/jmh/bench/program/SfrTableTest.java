package io.holdfast.jmh.bench.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.holdfast.core.memory.FlushMode;
import io.holdfast.jmh.SmallRuns;
import io.holdfast.jmh.atlas.MicroProgram;
import io.holdfast.jmh.atlas.Program;
import io.holdfast.jmh.atlas.ProgramMemory;
import io.holdfast.jmh.atlas.RegionDesign;
import io.holdfast.jmh.bench.program.ProgramTable.PerOperation;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.openjdk.jmh.runner.RunnerException;

/// The golden table of what is atomic: log lines, fences and flushes of an operation, and fences if
/// each store waits for its entry.
class SfrTableTest {
  @ParameterizedTest
  @CsvSource({
    "LIST, 2, OUTERMOST, 1.00, 2.46, 3.22, 3.47",
    "LIST, 2, LOGGED_LOCKS, 11.44, 12.43, 13.69, 14.19",
    "LIST, 2, COUPLED, 1.00, 2.24, 3.00, 3.24",
    "LIST, 8, OUTERMOST, 2.50, 2.46, 4.72, 6.47",
    "LIST, 8, COUPLED, 2.50, 2.24, 4.50, 6.24",
    "LIST, 64, OUTERMOST, 15.75, 2.71, 22.73, 34.47",
    "LIST, 64, LOGGED_LOCKS, 22.87, 12.69, 32.70, 45.19",
    "LIST, 64, COUPLED, 15.75, 2.49, 22.50, 34.24",
    "LIST_OF_VISITS, 2, OUTERMOST, 4.83, 6.28, 10.65, 7.29",
    "LIST_OF_VISITS, 2, LOGGED_LOCKS, 13.59, 12.66, 19.44, 18.01",
    "LIST_OF_VISITS, 2, COUPLED, 4.60, 13.03, 13.79, 14.04",
    "LIST_OF_VISITS, 64, OUTERMOST, 18.55, 6.54, 30.04, 38.29",
    "LIST_OF_VISITS, 64, COUPLED, 19.34, 13.29, 33.30, 45.04",
    "SWAPS, 2, OUTERMOST, 0.99, 2.97, 3.96, 3.96",
    "SWAPS, 2, LOGGED_LOCKS, 4.95, 5.94, 7.92, 7.92",
    "SWAPS, 2, COUPLED, 0.99, 2.97, 3.96, 3.96",
    "SWAPS, 64, OUTERMOST, 30.69, 2.97, 42.43, 65.34",
    "SWAPS, 64, COUPLED, 30.69, 2.97, 42.43, 65.34",
  })
  void fineLocks(
      SfrProgram program,
      int stores,
      RegionDesign design,
      double logLines,
      double fences,
      double flushes,
      double fencesOfHybrid) {
    Function<ProgramMemory, Program> maker = memory -> program.over(memory, 1, stores);
    PerOperation posted = SfrTable.count(maker, design, FlushMode.POSTED);
    assertThat(posted.logged()).as("log lines").isCloseTo(logLines, within(0.01));
    assertThat(posted.fences()).as("fences").isCloseTo(fences, within(0.01));
    assertThat(posted.flushes()).as("flushes").isCloseTo(flushes, within(0.01));
    assertThat(SfrTable.count(maker, design, FlushMode.HYBRID).fences())
        .as("fences if each store waits")
        .isCloseTo(fencesOfHybrid, within(0.01));
  }

  /// There is no inner release.
  @ParameterizedTest
  @EnumSource(names = {"QUEUE", "RBTREE", "TATP", "TPCC"})
  void underOneLockBothAreTheSame(MicroProgram program) {
    assertThat(SfrTable.count(program::over, RegionDesign.COUPLED, FlushMode.POSTED))
        .isEqualTo(SfrTable.count(program::over, RegionDesign.OUTERMOST, FlushMode.POSTED));
  }

  @Test
  void runs() throws RunnerException {
    Set<String> ran = SmallRuns.run(SmallRuns.smallest("SfrBenchmark").forks(0));
    assertThat(ran)
        .hasSize(45)
        .contains(SfrBenchmark.name(SfrProgram.LIST, RegionDesign.COUPLED, "POSTED"));
  }
}
