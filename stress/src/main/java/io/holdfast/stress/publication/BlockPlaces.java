package io.holdfast.stress.publication;

import io.holdfast.collections.PersistentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/// Keys of one map whose values are so large that each has a block, or several, of the heap.
final class BlockPlaces {
  private static final PersistentHashMap<Integer, String> MAP =
      QueuePool.STORE.hashMap("blocks", Integer.class, String.class);
  private static final AtomicInteger KEYS = new AtomicInteger();

  /// A key that nobody else uses.
  record Place(int key, int chars) {
    private String value() {
      return String.valueOf((char) (' ' + key % 90)).repeat(chars);
    }

    void put() {
      MAP.put(key, value());
    }

    void remove() {
      MAP.remove(key);
    }

    /// 1 if its value is there, whole; 0 if none is; -1 if something else is.
    int look() {
      String found = MAP.get(key);
      return found == null ? 0 : found.equals(value()) ? 1 : -1;
    }
  }

  static Place place(int chars) {
    return new Place(KEYS.incrementAndGet(), chars);
  }

  private BlockPlaces() {}
}
