package io.holdfast.collections;

import io.holdfast.core.section.SelfReporting;
import java.util.AbstractMap;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.function.BiFunction;
import java.util.function.Function;

/// The operations of a sorted map or view on one key. A function that computes a value is called
/// once, while the key's leaf is locked, and must not use the map but to look up single keys.
///
/// Two values are the same if their encoded forms are.
///
/// Thread-safe as the tree is.
abstract class SortedSingles<K, V> extends AbstractMap<K, V>
    implements ConcurrentNavigableMap<K, V>, SelfReporting {
  final SortedEntries<K, V> entries;
  final SortedRange<K, V> range;

  SortedSingles(SortedEntries<K, V> entries, SortedRange<K, V> range) {
    this.entries = entries;
    this.range = range;
  }

  @SuppressWarnings("unchecked") // the codec's or comparator's own casts tell
  private K asKey(Object key) {
    return (K) Objects.requireNonNull(key, "key");
  }

  @Override
  public V get(Object key) {
    K its = asKey(key);
    return range.contains(its) ? entries.get(its) : null;
  }

  /// Whether a key has a value whose encoded form is that of another one.
  boolean contains(Object key, Object value) {
    K its = asKey(key);
    return value != null && range.contains(its) && entries.contains(its, value);
  }

  @Override
  public boolean containsKey(Object key) {
    return get(key) != null;
  }

  @Override
  public V getOrDefault(Object key, V otherwise) {
    V found = get(key);
    return found == null ? otherwise : found;
  }

  @Override
  public V put(K key, V value) {
    range.check(key);
    Objects.requireNonNull(value, "value");
    return entries.put(key, value);
  }

  @Override
  public V remove(Object key) {
    K its = asKey(key);
    return range.contains(its) ? entries.remove(its) : null;
  }

  @Override
  public V putIfAbsent(K key, V value) {
    range.check(key);
    Objects.requireNonNull(value, "value");
    return entries.putIfAbsent(key, value);
  }

  @Override
  public boolean remove(Object key, Object value) {
    K its = asKey(key);
    return value != null && range.contains(its) && entries.replaceIf(its, value, null);
  }

  @Override
  public boolean replace(K key, V oldValue, V newValue) {
    Objects.requireNonNull(oldValue, "oldValue");
    Objects.requireNonNull(newValue, "newValue");
    Objects.requireNonNull(key, "key");
    return range.contains(key) && entries.replaceIf(key, oldValue, newValue);
  }

  @Override
  public V replace(K key, V value) {
    Objects.requireNonNull(value, "value");
    Objects.requireNonNull(key, "key");
    return range.contains(key) ? entries.replace(key, value) : null;
  }

  @Override
  public abstract NavigableSet<K> keySet();

  // Functions

  /// As `TreeMap` does: a key outside of the view has no value, and can be given none.
  private V computeOutside(K key, V made) {
    if (made != null) {
      range.check(key);
    }
    return null;
  }

  @Override
  public V compute(K key, BiFunction<? super K, ? super V, ? extends V> function) {
    Objects.requireNonNull(function, "function");
    Objects.requireNonNull(key, "key");
    return range.contains(key)
        ? entries.compute(key, before -> function.apply(key, before))
        : computeOutside(key, function.apply(key, null));
  }

  @Override
  public V computeIfAbsent(K key, Function<? super K, ? extends V> function) {
    Objects.requireNonNull(function, "function");
    V found = get(key);
    if (found != null) {
      return found;
    }
    return range.contains(key)
        ? entries.compute(key, before -> before == null ? function.apply(key) : before)
        : computeOutside(key, function.apply(key));
  }

  @Override
  public V computeIfPresent(K key, BiFunction<? super K, ? super V, ? extends V> function) {
    Objects.requireNonNull(function, "function");
    Objects.requireNonNull(key, "key");
    return range.contains(key)
        ? entries.compute(key, before -> before == null ? null : function.apply(key, before))
        : null;
  }

  @Override
  public V merge(K key, V value, BiFunction<? super V, ? super V, ? extends V> function) {
    Objects.requireNonNull(function, "function");
    Objects.requireNonNull(value, "value");
    range.check(key);
    return entries.compute(key, before -> before == null ? value : function.apply(before, value));
  }

  /// Replaces the value of each entry by what a function makes of it, one after the other.
  ///
  /// @throws NullPointerException if the function returns `null`; what was replaced stays so
  @Override
  public void replaceAll(BiFunction<? super K, ? super V, ? extends V> function) {
    Objects.requireNonNull(function, "function");
    for (K key : keySet()) {
      computeIfPresent(key, (k, value) -> Objects.requireNonNull(function.apply(k, value)));
    }
  }
}
