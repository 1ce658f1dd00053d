package io.holdfast.collections;

import java.util.Map;

/// An entry as a walk has found it; a value that is set goes to the map as well. Not serializable,
/// unlike the entries that are copies: it leads to an open file.
///
/// Confined to a thread.
final class WritingEntry<K, V> implements Map.Entry<K, V> {
  private final Map<K, V> map;
  private final K key;
  private V value;

  WritingEntry(Map<K, V> map, K key, V value) {
    this.map = map;
    this.key = key;
    this.value = value;
  }

  @Override
  public K getKey() {
    return key;
  }

  @Override
  public V getValue() {
    return value;
  }

  @Override
  public V setValue(V newValue) {
    V before = value;
    map.put(key, newValue);
    value = newValue;
    return before;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Map.Entry<?, ?> that
        && key.equals(that.getKey())
        && value.equals(that.getValue());
  }

  @Override
  public int hashCode() {
    return key.hashCode() ^ value.hashCode();
  }

  @Override
  public String toString() {
    return key + "=" + value;
  }
}
