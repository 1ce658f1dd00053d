package io.holdfast.jmh.bench.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.holdfast.jmh.atlas.MicroProgram;
import io.holdfast.jmh.bench.program.LineLogTable.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What logs of lines hold of a section: lines that were there, fences if each record of them is
/// waited for, and lines of a redo log by the size of its buffer.
class LineLogTableTest {
  @ParameterizedTest
  @CsvSource({
    "TPCC, 10.94, 3.99, 10.94, 10.94, 10.94",
    "TPCC_TABLES, 33.51, 7.22, 169.35, 49.87, 33.51",
    "TATP, 1.00, 3.00, 1.00, 1.00, 1.00",
    "QUEUE, 1.46, 3.00, 1.46, 1.46, 1.46",
    "HASH, 1.00, 3.00, 1.00, 1.00, 1.00",
    "SDG, 1.57, 3.00, 1.57, 1.57, 1.57",
    "SPS, 15.84, 4.97, 126.72, 15.84, 15.84",
    "BTREE, 5.39, 3.12, 24.03, 5.43, 5.39",
    "RBTREE, 2.72, 3.01, 3.38, 2.72, 2.72",
  })
  void programsOfTheThesis(
      MicroProgram program, double lines, double fences, double one, double four, double sixteen) {
    Row row = LineLogTable.count(program::over);
    assertThat(row.oldLines()).as("lines").isCloseTo(lines, within(0.01));
    assertThat(row.fencesOfAtom()).as("fences").isCloseTo(fences, within(0.01));
    double[] redo = row.redoLines();
    assertThat(redo[0]).as("a buffer of 1").isCloseTo(one, within(0.01));
    assertThat(redo[1]).as("a buffer of 4").isCloseTo(four, within(0.01));
    assertThat(redo[2]).as("a buffer of 16").isCloseTo(sixteen, within(0.01));
    assertThat(redo[3]).as("a buffer of 64").isCloseTo(row.oldLines(), within(0.01));
  }

  /// Rows of 48 lines push lines of nodes out of smaller buffers: the thesis's knee (Figure 5.7).
  @Test
  void onlyABufferOf64HoldsAnOrder() {
    assertThat(LineLogTable.count(MicroProgram.TPCC_TABLES::over).redoLinesOfAll())
        .containsExactly(new double[] {784.77, 604.36, 600.28, 564.04, 563.92}, within(0.01));
  }
}
