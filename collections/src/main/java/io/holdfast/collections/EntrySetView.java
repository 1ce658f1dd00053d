package io.holdfast.collections;

import java.util.AbstractSet;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;

/// The entries of a map, as a set. An entry is in it if its key is there and its value has the same
/// encoded form as the key's.
///
/// Thread-safe as the map is.
abstract class EntrySetView<K, V> extends AbstractSet<Map.Entry<K, V>> {
  private final Map<K, V> map;

  EntrySetView(Map<K, V> map) {
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
  public final void clear() {
    map.clear();
  }

  /// Each as {@link #remove} does, however many entries there are.
  @Override
  public final boolean removeAll(Collection<?> others) {
    boolean isRemoved = false;
    for (Object each : others) {
      isRemoved |= remove(each);
    }
    return isRemoved;
  }

  @Override
  public final boolean retainAll(Collection<?> others) {
    Objects.requireNonNull(others, "others");
    return removeIf(entry -> !others.contains(entry));
  }
}
