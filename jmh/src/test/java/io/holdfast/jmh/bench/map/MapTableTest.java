package io.holdfast.jmh.bench.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.holdfast.jmh.count.Counted;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// The golden table: round trips and lines of the map's operations. More of either is a regression,
/// whatever a clock says.
class MapTableTest {
  @Test
  void anOperationTakesOneRoundTrip() {
    Map<String, Counted> rows =
        MapTable.inSlots().stream()
            .collect(Collectors.toMap(Counted::operation, Function.identity()));
    expect(rows.get("update"), 1, 1, 1);
    expect(rows.get("get"), 0, 0, 0);
    expect(rows.get("remove"), 1, 1, 1);
    // A chunk or a segment of the index that is added is a section, and sections have fences.
    Counted insert = rows.get("insert, growth included");
    assertThat(insert.fences()).isBetween(1.0, 1.5);
    // Half of them are updates: two lines of an entry of 116 bytes, and the first one of the last
    // that was replaced.
    expect(rows.get("YCSB A"), 0.5, 1, 1.5);
    expect(rows.get("YCSB B"), 0.05, 0.1, 0.15);
    // One for the batch, and one for each stripe in which the last batch has made slots void.
    assertThat(rows.get("an entry of a batch of 255").fences()).isLessThan(65 / 255.0 + 0.01);
  }

  @Test
  void soDoesOneOnAnEntryInTheIndex() {
    Map<String, Counted> rows =
        MapTable.inTheIndex().stream()
            .collect(Collectors.toMap(Counted::operation, Function.identity()));
    expect(rows.get("in the index: update"), 1, 1, 1);
    expect(rows.get("in the index: remove"), 1, 1, 1);
    expect(rows.get("in the index: insert again"), 1, 1, 1);
    // The splits of segments are sections.
    assertThat(rows.get("in the index: insert, growth included").fences()).isBetween(1.0, 1.3);
    // A section, in which the undo entry of each word is fenced before the word.
    assertThat(rows.get("in the index: an entry of a batch of 255").fences()).isLessThan(1.05);
  }

  private static void expect(Counted row, double fences, double flushes, double lines) {
    assertThat(row.fences()).as("fences").isCloseTo(fences, within(0.02));
    assertThat(row.flushes()).as("flushes").isCloseTo(flushes, within(0.03));
    assertThat(row.lines()).as("lines").isCloseTo(lines, within(0.05));
  }
}
