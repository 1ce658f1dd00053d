package io.holdfast.collections;

import java.util.Map;

/// An entry of two words, each of which is decoded when it is asked for: whoever goes over entries
/// and uses their numbers needs no object for a number, and as a rule the compiler sees that he
/// needs none for the entry.
///
/// Confined to a thread.
final class WordEntry<K, V> extends WritingEntry<K, V> {
  private final SortedEntries<K, V> entries;
  private final long key;
  private long value;

  /// @param value of a word that can be decoded
  WordEntry(SortedEntries<K, V> entries, Map<K, V> map, long key, long value) {
    super(map);
    this.entries = entries;
    this.key = key;
    this.value = value;
  }

  @Override
  public K getKey() {
    return entries.key(key);
  }

  @Override
  public V getValue() {
    return entries.value(value);
  }

  @Override
  void show(V newValue) {
    value = entries.valueWord(newValue);
  }
}
