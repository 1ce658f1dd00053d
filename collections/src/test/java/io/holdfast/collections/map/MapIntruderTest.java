package io.holdfast.collections.map;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.codec.Encoded;
import io.holdfast.core.fixture.HookedMemory;
import io.holdfast.core.fixture.Intruder;
import io.holdfast.core.fixture.QuietRecoveries;
import io.holdfast.testkit.RecordingMemory;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// Two threads, in one stripe as a rule, one of them in the middle of what the other does: for what
/// a stripe's lock is, that of batches, and that of what was cleared.
@ExtendWith(QuietRecoveries.class)
class MapIntruderTest {
  private static final String LONG = "some lines ".repeat(20);

  /// On a map with some entries, of which all is checked after them.
  private static Intruder<MapRegion> intruder() {
    return intruder(0);
  }

  private static Intruder<MapRegion> intruder(int shape) {
    return new Intruder<>(
        memory -> {
          MapRegion store = MapRegion.open(memory, 1).create(shape);
          for (int i = 0; i < 6; i++) {
            store.put("key" + i, "value " + i);
          }
          return store;
        },
        store -> {
          store.check();
          return store.all();
        });
  }

  private static Function<MapRegion, Object> put(String key, String value) {
    return store -> store.put(key, value);
  }

  private static Function<MapRegion, Object> remove(String key) {
    return store -> store.remove(key);
  }

  private static Function<MapRegion, Object> clear() {
    return store -> {
      store.map().clear();
      return "cleared";
    };
  }

  private static Function<MapRegion, Object> batch(String... keys) {
    return store -> {
      Map<String, String> entries = new LinkedHashMap<>();
      for (String key : keys) {
        entries.put(key, "of " + keys[0]);
      }
      store.putAll(entries);
      return "put";
    };
  }

  private static Function<MapRegion, Object> count() {
    return store ->
        MapRegion.text(
            store
                .map()
                .compute(
                    MapRegion.encoded("counter"),
                    before -> MapRegion.encoded(before == null ? "1" : text(before) + "1")));
  }

  private static String text(Encoded encoded) {
    return MapRegion.text(encoded);
  }

  @Test
  void puts() throws Exception {
    assertThat(intruder().inAnyOrder(put("one", "1"), put("two", LONG))).isGreaterThan(20);
    intruder().inAnyOrder(put("key1", LONG), put("key1", "other"));
    intruder().inAnyOrder(put("key1", "other"), remove("key1"));
  }

  @Test
  void removals() throws Exception {
    intruder().inAnyOrder(remove("key1"), remove("key2"));
    intruder().inAnyOrder(remove("key1"), put("one", "1"));
  }

  @Test
  void counting() throws Exception {
    intruder().inAnyOrder(count(), count());
  }

  @Test
  void batches() throws Exception {
    intruder().inAnyOrder(batch("one", "two"), put("one", "1"));
    intruder().inAnyOrder(batch("one", "two", "key1"), batch("two", "three"));
    intruder().inAnyOrder(put("one", "1"), batch("one", "two"));
  }

  /// Of two stripes, in both of which others put.
  @Test
  void batchesOfSeveralStripes() throws Exception {
    for (String key : List.of("one", "key0", "key1", "key2", "key3")) {
      intruder(1).inAnyOrder(batch("one", "key0", "key1", "key2", "key3"), put(key, LONG));
    }
  }

  /// BATCH-3: the root has one list of slots, also for batches that have no stripe in common. While
  /// one of them is under way another comes, and then the process dies.
  @Test
  void batch3BatchesOfDifferentStripes() throws InterruptedException {
    int deaths = 1;
    for (int met = 0; deaths > 0; met++) {
      deaths = dieAmidABatch(met);
    }
  }

  /// @param met the store of a batch before which another one comes
  /// @return how many stores there are from that one on: before each of them the process dies
  private static int dieAmidABatch(int met) throws InterruptedException {
    RecordingMemory bytes = new RecordingMemory();
    HookedMemory memory = new HookedMemory(bytes);
    try (MapRegion store = MapRegion.open(memory, 1).create(1)) {
      store.put("key0", "0"); // of the one stripe
      store.put("key1", "1"); // of the other
      Map<String, String> one = Map.of("two", "1", "three", "1");
      Map<String, String> another = Map.of("four", "2", "five", "2");
      Map<String, String> before = store.all();
      Thread own = Thread.currentThread();
      Thread intruder = Thread.ofPlatform().daemon().unstarted(() -> store.putAll(another));
      List<RecordingMemory> left = new ArrayList<>();
      int[] stores = new int[1];
      memory.beforeEachStore(
          () -> {
            if (Thread.currentThread().equals(own) && stores[0]++ >= met) {
              if (left.isEmpty()) {
                intruder.start();
                Intruder.awaitEndOrWait(intruder);
                before.putAll(intruder.isAlive() ? Map.of() : another);
              }
              left.add(bytes.copy());
            }
          });
      store.putAll(one);
      memory.beforeEachStore(() -> {});
      intruder.join();
      Map<String, String> after = new TreeMap<>(before);
      after.putAll(one);
      for (RecordingMemory each : left) {
        try (MapRegion next = MapRegion.open(each, 1)) {
          assertThat(next.all()).as("the other one came before store %d", met).isIn(before, after);
          next.check();
        }
      }
      return left.size();
    }
  }

  /// What was cleared is freed some blocks at a time, which others do as well that clear. A block
  /// that is freed twice is used twice by what is put then.
  @Test
  void clearings() throws Exception {
    intruder().inAnyOrder(clear(), put("one", "1"));
    Intruder<MapRegion> full =
        new Intruder<>(
            memory -> fill(MapRegion.open(memory, 1).create(), "full"),
            store -> {
              store.checkBlocks();
              fill(store, "again");
              store.check();
              return store.all();
            });
    full.inAnyOrder(clear(), clear());
  }

  private static MapRegion fill(MapRegion store, String with) {
    for (int i = 0; i < 60; i++) {
      store.put("key" + i, with + (i % 20 == 0 ? "~".repeat(5_000) : LONG));
    }
    return store;
  }
}
