package io.holdfast.collections;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Holdfast;
import io.holdfast.codec.Codec;
import io.holdfast.codec.EncodedInput;
import io.holdfast.codec.EncodedOutput;
import io.holdfast.core.RootDeletedException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A sorted map as a program uses it, in a store.
class PersistentTreeMapTest {
  private static final Codec<String> STRING = Codec.of(String.class);

  @TempDir Path directory;
  private Path path;

  @BeforeEach
  void path() {
    path = directory.resolve("shop.hf");
  }

  record Trade(String text, int amount) {}

  @Test
  void isThereAgain() {
    try (Holdfast store = Holdfast.open(path)) {
      NavigableMap<Long, Trade> trades = store.treeMap("trades", Long.class, Trade.class);
      for (long i = 500; i > -500; i--) {
        trades.put(i * 3, new Trade("trade " + i, (int) i));
      }
    }
    try (Holdfast store = Holdfast.open(path)) {
      PersistentTreeMap<Long, Trade> trades = store.treeMap("trades", Long.class, Trade.class);
      assertThat(trades).hasSize(1000);
      assertThat(trades.firstKey()).isEqualTo(-1497);
      assertThat(trades.floorEntry(10L).getValue()).isEqualTo(new Trade("trade 3", 3));
      assertThat(trades.subMap(-4L, 7L).keySet()).containsExactly(-3L, 0L, 3L, 6L);
      assertThat(trades.descendingMap().headMap(1494L).keySet()).containsExactly(1500L, 1497L);
      assertThat(trades.validate()).isEqualTo(1000);
    }
  }

  /// Entries of words are read and sorted in a way of their own, by where the keys are.
  ///
  /// @param unused bits of the keys: the fewer, the farther they are from each other
  @ParameterizedTest
  @ValueSource(ints = {0, 5, 20, 48})
  void wordsAreInOrder(int unused) {
    Random random = new Random(unused);
    TreeMap<Long, Long> model = new TreeMap<>();
    try (Holdfast store = Holdfast.open(path)) {
      NavigableMap<Long, Long> map = store.treeMap("words", Long.class, Long.class);
      for (int i = 0; i < 3_000; i++) {
        long key = i < 2 ? Long.MIN_VALUE - i : random.nextLong() >> unused;
        if (i % 5 == 4) {
          assertThat(map.remove(model.lastKey())).isEqualTo(model.pollLastEntry().getValue());
        }
        assertThat(map.put(key, (long) i)).isEqualTo(model.put(key, (long) i));
        if (i % 100 == 0) {
          assertThat(entries(map)).isEqualTo(entries(model));
          assertThat(entries(map.descendingMap())).isEqualTo(entries(model.descendingMap()));
          assertThat(entries(map.tailMap(key))).isEqualTo(entries(model.tailMap(key)));
          assertThat(entries(map.headMap(key))).isEqualTo(entries(model.headMap(key)));
        }
      }
    }
  }

  private static List<Map.Entry<Long, Long>> entries(Map<Long, Long> map) {
    return map.entrySet().stream()
        .<Map.Entry<Long, Long>>map(each -> Map.entry(each.getKey(), each.getValue()))
        .toList();
  }

  /// Whose bytes look like other strings of the built-in one.
  @Test
  void aCodecHasTheNameOfABuiltInOne() {
    Codec<String> named =
        new Codec<>() {
          @Override
          public String fingerprint() {
            return "String";
          }

          @Override
          public void encode(String value, EncodedOutput out) {
            RawCodec.RAW.encode(value, out);
          }

          @Override
          public String decode(EncodedInput in) {
            return RawCodec.RAW.decode(in);
          }
        };
    try (Holdfast store = Holdfast.open(path)) {
      PersistentTreeMap<String, String> map = store.treeMap("map", named, STRING);
      map.put("\4aa", "2");
      map.put("\2b", "1");
      assertThat(map.values()).containsExactly("1", "2");
    }
  }

  @Test
  void aComparatorIsNamed() {
    Comparator<String> ignoring = String.CASE_INSENSITIVE_ORDER;
    try (Holdfast store = Holdfast.open(path)) {
      PersistentTreeMap<String, String> map =
          store.treeMap("m", STRING, STRING, "ignoring case", ignoring);
      assertThat(map.put("Beta", "1")).isNull();
      assertThat(map.put("ALPHA", "2")).isNull();
      assertThat(map.put("beta", "3")).isEqualTo("1");
      assertThat(map).containsOnlyKeys("ALPHA", "Beta").containsEntry("BETA", "3");
      assertThat(map.comparator()).isSameAs(ignoring);
    }
    try (Holdfast store = Holdfast.open(path)) {
      assertThatThrownBy(() -> store.treeMap("m", String.class, String.class))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("stored=ignoring case, asked=natural order");
      assertThatThrownBy(() -> store.treeMap("m", STRING, STRING, "another", ignoring))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("stored=ignoring case, asked=another");
      assertThat(store.treeMap("m", STRING, STRING, "ignoring case", ignoring))
          .containsEntry("alpha", "2");
    }
  }

  /// Their natural order calls 2.0 and 2.00 level, as in a `TreeMap`.
  @Test
  void keysThatAreLevelAreOne() {
    try (Holdfast store = Holdfast.open(path)) {
      PersistentTreeMap<BigDecimal, String> map =
          store.treeMap("m", BigDecimal.class, String.class);
      map.put(new BigDecimal("2.0"), "1");
      assertThat(map.put(new BigDecimal("2.00"), "2")).isEqualTo("1");
      assertThat(map.firstKey()).isEqualTo(new BigDecimal("2.0"));
      assertThat(map).hasSize(1);
    }
  }

  @Test
  void clearedAndDeleted() {
    try (Holdfast store = Holdfast.open(path)) {
      PersistentTreeMap<Integer, String> map = store.treeMap("m", Integer.class, String.class);
      for (int i = 0; i < 3000; i++) {
        map.put(i * 7919 % 3000, "value " + i);
      }
      map.subMap(100, 2900).clear();
      assertThat(map).hasSize(200);
      map.clear();
      assertThat(map).isEmpty();
      map.put(1, "one");
      store.delete("m");
      assertThatThrownBy(() -> map.get(1)).isInstanceOf(RootDeletedException.class);
      assertThatThrownBy(() -> map.put(1, "x")).isInstanceOf(RootDeletedException.class);
      PersistentTreeMap<Integer, String> other = store.treeMap("m", Integer.class, String.class);
      assertThat(other).isEmpty();
      other.put(2, "in the same blocks");
      assertThatThrownBy(map::clear).isInstanceOf(RootDeletedException.class);
      assertThat(other).hasSize(1);
      assertThat(other.validate()).isEqualTo(1);
    }
  }

  @Test
  void viewsDoWhatThoseOfATreeMapDo() {
    long seed = 20261121;
    Random random = new Random(seed);
    try (Holdfast store = Holdfast.open(path)) {
      NavigableMap<String, Integer> map = store.treeMap("m", String.class, Integer.class);
      NavigableMap<String, Integer> model = new TreeMap<>();
      for (int i = 0; i < 3000; i++) {
        String key = Integer.toString(random.nextInt(1000), 36);
        assertThat(map.put(key, i)).as("seed=%d", seed).isEqualTo(model.put(key, i));
      }
      for (int i = 0; i < 60; i++) {
        NavigableMap<String, Integer> view = map;
        NavigableMap<String, Integer> expected = model;
        for (int depth = random.nextInt(3); depth >= 0; depth--) {
          if (random.nextBoolean()) {
            view = view.descendingMap();
            expected = expected.descendingMap();
          }
          List<String> keys = new ArrayList<>(expected.keySet());
          if (keys.size() > 2) {
            int from = random.nextInt(keys.size() - 1);
            int to = from + 1 + random.nextInt(keys.size() - from - 1);
            boolean inclusive = random.nextBoolean();
            view = view.subMap(keys.get(from), inclusive, keys.get(to), !inclusive);
            expected = expected.subMap(keys.get(from), inclusive, keys.get(to), !inclusive);
          }
        }
        assertThat(new ArrayList<>(view.entrySet()))
            .isEqualTo(new ArrayList<>(expected.entrySet()));
        assertThat(view.size()).isEqualTo(expected.size());
        String key = Integer.toString(random.nextInt(1000), 36);
        assertThat(view.floorEntry(key)).isEqualTo(expected.floorEntry(key));
        assertThat(view.higherEntry(key)).isEqualTo(expected.higherEntry(key));
        assertThat(view.pollFirstEntry()).isEqualTo(expected.pollFirstEntry());
        assertThat(view.pollLastEntry()).isEqualTo(expected.pollLastEntry());
      }
      assertThat(map).isEqualTo(model);
    }
  }
}
