package io.holdfast.stress.visibility;

import io.holdfast.Holdfast;
import io.holdfast.collections.PersistentHashMap;
import io.holdfast.collections.PersistentQueue;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.concurrent.atomic.AtomicInteger;

/// The store in which the sections of all states store something.
final class SectionStore {
  private static final Holdfast STORE = open();
  private static final PersistentHashMap<Integer, Integer> PLACES =
      STORE.hashMap("places", Integer.class, Integer.class);
  private static final AtomicInteger KEYS = new AtomicInteger();

  /// A key that nobody else uses.
  record Place(int key) {
    void put() {
      PLACES.put(key, key);
    }

    void putAgain() {
      for (int i = 1; i <= 10; i++) {
        PLACES.put(key, key + i);
      }
    }

    void remove() {
      PLACES.remove(key);
    }
  }

  private static Holdfast open() {
    try {
      return Holdfast.open(Files.createTempDirectory("holdfast-jcstress-").resolve("store.hf"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Place place() {
    return new Place(KEYS.incrementAndGet());
  }

  static void sync() {
    STORE.sync();
  }

  /// An empty queue.
  static PersistentQueue<Integer> queue(String name) {
    return STORE.queue(name, Integer.class);
  }

  static void atomically(Runnable action) {
    STORE.atomically(action);
  }

  private SectionStore() {}
}
