package io.holdfast.jmh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.abort;

import io.holdfast.core.persistence.PersistentMemory;
import io.holdfast.jmh.MapTable.Row;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The golden table of a queue's operations and of a transaction: more is a regression.
class StoreTableTest {
  @Test
  void aQueue() {
    assumeThatLinesCanBeWrittenBack();
    List<Row> rows = StoreTable.queue();
    check(rows.get(0), 2.07, 3.15);
    check(rows.get(1), 1.03, 1.05);
    check(rows.get(2), 3.10, 4.19);
  }

  @Test
  void aTransactionOverTwoCollections() {
    assumeThatLinesCanBeWrittenBack();
    check(StoreTable.transfers().getFirst(), 15.27, 24.55);
  }

  private static void assumeThatLinesCanBeWrittenBack() {
    try (Scratch scratch = new Scratch()) {
      PersistentMemory.domainOf(Files.createFile(scratch.file("lines")), true);
    } catch (UnsupportedOperationException e) {
      abort(e.getMessage());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Lines differ from run to run: a map draws the key of its hash, and so which stripes and slots
  /// a transaction meets.
  private static void check(Row row, double fences, double lines) {
    assertThat(row.fences()).as("fences").isCloseTo(fences, within(0.03));
    assertThat(row.lines()).as("lines").isCloseTo(lines, within(0.3));
  }
}
