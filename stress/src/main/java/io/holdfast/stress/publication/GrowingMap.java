package io.holdfast.stress.publication;

import io.holdfast.collections.PersistentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/// A map to which keys come and from which none goes; a new one is begun now and then, because a
/// small index is split more often than a large one.
final class GrowingMap {
  private static final int KEYS_MAX = 50_000;
  private static GrowingMap current;
  private static int made;

  private final PersistentHashMap<Integer, Integer> map =
      QueuePool.STORE.hashMap("growing-" + made++, Integer.class, Integer.class);
  private final AtomicInteger keys = new AtomicInteger();

  /// The one that new states use; the former ones stay, for those that use them still.
  static synchronized GrowingMap current() {
    if (current == null || current.keys.get() > KEYS_MAX) {
      current = new GrowingMap();
    }
    return current;
  }

  /// Adds a key that was not there.
  int add() {
    int key = keys.incrementAndGet();
    map.put(key, key);
    return key;
  }

  boolean has(int key) {
    Integer found = map.get(key);
    return found != null && found == key;
  }
}
