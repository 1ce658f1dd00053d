package io.holdfast.jmh.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.holdfast.jmh.count.Counted;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The golden table of a queue's operations and of a transaction: more is a regression.
class StoreTableTest {
  @Test
  void aQueue() {
    List<Counted> rows = StoreTable.queue();
    check(rows.get(0), 2.02, 3.12);
    check(rows.get(1), 1.03, 1.05);
    check(rows.get(2), 3.05, 4.16);
  }

  @Test
  void aTransactionOverTwoCollections() {
    check(StoreTable.transfers().getFirst(), 3.00, 4.00);
  }

  private static void check(Counted row, double fences, double lines) {
    assertThat(row.fences()).as("fences").isCloseTo(fences, within(0.03));
    assertThat(row.lines()).as("lines").isCloseTo(lines, within(0.3));
  }
}
