package io.holdfast.linearizability;

import io.holdfast.Holdfast;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Queue;
import java.util.TreeMap;

/// A queue, a map and a sorted map: those of a store, or what they must be like.
record Content(Queue<String> queue, Map<String, String> map, NavigableMap<String, String> tree) {
  static Content of(Holdfast store) {
    return new Content(
        store.queue("queue", String.class),
        store.hashMap("map", String.class, String.class),
        store.treeMap("tree", String.class, String.class));
  }

  /// The same, in the collections of the JDK.
  Content copy() {
    return new Content(new ArrayDeque<>(queue), new TreeMap<>(map), new TreeMap<>(tree));
  }

  /// What is in them, to be compared.
  Object state() {
    return List.of(List.copyOf(queue), new TreeMap<>(map), new TreeMap<>(tree));
  }
}
