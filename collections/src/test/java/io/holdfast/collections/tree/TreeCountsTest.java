package io.holdfast.collections.tree;

import static io.holdfast.collections.RawCodec.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.PersistenceCounts;
import io.holdfast.core.memory.FlushMode;
import io.holdfast.testkit.RecordingMemory;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/// What a tree's operations cost where the power may fail, counted: one round trip.
class TreeCountsTest {
  /// Fences, flushes, lines.
  private static final String TABLE =
      """
      insert, words                  1, 1, 1
      insert, the next line          1, 1, 1
      update of a word               1, 1, 1
      update, another length         1, 1, 1
      insert, several lines          1, 1, 4
      update, several lines          1, 1, 4
      remove                         1, 1, 1
      remove, several lines          1, 1, 1
      remove what is not there       0, 0, 0
      get                            0, 0, 0
      """;

  private static Map<String, Consumer<TreeRegion>> operations() {
    Map<String, Consumer<TreeRegion>> operations = new LinkedHashMap<>();
    operations.put("insert, words", tree -> tree.put("keyOne..", "valueOne"));
    operations.put("insert, the next line", tree -> tree.put("keyTwo..", "valueTwo"));
    operations.put("update of a word", tree -> tree.put("keyOne..", "valueTwo"));
    operations.put("update, another length", tree -> tree.put("keyOne..", "some other"));
    operations.put("insert, several lines", tree -> tree.put("several.", text("v", 180)));
    operations.put("update, several lines", tree -> tree.put("several.", text("w", 180)));
    operations.put("remove", tree -> tree.remove("keyOne.."));
    operations.put("remove, several lines", tree -> tree.remove("several."));
    operations.put("remove what is not there", tree -> tree.remove("keyTen.."));
    operations.put("get", tree -> tree.get("keyTwo.."));
    return operations;
  }

  @Test
  void costsWhatTheTableSays() {
    RecordingMemory bytes = new RecordingMemory();
    StringBuilder table = new StringBuilder();
    try (TreeRegion region = TreeRegion.open(FlushMode.POSTED.over(bytes))) {
      region.create().fill(0, 20);
      operations()
          .forEach(
              (name, operation) -> {
                PersistenceCounts before = bytes.counts();
                operation.accept(region);
                PersistenceCounts done = bytes.counts().since(before);
                table.append(
                    "%-30s %d, %d, %d\n"
                        .formatted(name, done.fences(), done.flushes(), done.lines()));
              });
    }
    assertThat(table.toString()).isEqualTo(TABLE);
  }
}
