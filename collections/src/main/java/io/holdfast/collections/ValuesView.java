package io.holdfast.collections;

import java.util.AbstractCollection;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;

/// The values of a map. Two are the same if their encoded forms are.
///
/// Thread-safe as the map is.
abstract class ValuesView<V> extends AbstractCollection<V> {
  private final Map<?, V> map;

  ValuesView(Map<?, V> map) {
    this.map = map;
  }

  @Override
  public final int size() {
    return map.size();
  }

  @Override
  public final boolean isEmpty() {
    return map.isEmpty();
  }

  @Override
  public final boolean contains(Object value) {
    return map.containsValue(value);
  }

  @Override
  public final void clear() {
    map.clear();
  }

  @Override
  public final boolean removeAll(Collection<?> others) {
    Objects.requireNonNull(others, "others");
    return removeIf(others::contains);
  }

  @Override
  public final boolean retainAll(Collection<?> others) {
    Objects.requireNonNull(others, "others");
    return removeIf(value -> !others.contains(value));
  }
}
