package io.holdfast.collections.map;

import static io.holdfast.collections.RawCodec.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.Durability;
import io.holdfast.core.PersistenceCounts;
import io.holdfast.core.memory.FlushMode;
import io.holdfast.testkit.Bounds;
import io.holdfast.testkit.CrashExplorer;
import io.holdfast.testkit.RecordingMemory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/// Batches: all or nothing, and still so when some of their entries have been replaced.
@ParameterizedClass
@EnumSource(Durability.class)
class MapBatchCrashTest {
  private static final Map<String, String> BATCH =
      new TreeMap<>(
          Map.of(
              "keyOne..", "b1", "keyTwo..", text("b2", 150), "keyFour.", "b4", "keyFive.", "b5"));

  @Parameter Durability durability;

  private CrashExplorer<MapRegion> explorer(String name) {
    return MapCrashes.explorer(name, durability)
        .bounds(new Bounds(8, 10, 8, 60))
        .crashesOfRecovery(durability == Durability.PROCESS_CRASH ? 1 : 0)
        .given(MapBatchCrashTest::prepare);
  }

  private static void prepare(MapRegion store) {
    store.create(1); // two stripes
    for (int i = 0; i < 4; i++) {
      for (String key : BATCH.keySet()) {
        store.put(key, "former" + i);
        store.put(key, text("former" + i, 150));
      }
      store.put("other..." + i, "o");
    }
    store.remove("keyFour.");
  }

  @Test
  void batch1AllOrNothing() {
    explorer("batch")
        .step("batch", store -> store.putAll(BATCH))
        .step("put", store -> store.put("other", "x"))
        .explore();
  }

  /// A batch has one version for all stripes, above those of each. Up to five puts beforehand make
  /// the two stripes differ by even and by odd numbers.
  @Test
  void map5TheCountBeforeABatchIsKept() {
    for (int more = 0; more < 6; more++) {
      int puts = more;
      MapCrashes.explorer("batch, a stripe ahead by " + more, durability)
          .bounds(new Bounds(8, 10, 8, 60))
          .crashesOfRecovery(0)
          .given(
              store -> {
                store.create(1);
                BATCH.keySet().forEach(key -> store.put("former " + key, "f"));
                for (int i = 0; i < puts; i++) {
                  store.put("former " + i, "ahead");
                }
              })
          .step("batch", store -> store.putAll(BATCH))
          .explore();
    }
  }

  /// Within a step stores of the second batch may move above the end of the first.
  @Test
  void batch3BatchesDoNotMingle() {
    Map<String, String> second = Map.of("keyOne..", "c1", "keyTen..", "c2");
    List<Map<String, String>> states = new ArrayList<>();
    explorer("two batches in a step")
        .given(
            store -> {
              states.clear();
              states.add(store.state());
              for (Map<String, String> batch : List.of(BATCH, second)) {
                Map<String, String> state = new TreeMap<>(states.getLast());
                batch.forEach((key, value) -> state.put(key, MapRegion.shown(value)));
                states.add(state);
              }
            })
        .withoutModel()
        .check((store, point) -> assertThat(store.state()).isIn(states))
        .step(
            "both",
            store -> {
              store.putAll(BATCH);
              store.putAll(second);
            })
        .explore();
  }

  @Test
  void batch2EntriesReplaced() {
    explorer("batch, replaced")
        .step("batch", store -> store.putAll(BATCH))
        .step("update", store -> store.put("keyOne..", "u1"))
        .step("remove", store -> store.remove("keyTwo.."))
        .step("update", store -> store.put("keyFour.", "u4"))
        .explore();
    explorer("batch, an entry removed that replaced none")
        .step("batch", store -> store.putAll(BATCH))
        .step("remove", store -> store.remove("keyFour."))
        .explore();
    explorer("batch, removed")
        .step("batch", store -> store.putAll(BATCH))
        .step("remove", store -> store.remove("keyTwo.."))
        .step("update", store -> store.put("keyTwo..", "u2"))
        .step(
            "another batch",
            store -> store.putAll(new TreeMap<>(Map.of("keyOne..", "c1", "keyTen..", "c2"))))
        .explore();
  }

  /// A batch takes slots that the last one has made invalid. If that were not durable, the former
  /// entry could count with a mixture of both keys.
  @Test
  void map2SlotsOfTheLastBatch() {
    MapCrashes.explorer("batch behind a batch", durability)
        .bounds(new Bounds(8, 12, 8, 60))
        .thoroughInBothForms()
        .crashesOfRecovery(0)
        .given(
            store -> {
              store.create();
              for (int i = 0; i < 11; i++) {
                store.put("other" + i, text("o", 130));
              }
              for (int i = 0; i < 8; i++) {
                store.remove("other" + i);
              }
              store.putAll(longBatch("a"));
            })
        .step("batch", store -> store.putAll(longBatch("b")))
        .step("another", store -> store.putAll(longBatch("c")))
        .step("a third", store -> store.putAll(longBatch("d")))
        .explore();
  }

  /// The same for the slots that a single put takes.
  @Test
  void map2ASlotOfTheLastBatch() {
    MapCrashes.explorer("put behind a batch", durability)
        .bounds(new Bounds(8, 12, 8, 60))
        .thoroughInBothForms()
        .crashesOfRecovery(0)
        .given(
            store -> {
              store.create();
              store.putAll(longBatch("a"));
            })
        .step("batch", store -> store.putAll(longBatch("b")))
        .step("put", store -> store.put(text("other", 120), "c"))
        .explore();
  }

  /// What the operation before the batch has made invalid is durable after the batch, or a later
  /// removal would let it revive.
  @Test
  void map2VoidedBeforeTheBatch() {
    explorer("update, batch, remove")
        .given(store -> store.put("other", text("1", 150)))
        .step("update", store -> store.put("other", text("2", 150)))
        .step("batch", store -> store.putAll(BATCH))
        .step("remove", store -> store.remove("other"))
        .explore();
  }

  /// A batch that counts, of which two threads had replaced an entry in each stripe when the power
  /// failed, and these are still whole; and it fails again while they are made invalid, or after
  /// it.
  @Test
  void batch2ReplacedBeforeARebuild() {
    if (durability == Durability.PROCESS_CRASH) {
      return; // nothing is rebuilt
    }
    explorer("batch, replaced, rebuild")
        .bounds(new Bounds(4, 100, 4, 30)) // each line alone: most are of the index
        .given(
            store -> {
              store.putAll(BATCH);
              store.over(
                  () -> {
                    store.put("keyOne..", "u1");
                    store.put("keyTwo..", "u2");
                  });
              store.loseDone();
            })
        .step("rebuild", MapRegion::openAgain)
        .step("remove", store -> store.remove("keyOne.."))
        .step("remove", store -> store.remove("keyTwo.."))
        .explore();
  }

  /// A batch that the loss of power has cut off, and the power fails again while it is dropped.
  @Test
  void batch1DroppedByARebuild() {
    if (durability == Durability.PROCESS_CRASH) {
      return; // nothing is rebuilt
    }
    List<Map<String, String>> before = new ArrayList<>();
    explorer("batch, cut off, rebuild")
        .given(
            store -> {
              before.add(store.state());
              store.over(() -> store.putAll(BATCH));
              store.loseOneOfTheBatch();
              store.loseDone();
            })
        .withoutModel()
        .check((store, point) -> assertThat(store.state()).isEqualTo(before.getFirst()))
        .step("rebuild", MapRegion::openAgain)
        .explore();
  }

  /// The newest chunk has slots left, but fewer than the batch takes: they go into the free list
  /// behind what is there, before there is a newer chunk.
  @Test
  void aBatchMakesRoomFirst() {
    MapCrashes.explorer("batch that makes room", durability)
        .bounds(new Bounds(8, 10, 8, 60))
        .crashesOfRecovery(durability == Durability.PROCESS_CRASH ? 1 : 0)
        .given(
            store -> {
              store.create();
              for (int i = 0; i < 8; i++) {
                store.put("other" + i, text("o", 130));
              }
              store.remove("other3");
              store.remove("other4");
            })
        .step("batch", store -> store.putAll(longBatch("a")))
        .step("removal", store -> store.remove("other5"))
        .step("another", store -> store.putAll(longBatch("b")))
        .explore();
    MapCrashes.explorer("batch into an empty map", durability)
        .bounds(new Bounds(8, 10, 8, 60))
        .crashesOfRecovery(0)
        .given(store -> store.create(1))
        .step("batch", store -> store.putAll(BATCH))
        .step("another", store -> store.putAll(BATCH))
        .explore();
  }

  private static Map<String, String> longBatch(String value) {
    Map<String, String> batch = new TreeMap<>();
    for (int i = 0; i < 4; i++) {
      batch.put(text("key" + i, 120), value);
    }
    return batch;
  }

  @Test
  void oneRoundTrip() {
    RecordingMemory bytes = new RecordingMemory();
    try (MapRegion store = MapRegion.open(FlushMode.POSTED.over(bytes), 1)) {
      prepare(store);
      PersistenceCounts before = bytes.counts();
      store.putAll(BATCH);
      assertThat(bytes.counts().since(before).fences()).isEqualTo(1);
    }
  }
}
