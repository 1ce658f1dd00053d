package io.holdfast.collections;

import io.holdfast.collections.map.Encoded;
import io.holdfast.collections.tree.EntryTree;
import io.holdfast.collections.tree.EntryTree.Entry;
import io.holdfast.collections.tree.EntryTree.Page;
import io.holdfast.core.recovery.Region;
import java.util.AbstractMap.SimpleImmutableEntry;
import java.util.Comparator;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;

/// The entries of a tree as a program sees them: decoded. A page that is missing is an exception of
/// ours (FAULT-1).
///
/// Thread-safe.
final class SortedEntries<K, V> {
  private final Region region;
  private final EntryTree tree;
  private final EncodedForm<K> keys;
  private final EncodedForm<V> values;

  /// `null` for the natural order.
  private final Comparator<? super K> comparator;

  SortedEntries(
      Region region,
      EntryTree tree,
      EncodedForm<K> keys,
      EncodedForm<V> values,
      Comparator<? super K> comparator) {
    this.region = region;
    this.tree = tree;
    this.keys = keys;
    this.values = values;
    this.comparator = comparator;
  }

  EntryTree tree() {
    return tree;
  }

  Comparator<? super K> comparator() {
    return comparator;
  }

  @SuppressWarnings("unchecked") // as natural order is; a class without one throws
  int compare(K one, K other) {
    return comparator == null
        ? ((Comparable<? super K>) one).compareTo(other)
        : comparator.compare(one, other);
  }

  private V decodedOrNull(Encoded value) {
    return value == null ? null : values.decoded(value);
  }

  K key(Entry entry) {
    return keys.decoded(entry.key());
  }

  V value(Entry entry) {
    return values.decoded(entry.value());
  }

  V get(K key) {
    try {
      return decodedOrNull(tree.get(keys.encoded(key)));
    } catch (InternalError e) {
      throw region.sections().faulted(e);
    }
  }

  V put(K key, V value) {
    try {
      return decodedOrNull(tree.put(keys.encoded(key), values.encoded(value)));
    } catch (InternalError e) {
      throw region.sections().faulted(e);
    }
  }

  V remove(K key) {
    try {
      return decodedOrNull(tree.remove(keys.encoded(key)));
    } catch (InternalError e) {
      throw region.sections().faulted(e);
    }
  }

  /// Stores a value if a key's present one is as expected.
  ///
  /// @param expected `null` for no entry
  /// @param value `null` to remove the entry
  /// @return the value before
  V replaceIf(K key, Object expected, V value) {
    Encoded after = value == null ? null : values.encoded(value);
    return change(key, before -> Objects.equals(expected, decodedOrNull(before)) ? after : before);
  }

  /// Stores a value if a key has one.
  ///
  /// @return the value before
  V replace(K key, V value) {
    Encoded after = values.encoded(value);
    return change(key, before -> before == null ? null : after);
  }

  private V change(K key, UnaryOperator<Encoded> function) {
    try {
      return decodedOrNull(tree.compute(keys.encoded(key), function));
    } catch (InternalError e) {
      throw region.sections().faulted(e);
    }
  }

  /// The nearest entry from a key on; see `EntryTree`.
  Map.Entry<K, V> nearest(K from, boolean inclusive, boolean ascending) {
    try {
      Encoded at = from == null ? null : keys.encoded(from);
      Entry found = tree.nearest(at, inclusive, ascending);
      return found == null ? null : new SimpleImmutableEntry<>(key(found), value(found));
    } catch (InternalError e) {
      throw region.sections().faulted(e);
    }
  }

  Page page(K from, boolean inclusive, boolean ascending) {
    return page(from == null ? null : keys.encoded(from), inclusive, ascending);
  }

  Page page(Encoded from, boolean inclusive, boolean ascending) {
    try {
      return tree.page(from, inclusive, ascending);
    } catch (InternalError e) {
      throw region.sections().faulted(e);
    }
  }

  long size() {
    try {
      return tree.size();
    } catch (InternalError e) {
      throw region.sections().faulted(e);
    }
  }

  void clear() {
    try {
      tree.clear();
    } catch (InternalError e) {
      throw region.sections().faulted(e);
    }
  }
}
