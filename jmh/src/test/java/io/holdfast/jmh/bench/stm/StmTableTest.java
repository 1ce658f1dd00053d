package io.holdfast.jmh.bench.stm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.holdfast.jmh.stm.StmLog;
import io.holdfast.jmh.stm.StmProgram;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The golden table of the word STM: more fences or lines are a regression.
class StmTableTest {
  @ParameterizedTest
  @CsvSource({
    "SSCA2, 1.031, 3.02",
    "VACATION, 1.028, 10.81",
    "INTRUDER, 0.826, 3.81",
  })
  void oneRoundTripOrTwo(StmProgram program, double fences, double lines) {
    for (StmLog log : StmLog.values()) {
      StmTable.Row row = StmTable.count(program, log);
      // The baseline's second round, and the line that it writes again.
      double more = log == StmLog.TWO_ROUNDS ? fences * 64 / 66 : 0;
      assertThat(row.fences()).as("fences, %s", log).isCloseTo(fences + more, within(0.005));
      assertThat(row.lines()).as("lines, %s", log).isCloseTo(lines + more, within(0.01));
    }
  }
}
