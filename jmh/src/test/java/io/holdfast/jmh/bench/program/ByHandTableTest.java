package io.holdfast.jmh.bench.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.holdfast.jmh.byhand.Way;
import io.holdfast.jmh.count.Counted;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The golden table of sections and hand-written code: more is a regression.
class ByHandTableTest {
  @ParameterizedTest
  @CsvSource({
    "STORES, 64, 3, 6",
    "STORES, 512, 3, 43",
    "STORES, 4096, 10, 323",
    "RANGES, 64, 3, 4",
    "RANGES, 512, 3, 18",
    "RANGES, 4096, 3, 133",
    "BY_HAND, 64, 2, 2",
    "BY_HAND, 512, 2, 9",
    "BY_HAND, 4096, 2, 65",
  })
  void copies(Way way, int bytes, double fences, double lines) {
    check(ByHandTable.copy(way, bytes), fences, lines);
  }

  @ParameterizedTest
  @CsvSource({"STORES, 3, 5", "RANGES, 3, 4", "BY_HAND, 2, 2"})
  void insertions(Way way, double fences, double lines) {
    check(ByHandTable.insert(way), fences, lines);
  }

  private static void check(Counted row, double fences, double lines) {
    assertThat(row.fences()).as("fences of %s", row).isCloseTo(fences, within(0.05));
    assertThat(row.lines()).as("lines of %s", row).isCloseTo(lines, within(0.1));
  }
}
