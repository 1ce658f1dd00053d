package io.holdfast.stress.failures;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.Map;
import java.util.TreeMap;

/// Changes of maps, trees and queues.
final class CollectionScenes {
  private static final String LARGE = "x".repeat(20_000);

  static void put(Stage stage, Map<Long, String> map) {
    map.put(100L, "new");
    stage.did();
    map.put(3L, "replaced");
    stage.did();
    map.remove(4L);
    stage.did();
  }

  static void putLarge(Stage stage, Map<Long, String> map) {
    map.put(100L, LARGE);
    stage.did();
    map.put(100L, "small");
    stage.did();
    map.put(3L, LARGE + "y");
    stage.did();
    map.remove(3L);
    stage.did();
  }

  static void clear(Stage stage, Map<Long, String> map) {
    map.clear();
    stage.did();
    map.put(7L, "new");
    stage.did();
  }

  static void mapFunctions(Stage stage) {
    stage.map.compute(3L, (_, value) -> value + "!");
    stage.did();
    stage.map.merge(4L, "more", (value, more) -> value + more);
    stage.did();
    stage.map.computeIfAbsent(200L, key -> "made" + key);
    stage.did();
    stage.map.computeIfPresent(5L, (_, _) -> null);
    stage.did();
    stage.map.putIfAbsent(201L, "put");
    stage.did();
    stage.map.replace(6L, "old6", "replaced");
    stage.did();
    stage.map.remove(7L, "old7");
    stage.did();
  }

  static void mapBatch(Stage stage) {
    stage.map.putAll(entries(5, 30));
    stage.did();
  }

  private static Map<Long, String> entries(long from, int count) {
    Map<Long, String> entries = new TreeMap<>();
    for (long key = from; key < from + count; key++) {
      entries.put(key, "new" + key);
    }
    return entries;
  }

  static void mapViews(Stage stage) {
    for (Iterator<Map.Entry<Long, String>> each = stage.map.entrySet().iterator();
        each.hasNext(); ) {
      Map.Entry<Long, String> entry = each.next();
      if (entry.getKey() == 4) {
        entry.setValue("set");
        stage.did();
      } else if (entry.getKey() == 8) {
        each.remove();
        stage.did();
      }
    }
    stage.map.keySet().remove(9L);
    stage.did();
    stage.map.get(1L);
    stage.map.size();
  }

  static void mapSplits(Stage stage) {
    for (long key = 0; key < 150; key++) {
      stage.map.put(1_000 + key, "value" + key);
      stage.did();
    }
  }

  static void treeFunctions(Stage stage) {
    stage.tree.compute(3L, (_, value) -> value + "!");
    stage.did();
    stage.tree.merge(4L, "more", (value, more) -> value + more);
    stage.did();
    stage.tree.computeIfAbsent(200L, key -> "made" + key);
    stage.did();
    stage.tree.replace(6L, "old6", "replaced");
    stage.did();
    stage.tree.remove(7L, "old7");
    stage.did();
    stage.tree.pollFirstEntry();
    stage.did();
    stage.tree.pollLastEntry();
    stage.did();
  }

  static void treeSplits(Stage stage) {
    for (long key = 0; key < 60; key++) {
      stage.tree.put(1_000 + key * 7 % 60, "v".repeat(60));
      stage.did();
    }
  }

  static void treeMerges(Stage stage) {
    for (long key = 10; key < 110; key++) {
      stage.tree.remove(key);
      stage.did();
    }
  }

  static void treeViews(Stage stage) {
    stage.tree.subMap(2L, 8L).firstKey();
    stage.tree.descendingMap().headMap(5L).size();
    Iterator<Long> keys = stage.tree.keySet().iterator();
    keys.next();
    keys.remove();
    stage.did();
    stage.tree.ceilingEntry(5L);
    stage.tree.indexOf(6L);
    stage.tree.keyAt(3);
  }

  static void queueOffer(Stage stage) throws Exception {
    stage.queue.offer("new");
    stage.did();
    stage.queue.poll();
    stage.did();
    stage.queue.offer(LARGE);
    stage.did();
    stage.queue.put("newer");
    stage.did();
    stage.queue.take();
    stage.did();
  }

  static void queueBlocks(Stage stage) {
    for (int i = 0; i < 60; i++) {
      stage.queue.offer("y".repeat(400) + i);
      stage.did();
    }
    for (int i = 0; i < 60; i++) {
      stage.queue.poll();
      stage.did();
    }
  }

  static void queueRemove(Stage stage) {
    removeInside(stage);
    stage.queue.peek();
    stage.queue.drainTo(new ArrayList<>(), 1);
    stage.did();
    stage.queue.removeUnreadable(_ -> {});
  }

  static void queueHeld(Stage stage) {
    stage.atomically(
        () -> {
          removeInside(stage);
          stage.queue.peek();
          stage.queue.size();
          stage.queue.drainTo(new ArrayList<>(), 1);
          stage.did();
          stage.queue.offer("new");
          stage.did();
        });
  }

  private static void removeInside(Stage stage) {
    stage.queue.remove("old5");
    stage.did();
    Iterator<String> each = stage.queue.iterator();
    each.next();
    each.next();
    each.remove();
    stage.did();
  }

  static void hasty(Stage stage) {
    for (long key = 100; key < 140; key++) {
      stage.map.put(key, "one of many");
    }
    stage.did();
  }

  private CollectionScenes() {}
}
