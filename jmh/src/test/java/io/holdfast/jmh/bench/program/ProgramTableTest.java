package io.holdfast.jmh.bench.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.holdfast.jmh.atlas.MicroProgram;
import io.holdfast.jmh.bench.program.ProgramTable.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The golden table of programs: what an operation stores, logs, flushes and fences. More of it is
/// a regression, whatever a clock says.
class ProgramTableTest {
  @ParameterizedTest
  @CsvSource({
    "arrayStores, 1.0, 0.1, 1.00, 3.00, 3.00",
    "linkedList, 2.0, 0.1, 2.00, 6.00, 3.00",
    // Two to three lines for who adds, one for who removes: whether the new node is in the last
    // one's line, is a matter of which were freed when.
    // Its blocks are allocated under two locks: 6 fences, or up to 7, as threads meet.
    "queue, 1.75, 0.3, 3.00, 11.00, 6.40",
    "cowArrayList, 127.0, 0.1, 2.00, 131.00, 3.00",
    "dedup, 2.0, 0.1, 1.76, 5.52, 3.00",
    "memcached5, 3.5, 0.1, 2.11, 6.39, 2.05",
    "memcached50, 5.4, 0.1, 3.33, 10.48, 2.54",
    "memcached95, 7.1, 0.1, 4.45, 14.27, 2.96",
    "mdb, 13.9, 0.1, 3.29, 19.21, 3.00",
    // Two lines for who sets an alarm, or three if it is not the first, as it is when the other
    // thread lets the list run empty; one for who has it expire.
    "alarmClock, 1.75, 0.3, 4.00, 11.95, 6.00",
  })
  void programsOfAtlas(
      String name, double writeSet, double spread, double logLines, double flushes, double fences) {
    Row row = ProgramTable.count(ProgramTable.atlas().get(name));
    check(row, writeSet, spread, logLines, flushes, fences);
  }

  @ParameterizedTest
  @CsvSource({
    "TPCC, 16.6, 16.64, 35.36, 3.02, 33.82",
    "TPCC_TABLES, 563.9, 31.26, 653.25, 5.78, 143.70",
    "TATP, 1.0, 1.00, 3.00, 3.00, 4.00",
    "QUEUE, 5.6, 1.52, 9.17, 3.00, 4.53",
    "HASH, 5.4, 1.00, 8.43, 3.00, 3.45",
    "SDG, 10.4, 2.03, 14.55, 3.00, 4.45",
    "SPS, 15.8, 30.69, 86.04, 3.96, 128.70",
    "BTREE, 5.6, 12.65, 19.37, 3.00, 26.29",
    "RBTREE, 7.1, 3.00, 12.52, 3.00, 6.86",
  })
  void programsOfTheThesis(
      MicroProgram program,
      double writeSet,
      double logLines,
      double flushes,
      double fences,
      double fencesOfHybrid) {
    Row row = ProgramTable.count(program::over);
    check(row, writeSet, 0.1, logLines, flushes, fences);
    assertThat(row.hybrid().fences())
        .as("fences if each store waits")
        .isCloseTo(fencesOfHybrid, within(0.02));
  }

  /// Of two threads, who finds the other's line flushed differs from run to run, by little; beyond
  /// that a line more or less in each of an operation's two sections is a flush more or less.
  private static void check(
      Row row, double writeSet, double spread, double logLines, double flushes, double fences) {
    assertThat(row.writeSet()).as("lines of a section").isCloseTo(writeSet, within(spread));
    assertThat(row.posted().logged()).as("log lines").isCloseTo(logLines, within(0.02));
    assertThat(row.posted().flushes())
        .as("flushes")
        .isCloseTo(flushes, within(0.15 + 2 * (spread - 0.1)));
    assertThat(row.posted().fences())
        .as("fences")
        .isCloseTo(fences, within(0.02 + 3 * (spread - 0.1)));
  }

  @Test
  void everyProgramOfAtlasIsCounted() {
    assertThat(ProgramTable.atlas().keySet())
        .containsExactlyInAnyOrderElementsOf(AtlasNames.PROGRAMS);
  }
}
