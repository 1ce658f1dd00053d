package io.holdfast.jmh.bench.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.holdfast.jmh.atlas.MicroProgram;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The golden table of the disks' redo log: bytes of records of a section that is waited for, and
/// writes of the device. One that stores more than a stream's half may be several batches, as the
/// log's thread gets its turn.
class DiskRedoTest {
  @ParameterizedTest
  @CsvSource({
    "TPCC, 2773.79, 1.00, 1.02",
    "TPCC_TABLES, 44010.91, 1.00, 3.00",
    "TATP, 144.00, 1.00, 1.02",
    "QUEUE, 755.28, 1.00, 1.02",
    "HASH, 719.49, 1.00, 1.02",
    "SDG, 1416.05, 1.00, 1.02",
    "SPS, 7372.17, 0.98, 1.00",
    "BTREE, 1592.81, 1.00, 1.02",
    "RBTREE, 1000.08, 1.00, 1.02",
  })
  void programsOfTheThesis(MicroProgram program, double bytes, double least, double most) {
    DiskRedo redo = DiskRedo.count(program::over);
    assertThat(redo.bytes()).as("bytes").isCloseTo(bytes, within(bytes / 100));
    assertThat(redo.writes()).as("writes").isBetween(least, most);
    assertThat(redo.bytesTogether()).as("bytes, none waited for").isLessThan(1.01 * bytes);
  }
}
