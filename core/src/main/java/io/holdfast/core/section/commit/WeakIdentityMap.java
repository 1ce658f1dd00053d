package io.holdfast.core.section.commit;

import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/// A map of objects by identity that keeps none of them alive. Its values must not refer to their
/// keys.
///
/// Thread-safe.
public final class WeakIdentityMap<V> {
  private final ConcurrentHashMap<Object, V> map = new ConcurrentHashMap<>();
  private final ReferenceQueue<Object> dead = new ReferenceQueue<>();

  private static final class Key extends WeakReference<Object> {
    private final int hash;

    Key(Object object, ReferenceQueue<Object> dead) {
      super(object, dead);
      hash = System.identityHashCode(object);
    }

    @Override
    public int hashCode() {
      return hash;
    }

    @Override
    public boolean equals(Object other) {
      if (other instanceof Key key) {
        Object object = get();
        return this == key || object != null && key.refersTo(object);
      }
      return other instanceof Probe probe && refersTo(probe.object);
    }
  }

  /// Asks for an object.
  private record Probe(Object object) {
    @Override
    public int hashCode() {
      return System.identityHashCode(object);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Key key && key.refersTo(object);
    }
  }

  /// `null` if there is none.
  public V get(Object object) {
    return map.get(new Probe(object));
  }

  public V computeIfAbsent(Object object, Supplier<V> value) {
    V found = get(object);
    if (found == null) {
      forgetTheDead();
      found = map.computeIfAbsent(new Key(object, dead), _ -> value.get());
    }
    return found;
  }

  public void put(Object object, V value) {
    forgetTheDead();
    map.put(new Key(object, dead), value);
  }

  private void forgetTheDead() {
    for (Object key = dead.poll(); key != null; key = dead.poll()) {
      map.remove(key);
    }
  }
}
