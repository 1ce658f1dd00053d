package io.holdfast.stress.isolation;

import io.holdfast.Holdfast;
import io.holdfast.collections.PersistentHashMap;
import io.holdfast.collections.PersistentTreeMap;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.concurrent.atomic.AtomicInteger;

/// Two keys that nobody else uses, one of a map and one of a sorted map, each with a number. All
/// are in one store, for states of which jcstress makes many at once.
final class Pair {
  private static final Holdfast STORE = open();
  private static final PersistentHashMap<Integer, Integer> MAP =
      STORE.hashMap("map", Integer.class, Integer.class);
  private static final PersistentTreeMap<Integer, Integer> TREE =
      STORE.treeMap("tree", Integer.class, Integer.class);

  /// How many keys of the sorted map belong to a pair, from its own on.
  private static final int RANGE = 8;

  private static final AtomicInteger MADE = new AtomicInteger();

  private final int key = MADE.incrementAndGet() * RANGE;

  private static Holdfast open() {
    try {
      return Holdfast.open(Files.createTempDirectory("holdfast-jcstress-").resolve("store.hf"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Pair(int one, int other) {
    setOne(one);
    setOther(other);
  }

  /// An empty range in the sorted map, and nothing in the map.
  Pair() {}

  static void transaction(Runnable body) {
    STORE.transaction(body);
  }

  static void atomically(Runnable action) {
    STORE.atomically(action);
  }

  int one() {
    return MAP.get(key);
  }

  int other() {
    return TREE.get(key);
  }

  void setOne(int number) {
    MAP.put(key, number);
  }

  void setOther(int number) {
    TREE.put(key, number);
  }

  /// In one operation for each.
  void addToBoth(int amount) {
    MAP.merge(key, amount, Integer::sum);
    TREE.merge(key, amount, Integer::sum);
  }

  /// What both are; -1 if they differ.
  int whatBothAre() {
    return one() == other() ? one() : -1;
  }

  /// How many keys of its range the sorted map has.
  int range() {
    int found = 0;
    for (int _ : TREE.subMap(key, key + RANGE).keySet()) {
      found++;
    }
    return found;
  }

  void addToRange(int number) {
    TREE.put(key + number, number);
  }

  void remove() {
    MAP.remove(key);
    TREE.subMap(key, key + RANGE).clear();
  }
}
