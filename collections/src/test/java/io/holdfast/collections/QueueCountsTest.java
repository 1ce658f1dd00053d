package io.holdfast.collections;

import static io.holdfast.collections.QueueRegion.atomically;
import static io.holdfast.collections.QueueRegion.elementsLeaving;
import static io.holdfast.collections.RawCodec.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.collections.queue.QueueBlocks;
import io.holdfast.core.PersistenceCounts;
import io.holdfast.core.memory.FlushMode;
import io.holdfast.testkit.RecordingMemory;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// What a queue's operations cost in each mode in which data can be flushed, counted.
class QueueCountsTest {
  /// Fences, flushes, lines.
  private static final String TABLE =
      """
      |                         | EAGER              | HYBRID             | DELAYED_TO_END     | DELAYED_TO_DURABLE | POSTED             |
      | add, a line             | 2, 2, 2            | 2, 2, 2            | 2, 2, 2            | 2, 2, 2            | 2, 2, 2            |
      | add, two lines          | 2, 3, 3            | 2, 3, 3            | 2, 3, 3            | 2, 3, 3            | 2, 3, 3            |
      | add, next block         | 6, 15, 15          | 6, 15, 15          | 6, 15, 15          | 6, 15, 15          | 3, 13, 13          |
      | add, a block of its own | 6, 38, 38          | 6, 38, 38          | 6, 38, 38          | 6, 38, 38          | 5, 38, 38          |
      | poll                    | 1, 1, 1            | 1, 1, 1            | 1, 1, 1            | 1, 1, 1            | 1, 1, 1            |
      | add twice in a section  | 4, 9, 9            | 4, 9, 9            | 4, 9, 9            | 4, 9, 9            | 3, 7, 7            |
      | poll and add in one     | 4, 7, 7            | 4, 7, 7            | 4, 7, 7            | 4, 7, 7            | 3, 6, 6            |
      """;

  /// On a queue whose first block has three lines left.
  private static Map<String, Consumer<PersistentQueue<String>>> operations() {
    Map<String, Consumer<PersistentQueue<String>>> operations = new LinkedHashMap<>();
    operations.put("add, a line", queue -> queue.add("x"));
    operations.put("add, two lines", queue -> queue.add(text("two", 100)));
    operations.put("add, next block", queue -> queue.add(text("four", 200)));
    operations.put(
        "add, a block of its own", queue -> queue.add(text("o", QueueBlocks.MAX_INLINE_BYTES + 1)));
    operations.put("poll", PersistentQueue::remove);
    operations.put(
        "add twice in a section",
        queue ->
            atomically(
                () -> {
                  queue.add("x");
                  queue.add("y");
                }));
    operations.put("poll and add in one", queue -> atomically(() -> queue.add(queue.remove())));
    return operations;
  }

  private static PersistenceCounts counts(
      FlushMode mode, Consumer<PersistentQueue<String>> operation) {
    RecordingMemory bytes = new RecordingMemory();
    try (QueueRegion region = QueueRegion.open(mode.over(bytes))) {
      PersistentQueue<String> queue = region.createUsed("q");
      queue.add("first");
      queue.addAll(List.of(elementsLeaving(4)));
      PersistenceCounts before = bytes.counts();
      operation.accept(queue);
      return bytes.counts().since(before);
    }
  }

  private static String shown(PersistenceCounts counts) {
    return "%d, %d, %d".formatted(counts.fences(), counts.flushes(), counts.lines());
  }

  private static String row(String name, Stream<String> cells) {
    return cells
        .map(" %-18s |"::formatted)
        .collect(Collectors.joining("", "| %-23s |".formatted(name), "\n"));
  }

  @Test
  void costsWhatTheTableSays() {
    StringBuilder table = new StringBuilder();
    table.append(row("", Stream.of(FlushMode.values()).map(FlushMode::toString)));
    operations()
        .forEach(
            (name, operation) ->
                table.append(
                    row(
                        name,
                        Stream.of(FlushMode.values())
                            .map(mode -> shown(counts(mode, operation))))));
    assertThat(table.toString()).isEqualTo(TABLE);
  }
}
