package io.holdfast.jmh.bench.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.holdfast.jmh.atlas.MicroProgram;
import io.holdfast.jmh.bench.program.ClobberTable.Row;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The golden table of strategies: entries of a section, whatever a clock says.
class ClobberTableTest {
  /// Of Atlas's programs some have two threads, which meet as they come.
  @ParameterizedTest
  @CsvSource({
    "TPC-C, 10.92, 75.55, 31.81, 31.81, 31.81, 0.02",
    "TPC-C in tables, 15.80, 4479.67, 120.71, 101.20, 110.84, 0.02",
    "TATP, 1.00, 2.00, 2.00, 1.00, 2.00, 0.02",
    "Queue, 1.46, 36.06, 2.05, 1.52, 2.00, 0.02",
    "Hash, 1.00, 36.97, 1.00, 1.00, 2.00, 0.02",
    "SDG, 1.38, 73.50, 2.00, 2.00, 3.00, 0.02",
    "SPS, 2.00, 128.00, 128.00, 128.00, 65.00, 0.02",
    "BTree, 1.04, 25.59, 24.01, 22.12, 9.53, 0.02",
    "RBTree, 2.72, 43.18, 4.32, 4.32, 6.27, 0.02",
    "arrayStores, 1.00, 1.00, 1.00, 1.00, 2.00, 0.02",
    "linkedList, 1.00, 4.00, 2.00, 2.00, 3.00, 0.02",
    "queue, 1.50, 2.50, 1.50, 1.00, 2.00, 0.3",
    "cowArrayList, 1.00, 1005.65, 2.00, 2.00, 2.00, 2",
    "dedup, 1.24, 8.07, 2.00, 2.00, 3.00, 0.02",
    "memcached5, 5.00, 6.99, 6.03, 3.05, 2.07, 0.02",
    "memcached50, 5.08, 15.09, 6.32, 3.50, 2.61, 0.02",
    "memcached95, 5.17, 20.46, 6.53, 3.83, 2.96, 0.02",
    "mdb, 1.00, 86.16, 1.00, 1.00, 3.28, 0.02",
    "alarmClock, 1.47, 4.00, 2.50, 2.00, 2.50, 0.3",
  })
  void programs(
      String name,
      double objectUndo,
      double logAll,
      double wordUndo,
      double clobber,
      double ido,
      double spread) {
    Row row = ClobberTable.count(ClobberTable.programs().get(name));
    check(row, spread, objectUndo, logAll, wordUndo, clobber, ido);
    assertThat(row.of(Strategy.ATLAS).entries())
        .as("and two for the lock")
        .isCloseTo(wordUndo + 2, within(spread));
  }

  @Test
  void operationsOfCollections() {
    Map<String, Row> rows = ClobberTable.operations();
    // A section of a single change needs no log (ALONE-1).
    check(rows.get("map: update"), 0.05, 0, 1.01, 0, 0, 2);
    check(rows.get("map: insert"), 0.05, 0, 5, 0, 0, 3);
    check(rows.get("map: update of a text"), 0.05, 0, 25.65, 0, 0, 2);
    check(rows.get("map: two merges"), 0.05, 2, 2, 2, 2, 3);
    check(rows.get("tree: update"), 0.05, 1, 1, 1, 1, 2);
    check(rows.get("tree: insert"), 0.05, 0.02, 15.87, 0.02, 0.02, 4.97);
    check(rows.get("queue: offer and poll"), 0.05, 2.01, 4.06, 2.01, 0, 1.01);
    check(rows.get("transfer over map, tree and queue"), 0.05, 3.02, 5.05, 3.01, 2, 3);
  }

  private static void check(Row row, double spread, double... entries) {
    List<Strategy> strategies =
        List.of(
            Strategy.OBJECT_UNDO,
            Strategy.LOG_ALL,
            Strategy.WORD_UNDO,
            Strategy.CLOBBER,
            Strategy.IDO);
    for (int i = 0; i < entries.length; i++) {
      assertThat(row.of(strategies.get(i)).entries())
          .as(strategies.get(i).title)
          .isCloseTo(entries[i], within(spread));
    }
  }

  /// What is really executed has the fences that are counted, and those of allocations.
  @ParameterizedTest
  @CsvSource({
    "TPCC, 33.82, 33.82",
    "TPCC_TABLES, 143.70, 125.93",
    "TATP, 4.00, 3.00",
    "QUEUE, 4.53, 4.46",
    "HASH, 3.45, 3.45",
    "SDG, 4.45, 4.46",
    "SPS, 128.70, 128.70",
    "BTREE, 26.29, 25.25",
    "RBTREE, 6.86, 6.86",
  })
  void fencesOfWhatIsExecuted(MicroProgram program, double undone, double executedAgain) {
    assertThat(ClobberTable.executed(program))
        .containsExactly(new double[] {undone, executedAgain}, within(0.03));
  }
}
