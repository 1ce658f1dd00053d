package io.holdfast.core.section;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.PersistenceCounts;
import io.holdfast.core.fixture.Words;
import io.holdfast.core.memory.FlushMode;
import io.holdfast.core.memory.RegionFile;
import io.holdfast.core.region.Region;
import io.holdfast.core.section.hooks.SectionHooks;
import io.holdfast.testkit.Baton;
import io.holdfast.testkit.RecordingMemory;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// What sections cost in each mode, counted: a change that makes one of them cost more, or less,
/// changes the table here.
class SectionCountsTest {
  private static final int WORDS_OF_A_LINE = 8;

  /// Lines that share their place in a table of 128.
  private static final int SAME_PLACE = 128 * WORDS_OF_A_LINE;

  private static final List<Object> LOCKS = SectionSteps.locks(3);
  private static final Object OUTER = LOCKS.get(0), INNER = LOCKS.get(1), OTHER = LOCKS.get(2);

  /// Fences, flushes, lines.
  private static final String TABLE =
      """
      |                              | EAGER          | HYBRID         | DELAYED_TO_END | DELAYED_TO_DURABLE | POSTED         |
      | 1 to different lines         | 3, 3, 3        | 3, 3, 3        | 3, 3, 3        | 3, 3, 3            | 3, 3, 3        |
      | 2 to different lines         | 4, 5, 5        | 4, 5, 5        | 4, 5, 5        | 4, 5, 5            | 3, 4, 4        |
      | 8 to different lines         | 10, 17, 17     | 10, 17, 17     | 10, 17, 17     | 10, 17, 17         | 3, 13, 13      |
      | 64 to different lines        | 66, 130, 130   | 66, 130, 130   | 66, 130, 130   | 66, 130, 130       | 3, 98, 98      |
      | 64, the first time           | 66, 134, 1157  | 66, 134, 1157  | 66, 134, 1157  | 66, 134, 1157      | 5, 104, 1127   |
      | 8 to one line                | 10, 17, 17     | 10, 10, 10     | 10, 10, 10     | 10, 10, 10         | 3, 6, 6        |
      | 1 word 32 times              | 3, 34, 34      | 3, 3, 3        | 3, 3, 3        | 3, 3, 3            | 3, 3, 3        |
      | 8 lines 4 times              | 10, 41, 41     | 10, 17, 17     | 10, 17, 17     | 10, 17, 17         | 3, 13, 13      |
      | 4 lines 8 times, one place   | 6, 37, 37      | 6, 37, 37      | 6, 9, 9        | 6, 9, 9            | 3, 7, 7        |
      | nested, 2 stores             | 4, 5, 5        | 4, 5, 5        | 4, 5, 5        | 4, 5, 5            | 4, 5, 5        |
      | one waits, the other settles | 7, 7, 7        | 7, 7, 7        | 7, 7, 7        | 6, 6, 6            | 7, 7, 7        |
      | 3 wait, each stores a line   | 13, 13, 13     | 13, 13, 13     | 13, 13, 13     | 8, 8, 8            | 13, 13, 13     |
      | a cycle of two               | 7, 9, 9        | 7, 9, 9        | 7, 9, 9        | 6, 9, 9            | 7, 9, 9        |
      | nothing stored               | 0, 0, 0        | 0, 0, 0        | 0, 0, 0        | 0, 0, 0            | 0, 0, 0        |
      """;

  private static final String FIRST_TIME = "64, the first time";

  /// Something that is done in a region by threads that take turns.
  private interface Operation {
    void run(Region region, Baton baton);
  }

  private static Map<String, Operation> operations() {
    Map<String, Operation> operations = new LinkedHashMap<>();
    for (int stores : new int[] {1, 2, 8, 64}) {
      operations.put(
          "%d to different lines".formatted(stores), section(stores, 1, WORDS_OF_A_LINE));
    }
    operations.put(FIRST_TIME, section(64, 1, WORDS_OF_A_LINE));
    operations.put("8 to one line", section(8, 1, 1));
    operations.put("1 word 32 times", section(1, 32, 1));
    operations.put("8 lines 4 times", section(8, 4, WORDS_OF_A_LINE));
    operations.put("4 lines 8 times, one place", section(4, 8, SAME_PLACE));
    operations.put("nested, 2 stores", (region, baton) -> baton.run("A", () -> nested(region)));
    operations.put("one waits, the other settles", SectionCountsTest::waiting);
    operations.put("3 wait, each stores a line", SectionCountsTest::threeOfOneThread);
    operations.put("a cycle of two", SectionCountsTest::cycle);
    operations.put("nothing stored", section(0, 1, 1));
    return operations;
  }

  private static Operation section(int words, int times, int stride) {
    return (region, baton) ->
        baton.run(
            "A",
            () ->
                Words.atomically(
                    () -> {
                      for (int time = 0; time < times; time++) {
                        for (int i = 0; i < words; i++) {
                          store(region, i * stride);
                        }
                      }
                    }));
  }

  /// A value that was not there, so that the store is one.
  private static void store(Region region, int word) {
    Words.write(region, word, Words.read(region, word) + 1);
  }

  private static void nested(Region region) {
    SectionHooks.acquired(OUTER);
    SectionHooks.acquired(INNER);
    store(region, 0);
    SectionHooks.releasing(INNER);
    store(region, WORDS_OF_A_LINE);
    SectionHooks.releasing(OUTER);
  }

  private static void openRelease(Region region, int word) {
    SectionHooks.acquired(OUTER);
    SectionHooks.acquired(INNER);
    store(region, word);
    SectionHooks.releasing(INNER);
  }

  private static void dependent(Region region, int word) {
    SectionHooks.acquired(INNER);
    store(region, word);
    SectionHooks.releasing(INNER);
  }

  private static void waiting(Region region, Baton baton) {
    baton.run("A", () -> openRelease(region, 0));
    baton.run("B", () -> dependent(region, WORDS_OF_A_LINE));
    baton.run("A", () -> SectionHooks.releasing(OUTER));
  }

  private static void threeOfOneThread(Region region, Baton baton) {
    baton.run("A", () -> openRelease(region, 0));
    for (int i = 0; i < 3; i++) {
      baton.run("B", () -> dependent(region, WORDS_OF_A_LINE));
    }
    baton.run("A", () -> SectionHooks.releasing(OUTER));
  }

  private static void cycle(Region region, Baton baton) {
    baton.run("A", () -> openRelease(region, 0));
    baton.run(
        "B",
        () -> {
          SectionHooks.acquired(OTHER);
          SectionHooks.acquired(INNER);
          store(region, WORDS_OF_A_LINE);
          SectionHooks.releasing(INNER);
        });
    baton.run(
        "A",
        () -> {
          SectionHooks.acquired(INNER);
          SectionHooks.releasing(INNER);
          SectionHooks.releasing(OUTER);
        });
    baton.run("B", () -> SectionHooks.releasing(OTHER));
  }

  /// Of the second time, unless it is to be the first, in which a log takes a chunk.
  private static PersistenceCounts counts(FlushMode mode, Operation operation, boolean first) {
    RecordingMemory bytes = new RecordingMemory();
    try (Baton baton = new Baton()) {
      Region region = Region.open(mode.over(bytes), RegionFile.INITIAL_BYTES);
      baton.run("A", () -> Words.create(region, 4 * SAME_PLACE));
      if (!first) {
        operation.run(region, baton);
      }
      PersistenceCounts before = bytes.counts();
      operation.run(region, baton);
      PersistenceCounts counts = bytes.counts().since(before);
      region.close();
      return counts;
    }
  }

  private static String shown(PersistenceCounts counts) {
    return "%d, %d, %d".formatted(counts.fences(), counts.flushes(), counts.lines());
  }

  private static String row(String name, Stream<String> cells) {
    int[] widths = {14, 14, 14, 18, 14};
    int[] next = {0};
    return cells
        .map(cell -> (" %-" + widths[next[0]++] + "s |").formatted(cell))
        .collect(Collectors.joining("", "| %-28s |".formatted(name), "\n"));
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
                            .map(
                                mode -> shown(counts(mode, operation, name.equals(FIRST_TIME)))))));
    assertThat(table.toString()).isEqualTo(TABLE);
  }
}
