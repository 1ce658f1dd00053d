package io.holdfast.stress.failures;

import io.holdfast.Holdfast;
import io.holdfast.NamedRoot;
import io.holdfast.collections.Due;
import io.holdfast.collections.PersistentDelayQueue;
import io.holdfast.collections.PersistentHashMap;
import io.holdfast.collections.PersistentQueue;
import io.holdfast.collections.PersistentTreeMap;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// All that is in a store, by name and key; without what was put there after the operation.
///
/// @param contents of each collection, as text
record Snapshot(Map<String, String> contents) {
  /// Keys from here on, and elements that begin so, are of {@link Stage#useOn}.
  static final long LATER = 1L << 40;

  static final String LATER_ELEMENT = "later";

  /// @throws Violation if what a collection says in one way contradicts what it says in another
  static Snapshot of(Holdfast store) {
    Map<String, String> contents = new TreeMap<>();
    for (NamedRoot root : store.roots()) {
      String name = root.name();
      contents.put(
          name,
          switch (root.kind()) {
            case PersistentHashMap.KIND -> of(name, store.hashMap(name, Long.class, String.class));
            case PersistentTreeMap.KIND -> of(name, store.treeMap(name, Long.class, String.class));
            case PersistentDelayQueue.KIND -> of(name, store.delayQueue(name, Long.class));
            default -> of(name, store.queue(name, String.class));
          });
    }
    return new Snapshot(contents);
  }

  private static String of(String name, Map<Long, String> map) {
    Map<Long, String> entries = new TreeMap<>();
    int count = 0;
    for (Map.Entry<Long, String> each : map.entrySet()) {
      count++;
      String found = map.get(each.getKey());
      if (!each.getValue().equals(found)) {
        throw new Violation(
            "%s: an entry that is walked over is not found: key=%d, walked=%s, found=%s"
                .formatted(name, each.getKey(), each.getValue(), found));
      }
      if (each.getKey() < LATER) {
        entries.put(each.getKey(), each.getValue());
      }
    }
    checkSize(name, map.size(), count);
    return entries.toString();
  }

  private static String of(String name, PersistentQueue<String> queue) {
    List<String> elements = new ArrayList<>();
    int count = 0;
    for (String each : queue) {
      count++;
      if (!each.startsWith(LATER_ELEMENT)) {
        elements.add(each);
      }
    }
    checkSize(name, queue.size(), count);
    return elements.toString();
  }

  private static String of(String name, PersistentDelayQueue<Long> queue) {
    List<Due<Long>> elements = List.copyOf(queue);
    Due<Long> first = queue.peek();
    if (!elements.isEmpty() && !elements.getFirst().equals(first)) {
      throw new Violation(
          "%s: an element that is there can't be taken: walked=%s, first=%s"
              .formatted(name, elements, first));
    }
    return elements.toString();
  }

  private static void checkSize(String name, int size, int count) {
    if (size != count) {
      throw new Violation(
          "%s: its size is wrong: size=%d, entries=%d".formatted(name, size, count));
    }
  }

  /// What is different, in short.
  String difference(Snapshot other) {
    StringBuilder text = new StringBuilder();
    Map<String, String> all = new TreeMap<>(contents);
    all.putAll(other.contents);
    for (String name : all.keySet()) {
      String mine = contents.get(name);
      String its = other.contents.get(name);
      if (mine == null || !mine.equals(its)) {
        text.append(name)
            .append(": ")
            .append(cut(mine))
            .append(" against ")
            .append(cut(its))
            .append("; ");
      }
    }
    return text.toString();
  }

  private static String cut(String text) {
    return text == null || text.length() < 160 ? text : text.substring(0, 160) + "…";
  }
}
