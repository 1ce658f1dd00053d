package io.holdfast.collections.map;

import static io.holdfast.collections.RawCodec.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.PersistenceCounts;
import io.holdfast.core.memory.FlushMode;
import io.holdfast.testkit.RecordingMemory;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/// What a map's operations cost where the power may fail, counted: one round trip.
class MapCountsTest {
  /// Fences, flushes, lines.
  private static final String TABLE =
      """
      insert, a line                 1, 1, 1
      insert, the next               1, 1, 1
      update                         1, 1, 1
      update behind an update        1, 1, 1
      update, several lines          1, 1, 8
      update to another class        1, 2, 3
      remove                         1, 1, 1
      remove behind its update       2, 3, 3
      remove, several lines          1, 1, 1
      remove what is not there       0, 0, 0
      get                            0, 0, 0
      insert, the longest            1, 1, 510
      """;

  private static Map<String, Consumer<MapRegion>> operations() {
    Map<String, Consumer<MapRegion>> operations = new LinkedHashMap<>();
    operations.put("insert, a line", map -> map.put("keyOne..", "valueOne"));
    operations.put("insert, the next", map -> map.put("keyTwo..", "valueTwo"));
    operations.put("update", map -> map.put("keyOne..", "valueTwo"));
    operations.put("update behind an update", map -> map.put("keyTwo..", "valueOne"));
    operations.put("update, several lines", map -> map.put("several.", text("new", 450)));
    operations.put("update to another class", map -> map.put("keyTwo..", text("new", 80)));
    operations.put("remove", map -> map.remove("another."));
    operations.put(
        "remove behind its update",
        map -> {
          map.put("keyOne..", "1");
        });
    operations.put("remove, several lines", map -> map.remove("several."));
    operations.put("remove what is not there", map -> map.remove("keyTen.."));
    operations.put("get", map -> map.get("keyTwo.."));
    operations.put(
        "insert, the longest",
        map -> map.put("longest.", text("l", MapRegion.PAYLOAD_MAX - "longest.".length())));
    return operations;
  }

  @Test
  void costsWhatTheTableSays() {
    RecordingMemory bytes = new RecordingMemory();
    StringBuilder table = new StringBuilder();
    try (MapRegion region = MapRegion.open(FlushMode.POSTED.over(bytes), 1)) {
      region.create();
      prepare(region);
      operations()
          .forEach(
              (name, operation) -> {
                if (name.equals("remove behind its update")) {
                  region.put("keyTwo..", "1");
                  region.put("keyTwo..", "2");
                }
                PersistenceCounts before = bytes.counts();
                if (name.equals("remove behind its update")) {
                  region.remove("keyTwo..");
                } else {
                  operation.accept(region);
                }
                PersistenceCounts done = bytes.counts().since(before);
                table.append(
                    "%-30s %d, %d, %d\n"
                        .formatted(name, done.fences(), done.flushes(), done.lines()));
                if (name.equals("remove behind its update")) {
                  region.put("keyTwo..", "1");
                }
              });
    }
    assertThat(table.toString()).isEqualTo(TABLE);
  }

  /// There are free slots enough, but what the last batch has made invalid, in four stripes, must
  /// be durably so: one fence for all of them, and one for the batch.
  @Test
  void aBatchBehindABatchTakesTwoFences() {
    RecordingMemory bytes = new RecordingMemory();
    try (MapRegion region = MapRegion.open(FlushMode.POSTED.over(bytes), 1)) {
      region.create(2);
      for (int i = 0; i < 300; i++) {
        region.put("other" + i, text("o", 100));
      }
      for (int i = 0; i < 300; i++) {
        region.remove("other" + i);
      }
      Map<String, String> batch = new TreeMap<>();
      for (int i = 0; i < 60; i++) {
        batch.put("key" + i, text("v", 100));
      }
      region.putAll(batch);
      region.putAll(batch);
      PersistenceCounts before = bytes.counts();
      region.putAll(batch);
      assertThat(bytes.counts().since(before).fences()).isEqualTo(2);
    }
  }

  /// The first batch makes room ahead, the second as well; after that nothing is a section.
  @Test
  void aMapThatIsOnlyUpdatedInBatchesTakesTwoFencesABatch() {
    RecordingMemory bytes = new RecordingMemory();
    try (MapRegion region = MapRegion.open(FlushMode.POSTED.over(bytes), 1)) {
      region.create(2);
      Map<String, String> batch = new TreeMap<>();
      for (int i = 0; i < 100; i++) {
        batch.put("key" + i, text("v", 100));
      }
      region.putAll(batch);
      region.putAll(batch);
      for (int i = 0; i < 5; i++) {
        PersistenceCounts before = bytes.counts();
        region.putAll(batch);
        assertThat(bytes.counts().since(before).fences()).isEqualTo(2);
      }
    }
  }

  /// Chunks for all sizes, and slots that are free.
  private static void prepare(MapRegion region) {
    int[] lengths = {1, 80, 450, MapRegion.PAYLOAD_MAX - 16};
    for (int length : lengths) {
      region.put("prepared", text("p", length));
    }
    region.remove("prepared");
    region.put("several.", text("s", 450));
    region.put("another.", "x");
  }
}
