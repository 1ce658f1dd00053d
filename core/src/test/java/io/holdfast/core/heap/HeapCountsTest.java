package io.holdfast.core.heap;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.PersistenceCounts;
import io.holdfast.core.fixture.Words;
import io.holdfast.core.memory.FlushMode;
import io.holdfast.core.memory.RegionFile;
import io.holdfast.core.region.Region;
import io.holdfast.testkit.RecordingMemory;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// What blocks cost in each mode in which data can be flushed, counted: a section each.
class HeapCountsTest {
  /// Fences, flushes, lines.
  private static final String TABLE =
      """
      |                        | EAGER              | HYBRID             | DELAYED_TO_END     | DELAYED_TO_DURABLE | POSTED             |
      | allocate               | 1, 1, 1            | 1, 1, 1            | 1, 1, 1            | 1, 1, 1            | 1, 1, 1            |
      | free                   | 1, 1, 1            | 1, 1, 1            | 1, 1, 1            | 1, 1, 1            | 1, 1, 1            |
      | allocate 1 MiB, grow   | 3, 3, 3            | 3, 3, 3            | 3, 3, 3            | 3, 3, 3            | 3, 3, 3            |
      | free 1 MiB             | 1, 1, 1            | 1, 1, 1            | 1, 1, 1            | 1, 1, 1            | 1, 1, 1            |
      | allocate, free it      | 0, 0, 0            | 0, 0, 0            | 0, 0, 0            | 0, 0, 0            | 0, 0, 0            |
      | allocate, free another | 3, 4, 4            | 3, 3, 3            | 3, 3, 3            | 3, 3, 3            | 3, 3, 3            |
      | allocate, publish      | 3, 4, 4            | 3, 4, 4            | 3, 4, 4            | 3, 4, 4            | 3, 4, 4            |
      | fill, publish          | 3, 5, 5            | 3, 5, 5            | 3, 5, 5            | 3, 5, 5            | 3, 5, 5            |
      | allocate 8, publish    | 10, 25, 25         | 10, 11, 11         | 10, 11, 11         | 10, 11, 11         | 3, 11, 11          |
      | free 8                 | 3, 13, 13          | 3, 6, 6            | 3, 6, 6            | 3, 6, 6            | 3, 6, 6            |
      """;

  private interface Operation {
    void run(Region region, long[] blocks);
  }

  private static Map<String, Operation> operations() {
    Map<String, Operation> operations = new LinkedHashMap<>();
    operations.put("allocate", (region, blocks) -> region.heap().allocate(64));
    operations.put("free", (region, blocks) -> region.heap().free(blocks[0]));
    operations.put("allocate 1 MiB, grow", (region, blocks) -> region.heap().allocate(1 << 20));
    operations.put("free 1 MiB", (region, blocks) -> region.heap().free(blocks[9]));
    operations.put(
        "allocate, free it", (region, blocks) -> region.heap().free(region.heap().allocate(64)));
    operations.put(
        "allocate, free another",
        (region, blocks) -> {
          region.heap().allocate(64);
          region.heap().free(blocks[0]);
        });
    operations.put(
        "allocate, publish",
        (region, blocks) -> Words.write(region, 0, region.heap().allocate(64)));
    operations.put(
        "fill, publish",
        (region, blocks) -> {
          long block = region.heap().allocate(64);
          region.memory().writePlain(block, 1);
          Words.write(region, 0, block);
        });
    operations.put(
        "allocate 8, publish",
        (region, blocks) -> {
          for (int i = 0; i < 8; i++) {
            Words.write(region, i, region.heap().allocate(64));
          }
        });
    operations.put(
        "free 8",
        (region, blocks) -> {
          for (int i = 0; i < 8; i++) {
            region.heap().free(blocks[i]);
          }
        });
    return operations;
  }

  private static PersistenceCounts counts(FlushMode mode, Operation operation) {
    RecordingMemory bytes = new RecordingMemory();
    try (Region region = Region.open(mode.over(bytes), RegionFile.INITIAL_BYTES)) {
      Words.create(region, 64);
      long[] blocks = new long[10];
      Words.atomically(
          () -> {
            for (int i = 0; i < 9; i++) {
              blocks[i] = region.heap().allocate(64);
            }
          });
      Words.atomically(() -> blocks[9] = region.heap().allocate(1 << 20));
      Words.atomically(() -> region.heap().free(blocks[8]));
      PersistenceCounts before = bytes.counts();
      Words.atomically(() -> operation.run(region, blocks));
      return bytes.counts().since(before);
    }
  }

  private static String shown(PersistenceCounts counts) {
    return "%d, %d, %d".formatted(counts.fences(), counts.flushes(), counts.lines());
  }

  private static String row(String name, Stream<String> cells) {
    return cells
        .map(" %-18s |"::formatted)
        .collect(Collectors.joining("", "| %-22s |".formatted(name), "\n"));
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
