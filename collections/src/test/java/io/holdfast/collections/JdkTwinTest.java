package io.holdfast.collections;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import io.holdfast.codec.Codec;
import java.nio.file.Path;
import java.util.AbstractMap.SimpleEntry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.SortedMap;
import java.util.Spliterator;
import java.util.TreeMap;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Each call has the same outcome as with the class of the JDK that a collection is likened to: the
/// same answer or an exception of the same class, and the same content afterwards. Each call is
/// made on an empty collection and on one of three elements.
class JdkTwinTest {
  @TempDir Path directory;
  private Holdfast store;

  @BeforeEach
  void open() {
    store = Holdfast.open(directory.resolve("twins.hf"));
  }

  @AfterEach
  void close() {
    store.close();
  }

  /// Something to do with a collection.
  private static final class Calls<C> {
    private final Map<String, Function<C, Object>> calls = new LinkedHashMap<>();

    void add(String name, Function<C, Object> call) {
      assertThat(calls.put(name, call)).as(name).isNull();
    }

    /// Something that returns nothing.
    void does(String name, java.util.function.Consumer<C> call) {
      add(
          name,
          collection -> {
            call.accept(collection);
            return "done";
          });
    }
  }

  private static <C> String outcome(C collection, Function<C, Object> call) {
    String result;
    try {
      result = shown(call.apply(collection));
    } catch (RuntimeException e) {
      result = e.getClass().getSimpleName();
    }
    return result + ", then " + collection;
  }

  private static String shown(Object result) {
    return switch (result) {
      case Object[] array -> Arrays.toString(array);
      case null -> "null";
      default -> result.toString();
    };
  }

  /// Runs each call on a collection and its twins, all new.
  ///
  /// @param twins whose outcomes are all right
  /// @param departures names of calls whose outcome is another one on purpose, at their ends
  private static <C> List<String> differences(
      Calls<C> calls,
      int size,
      List<String> departures,
      IntFunction<? extends C> ours,
      List<IntFunction<? extends C>> twins) {
    List<String> differences = new ArrayList<>();
    for (int count : new int[] {0, size}) {
      calls.calls.forEach(
          (name, call) -> {
            String found = outcome(ours.apply(count), call);
            List<String> expected =
                twins.stream().map(twin -> outcome(twin.apply(count), call)).toList();
            if (!expected.contains(found) && departures.stream().noneMatch(name::endsWith)) {
              differences.add(
                  "%s of %d: found=%s, expected=%s".formatted(name, count, found, expected));
            }
          });
    }
    return differences;
  }

  private static <M extends Map<Integer, String>> M filled(M map, int size) {
    Map<Integer, String> entries = new TreeMap<>();
    for (int i = 1; i <= size; i++) {
      entries.put(i * 10, "v" + i);
    }
    return filled(map, entries);
  }

  /// Gives a map these entries, and no others.
  private static <K, M extends Map<K, String>> M filled(M map, Map<K, String> entries) {
    if (!map.equals(entries)) {
      map.clear();
      map.putAll(entries);
    }
    return map;
  }

  private static Map.Entry<Integer, String> entry(Integer key, String value) {
    return new SimpleEntry<>(key, value);
  }

  /// What `Collection` and `Iterator` promise, of a view or a queue.
  private static <C, E> void collection(
      Calls<C> calls, String what, Function<C, Collection<E>> view, E there, E other) {
    List<E> nothing = new ArrayList<>();
    nothing.add(null);
    calls.add(what + ".contains(null)", c -> view.apply(c).contains(null));
    calls.add(what + ".contains", c -> view.apply(c).contains(there));
    calls.add(what + ".contains other", c -> view.apply(c).contains(other));
    calls.add(what + ".containsAll(null)", c -> view.apply(c).containsAll(null));
    calls.add(what + ".containsAll of null", c -> view.apply(c).containsAll(nothing));
    calls.add(what + ".containsAll", c -> view.apply(c).containsAll(List.of(there)));
    calls.add(what + ".remove(null)", c -> view.apply(c).remove(null));
    calls.add(what + ".remove", c -> view.apply(c).remove(there));
    calls.add(what + ".remove other", c -> view.apply(c).remove(other));
    calls.add(what + ".removeIf(null)", c -> view.apply(c).removeIf(null));
    calls.add(what + ".removeIf", c -> view.apply(c).removeIf(there::equals));
    calls.add(what + ".removeIf none", c -> view.apply(c).removeIf(other::equals));
    calls.add(what + ".removeAll(null)", c -> view.apply(c).removeAll(null));
    calls.add(what + ".removeAll", c -> view.apply(c).removeAll(List.of(there, other)));
    calls.add(what + ".removeAll of a set", c -> view.apply(c).removeAll(Set.of(there)));
    calls.add(what + ".retainAll(null)", c -> view.apply(c).retainAll(null));
    calls.add(what + ".retainAll", c -> view.apply(c).retainAll(List.of(there, other)));
    calls.does(what + ".forEach(null)", c -> view.apply(c).forEach(null));
    calls.add(what + ".toArray()", c -> view.apply(c).toArray());
    calls.add(what + ".toArray(null)", c -> view.apply(c).toArray((Object[]) null));
    calls.add(
        what + ".toArray(no maker)", c -> view.apply(c).toArray((IntFunction<Object[]>) null));
    calls.add(what + ".toArray(short)", c -> view.apply(c).toArray(new Object[1]));
    calls.add(what + ".toArray(long)", c -> view.apply(c).toArray(new Object[] {7, 7, 7, 7, 7}));
    calls.add(what + ".toArray(wrong)", c -> view.apply(c).toArray(new StringBuilder[0]));
    calls.add(what + ".toArray(maker)", c -> view.apply(c).toArray(Object[]::new));
    calls.add(what + ".toString", c -> view.apply(c).toString());
    calls.add(what + ".size", c -> view.apply(c).size());
    calls.add(what + ".isEmpty", c -> view.apply(c).isEmpty());
    calls.does(what + ".clear", c -> view.apply(c).clear());
    calls.add(what + ".addAll(null)", c -> view.apply(c).addAll(null));
    calls.add(what + ".addAll of none", c -> view.apply(c).addAll(List.of()));
    calls.add(what + ".iterator.next behind all", c -> last(view.apply(c)).next());
    calls.does(what + ".iterator.remove first", c -> view.apply(c).iterator().remove());
    calls.does(
        what + ".iterator.remove twice",
        c -> {
          Iterator<E> iterator = view.apply(c).iterator();
          iterator.next();
          iterator.remove();
          iterator.remove();
        });
    calls.does(what + ".iterator.remove last", c -> last(view.apply(c)).remove());
    calls.does(
        what + ".iterator.forEachRemaining(null)",
        c -> view.apply(c).iterator().forEachRemaining(null));
    calls.add(
        what + ".spliterator.tryAdvance(null)", c -> view.apply(c).spliterator().tryAdvance(null));
    calls.does(
        what + ".spliterator.forEachRemaining(null)",
        c -> view.apply(c).spliterator().forEachRemaining(null));
    calls.add(
        what + ".stream",
        c -> view.apply(c).stream().map(String::valueOf).sorted().collect(Collectors.toList()));
    calls.add(
        what + ".parallelStream",
        c ->
            view.apply(c).parallelStream()
                .map(String::valueOf)
                .sorted()
                .collect(Collectors.toList()));
    calls.add(
        what + " split",
        c -> {
          Spliterator<E> one = view.apply(c).spliterator();
          Spliterator<E> other1 = one.trySplit();
          List<String> all = new ArrayList<>();
          one.forEachRemaining(e -> all.add(String.valueOf(e)));
          if (other1 != null) {
            other1.forEachRemaining(e -> all.add(String.valueOf(e)));
          }
          all.sort(null);
          return all;
        });
  }

  private static <E> Iterator<E> last(Collection<E> collection) {
    Iterator<E> iterator = collection.iterator();
    while (iterator.hasNext()) {
      iterator.next();
    }
    return iterator;
  }

  /// What `Map` and `ConcurrentMap` promise.
  private static <M extends Map<Integer, String>> void map(Calls<M> calls) {
    calls.add("get(null)", m -> m.get(null));
    calls.add("get", m -> m.get(10));
    calls.add("getOrDefault(null)", m -> m.getOrDefault(null, "x"));
    calls.add("getOrDefault", m -> m.getOrDefault(11, "x"));
    calls.add("getOrDefault of null", m -> m.getOrDefault(11, null));
    calls.add("containsKey(null)", m -> m.containsKey(null));
    calls.add("containsValue(null)", m -> m.containsValue(null));
    calls.add("containsValue", m -> m.containsValue("v1"));
    calls.add("containsValue other class", m -> m.containsValue(7));
    calls.add("put(null, v)", m -> m.put(null, "x"));
    calls.add("put(k, null)", m -> m.put(10, null));
    calls.add("put", m -> m.put(10, "x"));
    calls.add("putIfAbsent(null, v)", m -> m.putIfAbsent(null, "x"));
    calls.add("putIfAbsent(k, null)", m -> m.putIfAbsent(10, null));
    calls.add("putIfAbsent", m -> m.putIfAbsent(10, "x"));
    calls.add("remove(null)", m -> m.remove(null));
    calls.add("remove", m -> m.remove(10));
    calls.add("remove(null, v)", m -> m.remove(null, "v1"));
    calls.add("remove(k, null)", m -> m.remove(10, null));
    calls.add("remove(k, v)", m -> m.remove(10, "v1"));
    calls.add("remove(k, other)", m -> m.remove(10, "v2"));
    calls.add("remove(k, other class)", m -> m.remove(10, 7));
    calls.add("replace(null, v)", m -> m.replace(null, "x"));
    calls.add("replace(k, null)", m -> m.replace(10, null));
    calls.add("replace(k, v)", m -> m.replace(10, "x"));
    calls.add("replace(null, v, w)", m -> m.replace(null, "v1", "x"));
    calls.add("replace(k, null, w)", m -> m.replace(10, null, "x"));
    calls.add("replace(k, v, null)", m -> m.replace(10, "v1", null));
    calls.add("replace(k, v, w)", m -> m.replace(10, "v1", "x"));
    calls.add("compute(null, f)", m -> m.compute(null, (k, v) -> "x"));
    calls.add("compute(k, null)", m -> m.compute(10, null));
    calls.add("compute", m -> m.compute(10, (k, v) -> k + ":" + v));
    calls.add("compute to null", m -> m.compute(10, (k, v) -> null));
    calls.add("computeIfAbsent(null, f)", m -> m.computeIfAbsent(null, k -> "x"));
    calls.add("computeIfAbsent(k, null)", m -> m.computeIfAbsent(10, null));
    calls.add("computeIfAbsent", m -> m.computeIfAbsent(10, k -> "x" + k));
    calls.add("computeIfAbsent to null", m -> m.computeIfAbsent(11, k -> null));
    calls.add("computeIfPresent(null, f)", m -> m.computeIfPresent(null, (k, v) -> "x"));
    calls.add("computeIfPresent(k, null)", m -> m.computeIfPresent(10, null));
    calls.add("computeIfPresent", m -> m.computeIfPresent(10, (k, v) -> v + k));
    calls.add("computeIfPresent to null", m -> m.computeIfPresent(10, (k, v) -> null));
    calls.add("merge(null, v, f)", m -> m.merge(null, "x", String::concat));
    calls.add("merge(k, null, f)", m -> m.merge(10, null, String::concat));
    calls.add("merge(k, v, null)", m -> m.merge(10, "x", null));
    calls.add("merge", m -> m.merge(10, "x", String::concat));
    calls.add("merge to null", m -> m.merge(10, "x", (v, w) -> null));
    calls.does("putAll(null)", m -> m.putAll(null));
    calls.does("putAll of null", m -> m.putAll(nullValue()));
    calls.does("putAll", m -> m.putAll(Map.of(10, "x")));
    calls.does("putAll of itself", m -> m.putAll(m));
    calls.does("forEach(null)", m -> m.forEach(null));
    calls.does("replaceAll(null)", m -> m.replaceAll(null));
    calls.does("replaceAll to null", m -> m.replaceAll((k, v) -> null));
    calls.does("replaceAll", m -> m.replaceAll((k, v) -> v + k));
    calls.does("clear", Map::clear);
    calls.add("size", Map::size);
    calls.add("isEmpty", Map::isEmpty);
    calls.add("equals(null)", m -> m.equals(null));
    calls.add("equals itself", m -> m.equals(m));
    calls.add("equals another", m -> m.equals(new HashMap<>(m)));
    calls.add("equals of null", m -> m.equals(nullValue()));
    calls.add("another equals", m -> new HashMap<>(m).equals(m));
    calls.add("hashCode", m -> m.hashCode());
    calls.add("entry.setValue(null)", m -> m.entrySet().iterator().next().setValue(null));
    collection(calls, "keySet", Map::keySet, 10, 11);
    collection(calls, "values", Map::values, "v1", "x");
    collection(calls, "entrySet", Map::entrySet, entry(10, "v1"), entry(10, "v2"));
    calls.add("keySet.equals", m -> m.keySet().equals(Set.of(10, 20, 30)));
    calls.add("keySet.hashCode", m -> m.keySet().hashCode());
    calls.add("entrySet.hashCode", m -> m.entrySet().hashCode());
    calls.add("entrySet.equals", m -> m.entrySet().equals(new HashMap<>(m).entrySet()));
    calls.add("entrySet.contains null key", m -> m.entrySet().contains(entry(null, "v1")));
    calls.add("entrySet.contains null value", m -> m.entrySet().contains(entry(10, null)));
    calls.add("entrySet.contains no entry", m -> m.entrySet().contains("x"));
    calls.add("entrySet.remove null key", m -> m.entrySet().remove(entry(null, "v1")));
    calls.add("entrySet.remove null value", m -> m.entrySet().remove(entry(10, null)));
    calls.add("entrySet.remove no entry", m -> m.entrySet().remove("x"));
    calls.add("keySet.add", m -> m.keySet().add(10));
    calls.add("values.add", m -> m.values().add("x"));
  }

  private static Map<Integer, String> nullValue() {
    Map<Integer, String> map = new HashMap<>();
    map.put(10, null);
    return map;
  }

  /// What `NavigableMap` promises.
  private static <M extends NavigableMap<Integer, String>> void sorted(Calls<M> calls) {
    for (Integer key : Arrays.asList(null, 9, 10, 11, 30, 31)) {
      calls.add("lowerEntry " + key, m -> m.lowerEntry(key));
      calls.add("floorEntry " + key, m -> m.floorEntry(key));
      calls.add("ceilingEntry " + key, m -> m.ceilingEntry(key));
      calls.add("higherEntry " + key, m -> m.higherEntry(key));
      calls.add("lowerKey " + key, m -> m.lowerKey(key));
      calls.add("floorKey " + key, m -> m.floorKey(key));
      calls.add("ceilingKey " + key, m -> m.ceilingKey(key));
      calls.add("higherKey " + key, m -> m.higherKey(key));
      calls.add("headMap " + key, m -> m.headMap(key));
      calls.add("headMap incl " + key, m -> m.headMap(key, true));
      calls.add("tailMap " + key, m -> m.tailMap(key));
      calls.add("tailMap excl " + key, m -> m.tailMap(key, false));
      calls.add("headSet " + key, m -> m.navigableKeySet().headSet(key));
      calls.add("tailSet " + key, m -> m.navigableKeySet().tailSet(key, false));
      for (Integer to : Arrays.asList(null, 9, 10, 20, 31)) {
        calls.add("subMap %s to %s".formatted(key, to), m -> m.subMap(key, to));
        calls.add(
            "subMap %s behind, to %s".formatted(key, to), m -> m.subMap(key, false, to, true));
        calls.add("subSet %s to %s".formatted(key, to), m -> m.navigableKeySet().subSet(key, to));
      }
    }
    calls.add("firstKey", SortedMap::firstKey);
    calls.add("lastKey", SortedMap::lastKey);
    calls.add("firstEntry", m -> m.firstEntry());
    calls.add("lastEntry", m -> m.lastEntry());
    calls.add("firstEntry.setValue", m -> m.firstEntry().setValue("x"));
    calls.add("ceilingEntry.setValue", m -> m.ceilingEntry(5).setValue("x"));
    calls.add("pollFirstEntry", m -> m.pollFirstEntry());
    calls.add("pollLastEntry", m -> m.pollLastEntry());
    calls.add("putFirst", m -> m.putFirst(1, "x"));
    calls.add("putLast", m -> m.putLast(1, "x"));
    calls.add("reversed", m -> m.reversed());
    calls.add("reversed twice", m -> m.reversed().reversed());
    calls.add("sequencedKeySet", m -> m.sequencedKeySet().reversed());
    calls.add("sequencedValues", m -> m.sequencedValues().reversed());
    calls.add("sequencedEntrySet", m -> m.sequencedEntrySet().reversed());
    calls.add("comparator", m -> m.comparator());
    calls.add("descendingMap.comparator", m -> m.descendingMap().comparator());
    calls.add("keySet.first", m -> m.navigableKeySet().first());
    calls.add("keySet.last", m -> m.navigableKeySet().last());
    calls.add("keySet.pollFirst", m -> m.navigableKeySet().pollFirst());
    calls.add("keySet.pollLast", m -> m.navigableKeySet().pollLast());
    calls.add("keySet.getFirst", m -> m.navigableKeySet().getFirst());
    calls.add("keySet.removeLast", m -> m.navigableKeySet().removeLast());
    calls.add("keySet.addFirst", m -> m.navigableKeySet().add(7));
    calls.add("keySet.lower(null)", m -> m.navigableKeySet().lower(null));
    calls.add("keySet.descending", m -> m.navigableKeySet().descendingSet());
    calls.add("descendingKeySet", m -> m.descendingKeySet());
    calls.add(
        "descendingIterator",
        m -> {
          List<Integer> keys = new ArrayList<>();
          m.navigableKeySet().descendingIterator().forEachRemaining(keys::add);
          return keys;
        });
  }

  /// A part of a map, and parts of that.
  private static <M extends NavigableMap<Integer, String>> void parts(Calls<M> calls) {
    Map<String, Function<M, NavigableMap<Integer, String>>> parts = new LinkedHashMap<>();
    parts.put("[10, 30)", m -> m.subMap(10, true, 30, false));
    parts.put("(10, 30]", m -> m.subMap(10, false, 30, true));
    parts.put("(10, 30] down", m -> m.subMap(10, false, 30, true).descendingMap());
    parts.put("down (30, 10]", m -> m.descendingMap().subMap(30, false, 10, true));
    parts.put("(.., 20]", m -> m.headMap(20, true));
    parts.put("(20, ..)", m -> m.tailMap(20, false));
    parts.put("empty [20, 20)", m -> m.subMap(20, true, 20, false));
    parts.put("empty (20, 20)", m -> m.subMap(20, false, 20, false));
    parts.forEach(
        (name, part) -> {
          Calls<M> single = new Calls<>();
          Calls<NavigableMap<Integer, String>> its = new Calls<>();
          map(its);
          sorted(its);
          its.calls.forEach(
              (call, function) ->
                  single.add(name + ": " + call, m -> function.apply(part.apply(m))));
          calls.calls.putAll(single.calls);
        });
  }

  private static <M extends Map<Integer, String>> void order(Calls<M> calls) {
    Map<String, Function<M, Collection<?>>> views = new LinkedHashMap<>();
    views.put("keySet", Map::keySet);
    views.put("entrySet", Map::entrySet);
    views.put("values", Map::values);
    views.forEach(
        (name, view) -> {
          for (int flag :
              new int[] {
                Spliterator.SORTED,
                Spliterator.DISTINCT,
                Spliterator.ORDERED,
                Spliterator.NONNULL,
                Spliterator.CONCURRENT,
                Spliterator.SIZED,
                Spliterator.SUBSIZED,
                Spliterator.IMMUTABLE
              }) {
            calls.add(
                "%s.spliterator has 0x%X".formatted(name, flag),
                m -> view.apply(m).spliterator().hasCharacteristics(flag));
          }
          calls.add(
              name + ".spliterator.getComparator is null",
              m -> view.apply(m).spliterator().getComparator() == null);
        });
    calls.add(
        "entries are sorted by their keys",
        m -> {
          Comparator<? super Map.Entry<Integer, String>> order =
              m.entrySet().spliterator().getComparator();
          return Integer.signum(order.compare(entry(2, "a"), entry(10, "b")));
        });
  }

  @Test
  void hashMaps() {
    Calls<ConcurrentMap<Integer, String>> calls = new Calls<>();
    map(calls);
    order(calls);
    List<String> departures =
        List.of(
            "containsAll of null", // asks contains(null), which throws with either
            "addAll(null)", // these are AbstractCollection's here
            "addAll of none");
    assertThat(
            differences(
                calls,
                1, // of several the order would be another one
                departures,
                size -> filled(store.hashMap("hash", Integer.class, String.class), size),
                List.of(size -> filled(new ConcurrentHashMap<>(), size))))
        .isEmpty();
  }

  /// Entries can be written through, unlike those of `ConcurrentSkipListMap`.
  private static final String SETS_VALUES = "entry.setValue(null)";

  @Test
  void treeMaps() {
    Calls<ConcurrentNavigableMap<Integer, String>> calls = new Calls<>();
    map(calls);
    sorted(calls);
    order(calls);
    assertThat(
            differences(
                calls,
                3,
                List.of(SETS_VALUES),
                size -> filled(store.treeMap("tree", Integer.class, String.class), size),
                List.of(size -> filled(new ConcurrentSkipListMap<>(), size))))
        .isEmpty();
  }

  /// Where `ConcurrentSkipListMap` and `TreeMap` differ, a part of a map may do as either.
  @Test
  void partsOfTreeMaps() {
    Calls<NavigableMap<Integer, String>> calls = new Calls<>();
    parts(calls);
    PersistentTreeMap<Integer, String> map = store.treeMap("tree", Integer.class, String.class);
    List<String> departures =
        List.of(
            SETS_VALUES,
            "forEachRemaining(null)", // throws also where there is nothing
            "tryAdvance(null)",
            "replace(k, null)", // a null is refused, whatever the key
            "replace(k, null, w)",
            "replace(k, v, null)");
    assertThat(
            differences(
                calls,
                3,
                departures,
                size -> filled(map, size),
                List.of(
                    size -> filled(new ConcurrentSkipListMap<>(), size),
                    size -> filled(new TreeMap<>(), size))))
        .isEmpty();
  }

  /// Keys that a comparator calls level are one: the first stays.
  @Test
  void treeMapsWithLevelKeys() {
    Calls<NavigableMap<String, String>> calls = new Calls<>();
    calls.add("put", m -> m.put("B", "x"));
    calls.add("putIfAbsent", m -> m.putIfAbsent("B", "x"));
    calls.add("replace", m -> m.replace("B", "x"));
    calls.add("replace(k, v, w)", m -> m.replace("B", "v2", "x"));
    calls.add("compute", m -> m.compute("B", (k, v) -> k + v));
    calls.add("computeIfPresent", m -> m.computeIfPresent("B", (k, v) -> k + v));
    calls.add("computeIfAbsent", m -> m.computeIfAbsent("B", k -> k));
    calls.add("merge", m -> m.merge("B", "x", String::concat));
    calls.add("get", m -> m.get("B"));
    calls.add("remove", m -> m.remove("B"));
    calls.add("remove(k, v)", m -> m.remove("B", "v2"));
    calls.add("remove and put", m -> m.remove("B") + m.put("B", "x"));
    calls.add("keySet.contains", m -> m.keySet().contains("B"));
    calls.add("keySet.remove", m -> m.keySet().remove("B"));
    calls.add("keySet.removeAll", m -> m.keySet().removeAll(List.of("B", "D")));
    calls.add("keySet.retainAll", m -> m.keySet().retainAll(List.of("B")));
    calls.add("entrySet.contains", m -> m.entrySet().contains(Map.entry("B", "v2")));
    calls.add("entrySet.remove", m -> m.entrySet().remove(Map.entry("B", "v2")));
    calls.add("entrySet.removeAll", m -> m.entrySet().removeAll(List.of(Map.entry("B", "v2"))));
    calls.add("ceilingKey", m -> m.ceilingKey("B"));
    calls.add("floorEntry", m -> m.floorEntry("B"));
    calls.add("higherKey", m -> m.higherKey("B"));
    calls.add("lowerKey", m -> m.lowerKey("B"));
    calls.add("headMap", m -> m.headMap("B", true));
    calls.add("tailMap", m -> m.tailMap("B", false));
    calls.add("put in a part", m -> m.tailMap("B", true).put("b", "x"));
    calls.add("put outside of a part", m -> m.tailMap("B", false).put("b", "x"));
    calls.add("descendingMap", m -> m.descendingMap().tailMap("B", true));
    calls.add("equals", m -> m.equals(new TreeMap<>(Map.of("A", "v1", "B", "v2", "C", "v3"))));
    calls.does("putAll", m -> m.putAll(Map.of("B", "x")));
    calls.does("putAll of a sorted map", m -> m.putAll(new TreeMap<>(Map.of("B", "x", "b", "y"))));
    Codec<String> codec = Codec.of(String.class);
    Comparator<String> order = String.CASE_INSENSITIVE_ORDER;
    assertThat(
            differences(
                calls,
                3,
                List.of(),
                size -> lettered(store.treeMap("level", codec, codec, "level", order), size),
                List.of(size -> lettered(new ConcurrentSkipListMap<>(order), size))))
        .isEmpty();
  }

  private static <M extends Map<String, String>> M lettered(M map, int size) {
    Map<String, String> entries = new TreeMap<>();
    for (int i = 1; i <= size; i++) {
      entries.put(Character.toString('a' + i - 1), "v" + i);
    }
    return filled(map, entries);
  }

  /// A function that throws leaves the map as it was.
  @Test
  void functionsThatThrow() {
    Calls<ConcurrentMap<Integer, String>> calls = new Calls<>();
    calls.add("compute", m -> m.compute(10, (k, v) -> thrown()));
    calls.add("compute absent", m -> m.compute(11, (k, v) -> thrown()));
    calls.add("computeIfAbsent", m -> m.computeIfAbsent(11, k -> thrown()));
    calls.add("computeIfPresent", m -> m.computeIfPresent(10, (k, v) -> thrown()));
    calls.add("merge", m -> m.merge(10, "x", (v, w) -> thrown()));
    calls.does("replaceAll", m -> m.replaceAll((k, v) -> thrown()));
    calls.does("forEach", m -> m.forEach((k, v) -> thrown()));
    calls.add("keySet.removeIf", m -> m.keySet().removeIf(k -> thrown() == null));
    calls.add("values.removeIf", m -> m.values().removeIf(v -> thrown() == null));
    calls.add("entrySet.removeIf", m -> m.entrySet().removeIf(e -> thrown() == null));
    calls.does("iterator", m -> m.keySet().iterator().forEachRemaining(k -> thrown()));
    calls.does("spliterator", m -> m.values().spliterator().forEachRemaining(k -> thrown()));
    for (IntFunction<ConcurrentMap<Integer, String>> ours :
        List.<IntFunction<ConcurrentMap<Integer, String>>>of(
            size -> filled(store.treeMap("tree", Integer.class, String.class), size),
            size -> filled(store.hashMap("hash", Integer.class, String.class), size))) {
      assertThat(
              differences(
                  calls,
                  1,
                  List.of(),
                  ours,
                  List.of(
                      size -> filled(new ConcurrentSkipListMap<>(), size),
                      size -> filled(new ConcurrentHashMap<>(), size))))
          .isEmpty();
    }
  }

  private static String thrown() {
    throw new ArithmeticException();
  }

  @Test
  void queues() {
    Calls<BlockingQueue<String>> calls = new Calls<>();
    collection(calls, "queue", q -> q, "v1", "x");
    calls.add("add(null)", q -> q.add(null));
    calls.add("add", q -> q.add("x"));
    calls.add("add to a full one", q -> q.add("x") && q.add("y") && q.add("z"));
    calls.add("offer(null)", q -> q.offer(null));
    calls.add("offer to a full one", q -> q.offer("x") && q.offer("y") && q.offer("z"));
    calls.add("offer(null, t)", q -> interruptible(() -> q.offer(null, 0, TimeUnit.SECONDS)));
    calls.add("offer without a unit", q -> interruptible(() -> q.offer("x", 0, null)));
    calls.add("poll without a unit", q -> interruptible(() -> q.poll(0, null)));
    calls.add("poll for no time", q -> interruptible(() -> q.poll(-1, TimeUnit.SECONDS)));
    calls.add(
        "put(null)",
        q ->
            interruptible(
                () -> {
                  q.put(null);
                  return true;
                }));
    calls.add("addAll(this)", q -> q.addAll(q));
    calls.add("addAll", q -> q.addAll(List.of("x", "y")));
    calls.add("addAll too many", q -> q.addAll(List.of("x", "y", "z", "z")));
    calls.add("addAll of null", q -> q.addAll(Arrays.asList("x", null)));
    calls.add("poll", q -> q.poll());
    calls.add("peek", q -> q.peek());
    calls.add("element", q -> q.element());
    calls.add("remove()", q -> q.remove());
    calls.add("remainingCapacity", q -> q.remainingCapacity());
    calls.add("drainTo(null)", q -> q.drainTo(null));
    calls.add("drainTo(null, 0)", q -> q.drainTo(null, 0));
    calls.add("drainTo(this)", q -> q.drainTo(q));
    calls.add("drainTo(this, 0)", q -> q.drainTo(q, 0));
    calls.add("drainTo", q -> drained(q, 2));
    calls.add("drainTo none", q -> drained(q, 0));
    calls.add("drainTo fewer than none", q -> drained(q, -1));
    calls.add("drainTo all", q -> drained(q, Integer.MAX_VALUE));
    calls.add("drainTo an unmodifiable one", q -> q.drainTo(List.of()));
    calls.add("contains other class", q -> q.contains(7));
    calls.add("remove other class", q -> q.remove(7));
    calls.add(
        "an iterator whose elements are taken",
        q -> {
          Iterator<String> iterator = q.iterator();
          q.poll();
          q.poll();
          return iterator.hasNext() ? iterator.next() : "none";
        });
    calls.add(
        "remove by an iterator what was taken",
        q -> {
          Iterator<String> iterator = q.iterator();
          String first = iterator.next();
          q.poll();
          iterator.remove();
          return first;
        });
    assertThat(
            differences(
                calls,
                3,
                List.of(),
                size -> filled(store.queue("queue", String.class, 5), size),
                List.of(size -> filled(new ArrayBlockingQueue<>(5), size))))
        .isEmpty();
  }

  private static BlockingQueue<String> filled(BlockingQueue<String> queue, int size) {
    queue.clear();
    for (int i = 1; i <= size; i++) {
      queue.add("v" + i);
    }
    return queue;
  }

  private static String drained(BlockingQueue<String> queue, int most) {
    List<String> target = new ArrayList<>();
    return queue.drainTo(target, most) + ": " + target;
  }

  private static Object interruptible(java.util.concurrent.Callable<Object> call) {
    try {
      return call.call();
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
