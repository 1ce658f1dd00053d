package io.holdfast.jmh.bench.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.holdfast.jmh.bench.log.LogTable.Row;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The golden table: round trips and lines of each log. More of either is a regression, whatever a
/// clock says.
class LogTableTest {
  @ParameterizedTest
  @CsvSource({
    "CSO-VB, 32, 1, 1",
    "CSO-VB, 128, 1, 2",
    "CSO-FVB, 32, 1, 1",
    "CSO-FVB, 128, 1, 2",
    "CSO-FVB, 512, 1, 8",
    // Every line is written again before it is used again: of two half lines it is the same one.
    "CSO-Random, 32, 1, 1.5",
    "CSO-Random, 128, 1, 4",
    "CSO-Random, 512, 1, 16",
    "AtlasLog, 32, 1.5, 1.5",
    "tornbit, 32, 1, 1",
    "tornbit, 128, 1, 2",
    "tornbit, 512, 1, 8",
    "CRC32C, 32, 1, 1",
    "CRC32C, 128, 1, 2",
    "CRC32C, 512, 1, 8",
    "CRC64, 32, 1, 1",
    "CRC64, 128, 1, 2",
    "CRC64, 512, 1, 8",
    "MD5, 32, 1, 1",
    "MD5, 128, 1, 2",
    "MD5, 512, 1, 8",
    "SHA-1, 32, 1, 1",
    "SHA-1, 128, 1, 2",
    "SHA-1, 512, 1, 8",
    "TwoRounds, 32, 2, 2",
    "TwoRounds, 128, 2, 3",
    "TwoRounds, 512, 2, 9",
  })
  void roundTripsAndLines(String log, int entryBytes, double roundTrips, double lines) {
    assertThat(LogTable.has(log, entryBytes)).isTrue();
    Row row = LogTable.count(log, entryBytes);
    assertThat(row.roundTrips()).as("round trips").isCloseTo(roundTrips, within(1e-9));
    assertThat(row.lines()).as("lines").isCloseTo(lines, within(1e-9));
    assertThat(row.bytes()).as("bytes").isEqualTo(entryBytes);
  }
}
