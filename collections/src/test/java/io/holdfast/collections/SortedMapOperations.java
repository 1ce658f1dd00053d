package io.holdfast.collections;

import static io.holdfast.collections.RawCodec.text;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Function;

/// Random operations on a sorted map and on a `TreeMap`, which must answer the same: a value, or an
/// exception of the same class.
final class SortedMapOperations<K> {
  /// Lengths around those at which a value is a word, takes several lines, or has its own block.
  private static final int[] LENGTHS = {
    0, 1, 7, 8, 8, 8, 9, 16, 24, 40, 41, 100, 300, 375, 384, 392, 400, 700, 3_000
  };

  private final SortedMapKeys<K> keys;
  private final Random random;

  /// How many keys there are to choose from.
  private int range = 1;

  /// How many of a hundred changes add entries.
  private int growth = 50;

  SortedMapOperations(SortedMapKeys<K> keys, Random random) {
    this.keys = keys;
    this.random = random;
    drift();
  }

  /// Chooses whether the maps are to grow or to shrink from now on, and how far.
  void drift() {
    range = 10 + random.nextInt(random.nextInt(3) == 0 ? 6_000 : 600);
    growth = random.nextInt(4) == 0 ? 20 : 80 + random.nextInt(20);
  }

  private boolean isGrowing() {
    return growth > 50;
  }

  private K key() {
    return keys.numbered().apply(random.nextInt(range));
  }

  private String value() {
    int length = random.nextInt(4) == 0 ? LENGTHS[random.nextInt(LENGTHS.length)] : 8;
    return text(Integer.toString(random.nextInt(1_000), 36), length);
  }

  /// Does the same to both.
  private static <M, T> void both(String what, M map, M model, Function<M, T> operation) {
    Object found = outcome(map, operation);
    Object expected = outcome(model, operation);
    if (!Objects.equals(found, expected)) {
      throw new AssertionError("%s: found=%s, expected=%s".formatted(what, found, expected));
    }
  }

  private static <M, T> Object outcome(M map, Function<M, T> operation) {
    try {
      return operation.apply(map);
    } catch (IllegalArgumentException | NoSuchElementException e) {
      return e.getClass();
    }
  }

  /// One operation on the whole map or a view.
  void operate(PersistentTreeMap<K, String> map, NavigableMap<K, String> model) {
    int what = random.nextInt(100);
    if (what < 70) {
      single(map, model);
    } else if (what < 95) {
      ofAView(map, model, random.nextInt(4));
    } else if (what < 99) {
      rank(map, model);
    } else {
      load(map, model);
    }
  }

  /// One operation that is failure-atomic: it changes one entry at most.
  void single(NavigableMap<K, String> map, NavigableMap<K, String> model) {
    int what = random.nextInt(100);
    if (what < 45) {
      if (random.nextInt(100) < growth) {
        store(map, model);
      } else {
        remove(map, model);
      }
    } else if (what < 55) {
      compute(map, model);
    } else {
      look(map, model);
    }
  }

  private void store(NavigableMap<K, String> map, NavigableMap<K, String> model) {
    K key = key();
    String value = value();
    switch (random.nextInt(5)) {
      case 0 -> both("putIfAbsent " + key, map, model, m -> m.putIfAbsent(key, value));
      case 1 -> both("replace " + key, map, model, m -> m.replace(key, value));
      case 2 -> {
        String old = random.nextInt(4) == 0 ? value : model.getOrDefault(key, value);
        both("replace " + key, map, model, m -> m.replace(key, old, value));
      }
      default -> both("put " + key, map, model, m -> m.put(key, value));
    }
  }

  private void remove(NavigableMap<K, String> map, NavigableMap<K, String> model) {
    K key = key();
    switch (random.nextInt(8)) {
      case 0 -> both("pollFirstEntry", map, model, NavigableMap::pollFirstEntry);
      case 1 -> both("pollLastEntry", map, model, NavigableMap::pollLastEntry);
      case 2 -> {
        String value = random.nextInt(4) == 0 ? "no such" : model.getOrDefault(key, "none");
        both("remove " + key, map, model, m -> m.remove(key, value));
      }
      case 3 -> both("keySet.remove " + key, map, model, m -> m.navigableKeySet().remove(key));
      case 4 -> both("keySet.pollFirst", map, model, m -> m.descendingKeySet().pollFirst());
      case 5 -> {
        Map.Entry<K, String> entry = Map.entry(key, model.getOrDefault(key, "none"));
        both("entrySet.remove " + key, map, model, m -> m.entrySet().remove(entry));
      }
      default -> both("remove " + key, map, model, m -> m.remove(key));
    }
  }

  private void compute(NavigableMap<K, String> map, NavigableMap<K, String> model) {
    K key = key();
    String value = value();
    boolean removes = random.nextInt(100) >= growth;
    switch (random.nextInt(4)) {
      case 0 ->
          both(
              "compute " + key,
              map,
              model,
              m -> m.compute(key, (k, old) -> removes ? null : value));
      case 1 ->
          both(
              "computeIfAbsent " + key,
              map,
              model,
              m -> m.computeIfAbsent(key, k -> removes ? null : value));
      case 2 ->
          both(
              "computeIfPresent " + key,
              map,
              model,
              m -> m.computeIfPresent(key, (k, old) -> removes ? null : old + value));
      default ->
          both(
              "merge " + key,
              map,
              model,
              m ->
                  m.merge(
                      key,
                      value,
                      (old, added) -> removes || old.length() > 900 ? null : old + added));
    }
  }

  private void look(NavigableMap<K, String> map, NavigableMap<K, String> model) {
    K key = key();
    switch (random.nextInt(13)) {
      case 0 -> both("floor " + key, map, model, m -> m.floorEntry(key));
      case 1 -> both("lower " + key, map, model, m -> m.lowerEntry(key));
      case 2 -> both("ceiling " + key, map, model, m -> m.ceilingEntry(key));
      case 3 -> both("higher " + key, map, model, m -> m.higherEntry(key));
      case 4 -> both("floorKey " + key, map, model, m -> m.descendingMap().ceilingKey(key));
      case 5 -> both("firstEntry", map, model, NavigableMap::firstEntry);
      case 6 -> both("lastEntry", map, model, NavigableMap::lastEntry);
      case 7 -> both("firstKey", map, model, NavigableMap::firstKey);
      case 8 -> both("lastKey", map, model, NavigableMap::lastKey);
      case 9 -> both("containsKey " + key, map, model, m -> m.containsKey(key));
      case 10 -> both("getOrDefault " + key, map, model, m -> m.getOrDefault(key, "none"));
      case 11 -> both("isEmpty", map, model, NavigableMap::isEmpty);
      default -> both("get " + key, map, model, m -> m.get(key));
    }
  }

  /// An operation on a view, which may be one of another view.
  private void ofAView(NavigableMap<K, String> map, NavigableMap<K, String> model, int depth) {
    K from = key();
    K to = key();
    boolean fromInclusive = random.nextBoolean();
    boolean toInclusive = random.nextBoolean();
    Function<NavigableMap<K, String>, NavigableMap<K, String>> view =
        switch (random.nextInt(6)) {
          case 0 -> m -> m.headMap(to, toInclusive);
          case 1 -> m -> m.tailMap(from, fromInclusive);
          case 2 -> NavigableMap::descendingMap;
          default -> m -> m.subMap(from, fromInclusive, to, toInclusive);
        };
    String what = "a view from %s %s to %s %s".formatted(from, fromInclusive, to, toInclusive);
    Object found = outcome(map, view);
    Object expected = outcome(model, view);
    if (found instanceof NavigableMap<?, ?> && expected instanceof NavigableMap<?, ?>) {
      NavigableMap<K, String> its = view.apply(map);
      NavigableMap<K, String> itsModel = view.apply(model);
      if (depth > 0) {
        ofAView(its, itsModel, depth - 1);
      } else {
        try {
          inAView(its, itsModel);
        } catch (AssertionError e) {
          throw new AssertionError(what + ": " + e.getMessage(), e);
        }
      }
    } else if (!Objects.equals(found, expected)) {
      throw new AssertionError("%s: found=%s, expected=%s".formatted(what, found, expected));
    }
  }

  private void inAView(NavigableMap<K, String> map, NavigableMap<K, String> model) {
    int what = random.nextInt(100);
    if (what < 70) {
      single(map, model);
    } else if (what < 80) {
      walk(map, model);
    } else if (what < 90) {
      sets(map, model);
    } else if (what < 94 && model.size() < (isGrowing() ? 6 : 60)) {
      both(
          "clear",
          map,
          model,
          m -> {
            m.clear();
            return m.isEmpty();
          });
    } else if (what < 97 && model.size() < 60) {
      int length = random.nextInt(30);
      both(
          "replaceAll",
          map,
          model,
          m -> {
            m.replaceAll((key, value) -> text(value, length));
            return m.size();
          });
    } else {
      both("as a list", map, model, m -> new ArrayList<>(m.entrySet()));
    }
  }

  /// An iterator that removes and replaces.
  private void walk(NavigableMap<K, String> map, NavigableMap<K, String> model) {
    long seed = random.nextLong();
    int most = random.nextInt(isGrowing() ? 20 : 80);
    boolean mayChange = random.nextInt(3) != 0;
    int odds = isGrowing() ? 6 : 2;
    both(
        "a walk",
        map,
        model,
        m -> {
          Random its = new Random(seed);
          List<String> seen = new ArrayList<>();
          Iterator<Map.Entry<K, String>> iterator = m.entrySet().iterator();
          for (int i = 0; i < most && iterator.hasNext(); i++) {
            Map.Entry<K, String> entry = iterator.next();
            seen.add(entry.getKey() + "=" + entry.getValue());
            if (mayChange && its.nextInt(odds) == 0) {
              iterator.remove();
            } else if (mayChange && its.nextInt(6) == 0) {
              seen.add(entry.setValue(text("w", its.nextInt(500))));
            }
          }
          return seen;
        });
  }

  /// The sets and the collection that a map is seen as.
  private void sets(NavigableMap<K, String> map, NavigableMap<K, String> model) {
    K key = key();
    switch (random.nextInt(6)) {
      case 0 -> both("keys", map, model, m -> List.copyOf(m.navigableKeySet()));
      case 1 -> both("descending keys", map, model, m -> List.copyOf(m.descendingKeySet()));
      case 2 -> both("values", map, model, m -> List.copyOf(m.values()));
      case 3 -> both("size", map, model, Map::size);
      case 4 ->
          both(
              "headSet " + key,
              map,
              model,
              m -> {
                NavigableSet<K> head = m.navigableKeySet().headSet(key, true);
                return head.isEmpty() ? null : List.of(head.first(), head.last(), head.size());
              });
      default -> {
        Random its = new Random(random.nextLong());
        String digit = Integer.toString(its.nextInt(36), 36);
        both(
            "values.removeIf",
            map,
            model,
            m -> m.headMap(key).values().removeIf(value -> value.startsWith(digit)));
      }
    }
  }

  private void rank(PersistentTreeMap<K, String> map, NavigableMap<K, String> model) {
    K key = key();
    int before = model.headMap(key).size();
    long rank = map.indexOf(key);
    long expected = model.containsKey(key) ? before : -1 - before;
    boolean isRight = rank == expected && map.size() == model.size();
    if (isRight && before < model.size()) {
      isRight = Objects.equals(map.keyAt(before), model.ceilingKey(key));
    }
    if (!isRight) {
      throw new AssertionError(
          "indexOf %s: found=%d, expected=%d, size=%d, expected size=%d"
              .formatted(key, rank, expected, map.size(), model.size()));
    }
    try {
      throw new AssertionError("a key behind the last one: " + map.keyAt(model.size()));
    } catch (IndexOutOfBoundsException _) {
      // as it should be
    }
  }

  /// Entries after the last one; some of the keys are refused.
  private void load(PersistentTreeMap<K, String> map, NavigableMap<K, String> model) {
    TreeMap<K, String> loaded = new TreeMap<>(model.comparator());
    for (int i = random.nextInt(isGrowing() && model.size() < 20 ? 3_000 : 60); i >= 0; i--) {
      loaded.put(keys.numbered().apply(random.nextInt(2 * range)), value());
    }
    Map<K, String> behind = model.isEmpty() ? loaded : loaded.tailMap(model.lastKey(), false);
    long count = map.load(behind.entrySet().iterator());
    if (count != behind.size()) {
      throw new AssertionError("load: found=%d, expected=%d".formatted(count, behind.size()));
    }
    model.putAll(behind);
    if (!model.isEmpty()) {
      Map<K, String> refused = Map.of(model.firstKey(), "refused");
      try {
        map.load(refused.entrySet().iterator());
        throw new AssertionError("a key that is there was loaded");
      } catch (IllegalArgumentException _) {
        // as it should be
      }
    }
  }
}
