package io.holdfast.collections;

import java.util.Map;

/// An entry whose key and value are at hand.
///
/// Confined to a thread.
final class DecodedEntry<K, V> extends WritingEntry<K, V> {
  private final K key;
  private V value;

  DecodedEntry(Map<K, V> map, K key, V value) {
    super(map);
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
  void show(V newValue) {
    value = newValue;
  }
}
