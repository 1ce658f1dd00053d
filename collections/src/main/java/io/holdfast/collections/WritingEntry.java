package io.holdfast.collections;

import java.util.Map;

/// An entry as a walk has found it; a value that is set goes to the map as well. Not serializable,
/// unlike the entries that are copies: it leads to an open file.
///
/// Confined to a thread.
abstract sealed class WritingEntry<K, V> implements Map.Entry<K, V>
    permits DecodedEntry, WordEntry {
  private final Map<K, V> map;

  WritingEntry(Map<K, V> map) {
    this.map = map;
  }

  /// Has {@link #getValue} return another value.
  abstract void show(V value);

  @Override
  public final V setValue(V newValue) {
    V before = getValue();
    map.put(getKey(), newValue);
    show(newValue);
    return before;
  }

  @Override
  public final boolean equals(Object other) {
    return other instanceof Map.Entry<?, ?> that
        && getKey().equals(that.getKey())
        && getValue().equals(that.getValue());
  }

  @Override
  public final int hashCode() {
    return getKey().hashCode() ^ getValue().hashCode();
  }

  @Override
  public final String toString() {
    return getKey() + "=" + getValue();
  }
}
