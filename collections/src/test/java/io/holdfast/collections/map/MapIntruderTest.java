package io.holdfast.collections.map;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.explorer.Intruder;
import java.util.LinkedHashMap;
import java.util.Map;
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
}
