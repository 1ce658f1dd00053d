package io.holdfast.jmh.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.holdfast.jmh.count.Counted;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The golden table of sections and of the heap: more is a regression.
class SectionTableTest {
  @Test
  void sections() {
    List<Counted> rows = SectionTable.sections();
    check(rows.get(0), 0, 0, 0);
    check(rows.get(1), 3, 3, 128);
    check(rows.get(2), 3, 4, 128);
    check(rows.get(3), 4, 5, 192);
  }

  @Test
  void blocks() {
    List<Counted> rows = SectionTable.heap();
    check(rows.get(0), 1, 1, 0);
    check(rows.get(1), 1, 1, 0);
    check(rows.get(2), 0, 0, 0);
    check(rows.get(3), 3, 3, 128);
  }

  private static void check(Counted row, double fences, double lines, double logBytes) {
    assertThat(row.fences()).as("fences of %s", row).isCloseTo(fences, within(0.05));
    assertThat(row.lines()).as("lines of %s", row).isCloseTo(lines, within(0.1));
    assertThat(row.logBytes()).as("log bytes of %s", row).isCloseTo(logBytes, within(1.0));
  }
}
