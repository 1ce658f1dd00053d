package io.holdfast.collections.map;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.collections.map.EntryMap.Entry;
import io.holdfast.collections.map.EntryMap.Place;
import io.holdfast.core.explorer.HookedMemory;
import io.holdfast.core.explorer.Intruder;
import io.holdfast.core.explorer.RecordingMemory;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/// Two threads in one stripe, one of them in the middle of what the other does: for what a stripe's
/// lock is, that of batches, and that of what was cleared.
class MapIntruderTest {
  private static final String LONG = "some lines ".repeat(20);

  /// On a map with some entries, of which all is checked behind them.
  private static Intruder<MapRegion> intruder() {
    return new Intruder<>(
        memory -> {
          MapRegion store = MapRegion.open(memory, 1).create();
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

  /// BATCH-3: a batch that a killed process was in the middle of is there all or not at all, and so
  /// is another thread's in another stripe; what has returned is there.
  @Test
  void batch3OfTwoThreads() throws Exception {
    List<List<String>> keys = keysByStripe();
    List<String> own = keys.get(0);
    List<String> others = keys.get(1);
    for (int store = 0; killedBehind(store, own, others); store++) {
      // The next one.
    }
  }

  /// @return whether there was such a store
  private static boolean killedBehind(int intruded, List<String> own, List<String> others)
      throws Exception {
    RecordingMemory bytes = new RecordingMemory();
    HookedMemory memory = new HookedMemory(bytes);
    try (MapRegion store = MapRegion.open(memory, 1).create(1)) {
      store.put(own.getFirst(), "before");
      store.put(others.getFirst(), "before");
      Thread first = Thread.currentThread();
      Thread intruder =
          Thread.ofPlatform()
              .daemon()
              .unstarted(() -> batch(others.toArray(String[]::new)).apply(store));
      int[] stores = {0};
      Consumer<RecordingMemory> killed =
          image -> {
            try (MapRegion again = MapRegion.open(image, 1)) {
              Map<String, String> found = again.all();
              checkAllOrNone(found, own, stores[0] + " of its own");
              checkAllOrNone(found, others, stores[0] + " of the other's");
              if (stores[0] > intruded && !intruder.isAlive()) {
                assertThat(found).containsKeys(others.toArray(String[]::new));
              }
            }
          };
      memory.beforeEachStore(
          () -> {
            if (Thread.currentThread().equals(first)) {
              if (stores[0]++ == intruded) {
                intruder.start();
                Intruder.awaitEndOrWait(intruder);
              }
              Intruder.outside(() -> killed.accept(bytes.copy()));
            }
          });
      batch(own.toArray(String[]::new)).apply(store);
      memory.beforeEachStore(() -> {});
      boolean met = stores[0] > intruded;
      if (met) {
        intruder.join();
        killed.accept(bytes.copy());
      }
      return met;
    }
  }

  private static void checkAllOrNone(Map<String, String> found, List<String> batch, String when) {
    long there =
        batch.stream()
            .filter(key -> !"before".equals(found.get(key)) && found.containsKey(key))
            .count();
    assertThat(there).as("entries of %s, store %s", batch, when).isIn(0L, (long) batch.size());
  }

  /// Three keys for each of two stripes.
  private static List<List<String>> keysByStripe() {
    List<List<String>> keys = List.of(new ArrayList<>(), new ArrayList<>());
    try (MapRegion store = MapRegion.open(new RecordingMemory(), 1).create(1)) {
      assertThat(store.map().stripes()).isEqualTo(2);
      for (int i = 0; i < 20; i++) {
        store.put("batch" + i, "x");
      }
      for (int stripe = 0; stripe < 2; stripe++) {
        List<Entry> entries = new ArrayList<>();
        store.map().walk(new Place(stripe, 0), entries);
        for (Entry entry : entries) {
          keys.get(stripe).add(text(entry.key()));
        }
      }
    }
    return keys.stream().map(of -> of.subList(0, 3)).toList();
  }
}
