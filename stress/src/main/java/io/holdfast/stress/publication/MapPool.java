package io.holdfast.stress.publication;

import io.holdfast.collections.PersistentHashMap;
import io.holdfast.stress.publication.QueuePool.Element;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;

/// Maps, and places in one map, for states of which jcstress makes many at once; of elements that
/// are all different, as those of {@link QueuePool}.
final class MapPool {
  private static final AtomicInteger MADE = new AtomicInteger();
  private static final Queue<PersistentHashMap<Integer, Element>> IDLE =
      new ConcurrentLinkedQueue<>();
  private static final PersistentHashMap<Integer, Element> PLACES = newMap("places");
  private static final AtomicInteger KEYS = new AtomicInteger();

  /// A key that nobody else uses, in a map that all share.
  static final class Place {
    private final ConcurrentMap<Integer, Element> places;
    private final int key = KEYS.incrementAndGet();

    Place() {
      this(PLACES);
    }

    Place(ConcurrentMap<Integer, Element> places) {
      this.places = places;
    }

    /// Puts an element that never was before.
    Element put() {
      Element made = QueuePool.element();
      put(made);
      return made;
    }

    void put(Element element) {
      places.put(key, element);
    }

    Element get() {
      return places.get(key);
    }

    void remove() {
      places.remove(key);
    }
  }

  private static PersistentHashMap<Integer, Element> newMap(String name) {
    return QueuePool.STORE.hashMap(name, Integer.class, Element.class);
  }

  /// An empty map that nobody else uses.
  static PersistentHashMap<Integer, Element> take() {
    PersistentHashMap<Integer, Element> idle = IDLE.poll();
    return idle != null ? idle : newMap("map-" + MADE.incrementAndGet());
  }

  static void giveBack(PersistentHashMap<Integer, Element> map) {
    map.remove(1);
    IDLE.add(map);
  }

  private MapPool() {}
}
