package io.holdfast.collections;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.holdfast.Holdfast;
import io.holdfast.codec.Codec;
import io.holdfast.core.StoreClosedException;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.AbstractMap.SimpleEntry;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.Spliterator;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a sorted map is seen as: its keys, values and entries, beside changes.
class ViewsOfSortedMapsTest {
  @TempDir Path directory;
  private Holdfast store;
  private PersistentTreeMap<Long, Long> map;

  @BeforeEach
  void open() {
    store = Holdfast.open(directory.resolve("views.hf"));
    map = store.treeMap("map", Long.class, Long.class);
  }

  @AfterEach
  void close() {
    store.close();
  }

  @Test
  void removeIfLeavesWhatWasPutMeanwhile() {
    map.put(1L, 0L);
    assertThat(map.values().removeIf(value -> value == 0 && map.put(1L, 77L) == 0)).isFalse();
    assertThat(map).isEqualTo(Map.of(1L, 77L));
    assertThat(map.entrySet().removeIf(entry -> map.put(1L, 78L) == 77)).isFalse();
    assertThat(map).isEqualTo(Map.of(1L, 78L));
    Collection<Long> values = map.descendingMap().headMap(0L).values();
    assertThat(values.removeIf(value -> map.put(1L, 79L) == 78)).isFalse();
    assertThat(map).isEqualTo(Map.of(1L, 79L));
    assertThat(map.values().removeIf(value -> value == 79)).isTrue();
    assertThat(map).isEmpty();
  }

  @Test
  void bulkRemovalsLeaveWhatWasPutMeanwhile() {
    map.put(1L, 0L);
    /// A collection that changes the map when it is asked.
    record Asked(PersistentTreeMap<Long, Long> map, boolean answer) {
      Set<Object> set() {
        return new java.util.HashSet<>() {
          @Override
          public boolean contains(Object value) {
            map.merge(1L, 1L, Long::sum);
            return answer;
          }
        };
      }
    }

    assertThat(map.values().removeAll(new Asked(map, true).set())).isFalse();
    assertThat(map.values().retainAll(new Asked(map, false).set())).isFalse();
    assertThat(map.entrySet().retainAll(new Asked(map, false).set())).isFalse();
    assertThat(map.entrySet().removeAll(List.of(Map.entry(1L, 2L), Map.entry(2L, 3L)))).isFalse();
    assertThat(map).isEqualTo(Map.of(1L, 3L));
    assertThat(map.entrySet().removeAll(List.of(Map.entry(2L, 3L), Map.entry(1L, 3L)))).isTrue();
    assertThat(map).isEmpty();
    PersistentHashMap<Long, Long> hash = store.hashMap("hash", Long.class, Long.class);
    hash.put(1L, 0L);
    Set<Object> raising =
        new java.util.HashSet<>() {
          @Override
          public boolean contains(Object value) {
            hash.merge(1L, 1L, Long::sum);
            return true;
          }
        };
    assertThat(hash.values().removeAll(raising)).isFalse();
    assertThat(hash.entrySet().retainAll(new Asked(map, false).set())).isTrue();
    assertThat(hash).isEmpty();
    hash.put(1L, 2L);
    assertThat(hash.entrySet().removeAll(List.of(Map.entry(1L, 0L), Map.entry(2L, 2L)))).isFalse();
    assertThat(hash.entrySet().removeAll(List.of(Map.entry(2L, 2L), Map.entry(1L, 2L)))).isTrue();
    assertThat(hash).isEmpty();
  }

  @Test
  void valuesAreComparedByTheirBytes() {
    PersistentTreeMap<String, byte[]> arrays = store.treeMap("arrays", String.class, byte[].class);
    arrays.put("a", new byte[] {1, 2});
    assertThat(arrays.replace("a", arrays.get("a"), new byte[] {3})).isTrue();
    assertThat(arrays.replace("a", new byte[] {1, 2}, new byte[] {4})).isFalse();
    assertThat(arrays.get("a")).containsExactly(3);
    assertThat(arrays.containsValue(new byte[] {3})).isTrue();
    assertThat(arrays.values().contains(new byte[] {3})).isTrue();
    assertThat(arrays.values().contains(new byte[] {4})).isFalse();
    assertThat(arrays.values().contains("3")).isFalse();
    assertThat(arrays.entrySet().contains(new SimpleEntry<>("a", new byte[] {3}))).isTrue();
    assertThat(arrays.entrySet().contains(new SimpleEntry<>("a", "3"))).isFalse();
    assertThat(arrays.remove("a", new byte[] {4})).isFalse();
    assertThat(arrays.remove("a", "3")).isFalse();
    assertThat(arrays.entrySet().remove(new SimpleEntry<>("a", new byte[] {4}))).isFalse();
    assertThat(arrays.headMap("b").values().remove(new byte[] {3})).isTrue();
    assertThat(arrays).isEmpty();
    arrays.put("a", new byte[] {3});
    assertThat(arrays.entrySet().remove(new SimpleEntry<>("a", new byte[] {3}))).isTrue();
    arrays.put("a", new byte[] {3});
    assertThat(arrays.tailMap("a").remove("a", new byte[] {3})).isTrue();
    assertThat(arrays).isEmpty();
  }

  @Test
  void entriesAreSortedByKeysInTheDirectionOfTheView() {
    map.put(1L, 9L);
    map.put(2L, 8L);
    PersistentTreeMap<Long, Long> reversed =
        store.treeMap(
            "reversed",
            Codec.of(Long.class),
            Codec.of(Long.class),
            "reversed",
            Comparator.reverseOrder());
    reversed.putAll(map);
    for (Map<Long, Long> each : List.of(map, map.descendingMap(), reversed, map.tailMap(0L))) {
      Spliterator<Map.Entry<Long, Long>> entries = each.entrySet().spliterator();
      assertThat(entries.hasCharacteristics(Spliterator.SORTED)).isTrue();
      List<Map.Entry<Long, Long>> found = List.copyOf(each.entrySet());
      assertThat(entries.getComparator().compare(found.getFirst(), found.getLast())).isNegative();
      assertThat(each.entrySet().stream().sorted(Map.Entry.comparingByValue()).toList())
          .extracting(Map.Entry::getValue)
          .containsExactly(8L, 9L);
    }
  }

  @Test
  void partsOfASpliteratorHaveItsOrder() {
    for (long key = 0; key < 3_000; key++) {
      map.put(key, -key);
    }
    Spliterator<Long> keys = map.descendingMap().keySet().spliterator();
    for (Spliterator<Long> each : parts(keys)) {
      assertThat(each.hasCharacteristics(Spliterator.SORTED)).isTrue();
      assertThat(each.getComparator().compare(1L, 2L)).isPositive();
    }
    Spliterator<Map.Entry<Long, Long>> entries = map.entrySet().spliterator().trySplit();
    assertThat(entries.getComparator().compare(Map.entry(1L, 1L), Map.entry(2L, 0L))).isNegative();
    assertThat(entries.tryAdvance(entry -> assertThat(entry.getKey()).isZero())).isTrue();
    assertThat(entries.trySplit()).as("of one that has begun").isNull();
    assertThat(map.entrySet().parallelStream().mapToLong(Map.Entry::getValue).sum())
        .isEqualTo(-3_000L * 2_999 / 2);
  }

  /// All the parts that there are, in order.
  private static <T> List<Spliterator<T>> parts(Spliterator<T> whole) {
    Spliterator<T> first = whole.trySplit();
    List<Spliterator<T>> parts = new ArrayList<>(first == null ? List.of() : parts(first));
    parts.addAll(first == null ? List.of(whole) : parts(whole));
    return parts;
  }

  private static <T> List<T> elements(List<Spliterator<T>> parts) {
    List<T> found = new ArrayList<>();
    parts.forEach(each -> each.forEachRemaining(found::add));
    return found;
  }

  /// Wherever a range begins and ends.
  @Test
  void partsAreTheWhole() {
    NavigableMap<Long, Long> model = new TreeMap<>();
    for (long i = 0; i < 20_000; i++) {
      map.put(i * 77 % 20_000 * 2, i);
    }
    model.putAll(map);
    assertThat(parts(map.keySet().spliterator())).hasSizeGreaterThan(300);
    for (long from = -1; from < 40_000; from += 3_333) {
      for (long length : new long[] {0, 1, 150, 7_000, 50_000}) {
        boolean inclusive = (from + length) % 2 == 0;
        var range = map.subMap(from, inclusive, from + length, !inclusive);
        var its = model.subMap(from, inclusive, from + length, !inclusive);
        assertThat(elements(parts(range.entrySet().spliterator())))
            .isEqualTo(List.copyOf(its.entrySet()));
        assertThat(elements(parts(range.values().spliterator())))
            .isEqualTo(List.copyOf(its.values()));
        assertThat(elements(parts(range.descendingKeySet().spliterator())))
            .isEqualTo(List.copyOf(its.descendingKeySet()));
      }
    }
  }

  /// A part is between two keys, whatever leaves there are by the time that it begins.
  @Test
  void partsBesideChanges() {
    for (long key = 0; key < 9_000; key += 3) {
      map.put(key, key);
    }
    List<Spliterator<Long>> parts = parts(map.keySet().spliterator());
    for (long key = 1; key < 9_000; key += 3) {
      map.put(key, key);
    }
    for (long key = 0; key < 6_000; key += 6) {
      map.remove(key);
    }
    assertThat(elements(parts)).isEqualTo(List.copyOf(map.keySet()));
  }

  @Test
  void entriesThatWriteThroughAreNotSerializable() {
    map.put(1L, 0L);
    Map.Entry<Long, Long> live = map.entrySet().iterator().next();
    assertThat(live).isNotInstanceOf(Serializable.class);
    assertThat(live.setValue(7L)).isZero();
    assertThat(live).isEqualTo(Map.entry(1L, 7L)).hasSameHashCodeAs(Map.entry(1L, 7L));
    assertThat(map).isEqualTo(Map.of(1L, 7L));
  }

  /// In the middle of a leaf, at its edge, and where there is no such key.
  @Test
  void aViewEndsWhereItsRangeDoes() {
    NavigableMap<Long, Long> model = new TreeMap<>();
    for (long i = 0; i < 150; i++) {
      long key = i * 77 % 150 * 2;
      map.put(key, i);
      model.put(key, i);
    }
    for (long bound = -1; bound <= 300; bound++) {
      for (boolean inclusive : new boolean[] {false, true}) {
        expectAll(map.headMap(bound, inclusive), model.headMap(bound, inclusive));
        expectAll(
            map.tailMap(bound, inclusive).descendingMap(),
            model.tailMap(bound, inclusive).descendingMap());
      }
    }
  }

  private static void expectAll(Map<Long, Long> view, Map<Long, Long> expected) {
    List<Map.Entry<Long, Long>> found = new ArrayList<>();
    view.forEach((key, value) -> found.add(Map.entry(key, value)));
    assertThat(found).isEqualTo(List.copyOf(expected.entrySet()));
    assertThat(view.keySet()).containsExactlyElementsOf(expected.keySet());
    assertThat(view.values()).containsExactlyElementsOf(expected.values());
  }

  @Test
  void anIteratorThatCanNotGoOnIsOver() {
    for (long key = 0; key < 1_000; key++) {
      map.put(key, key);
    }
    Iterator<Long> keys = map.keySet().iterator();
    assertThat(keys.next()).isZero();
    store.close();
    assertThatExceptionOfType(StoreClosedException.class).isThrownBy(() -> rest(keys));
    assertThat(keys.hasNext()).isFalse();
  }

  /// An iterator has the next entry at hand, and no more.
  @Test
  void anIteratorFindsOneEntryAtMostThatWasThereBeforeAClear() {
    for (int entries : new int[] {50, 10_000}) {
      for (Map<Long, Long> each :
          List.of(map, store.<Long, Long>hashMap("hash", Long.class, Long.class))) {
        for (long key = 0; key < entries; key++) {
          each.put(key, key);
        }
        Iterator<Long> keys = each.keySet().iterator();
        Iterator<Map.Entry<Long, Long>> all = each.entrySet().iterator();
        keys.next();
        all.next();
        each.clear();
        assertThat(rest(keys)).as(each.getClass().getName()).isLessThanOrEqualTo(1);
        assertThat(rest(all)).as(each.getClass().getName()).isLessThanOrEqualTo(1);
      }
    }
  }

  @Test
  void anIteratorFindsOneEntryAtMostThatWasRemoved() {
    for (Map<Long, Long> each :
        List.of(map, store.<Long, Long>hashMap("hash", Long.class, Long.class))) {
      for (long key = 0; key < 50; key++) {
        each.put(key, key);
      }
      Iterator<Long> keys = each.keySet().iterator();
      long first = keys.next();
      each.keySet().removeIf(key -> key != first);
      assertThat(rest(keys)).as(each.getClass().getName()).isLessThanOrEqualTo(1);
    }
  }

  @Test
  void aQueuesIteratorFindsOneElementAtMostThatWasThereBeforeAClear() {
    PersistentQueue<Long> queue = store.queue("queue", Long.class);
    for (long i = 0; i < 1_000; i++) {
      queue.add(i);
    }
    Iterator<Long> elements = queue.iterator();
    elements.next();
    queue.clear();
    assertThat(rest(elements)).isLessThanOrEqualTo(1);
  }

  private static int rest(Iterator<?> iterator) {
    int count = 0;
    while (iterator.hasNext()) {
      iterator.next();
      count++;
    }
    return count;
  }
}
