package io.holdfast.collections;

import io.holdfast.collections.map.Encoded;
import io.holdfast.collections.tree.EntryTree;
import io.holdfast.collections.tree.EntryTree.Entry;
import io.holdfast.collections.tree.LeafEntries;
import io.holdfast.collections.tree.TreeWalk;
import io.holdfast.core.recovery.Region;
import java.util.AbstractMap.SimpleImmutableEntry;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;

/// The entries of a tree as a program sees them: decoded. A function that is to compute a value
/// can't come back and change the map (UPDATE-1); a page that is missing is an exception of ours
/// (FAULT-1).
///
/// Thread-safe.
final class SortedEntries<K, V> {
  private final Region region;
  private final EntryTree tree;
  private final FunctionGuard guard;
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
    this.guard = new FunctionGuard(region.memory().name());
    this.keys = keys;
    this.values = values;
    this.comparator = comparator;
  }

  /// The tree, for what a function that computes a value must not do.
  ///
  /// @throws IllegalStateException in such a function
  EntryTree tree() {
    guard.check();
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

  K key(LeafEntries page, int index) {
    return page.areWords() && keys.isOfWords()
        ? keys.decoded(page.keyWord(index))
        : keys.decoded(page.key(index));
  }

  V value(LeafEntries page, int index) {
    return page.areWords() && values.isOfWords()
        ? values.decoded(page.valueWord(index))
        : values.decoded(page.value(index));
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
      return decodedOrNull(tree().put(keys.encoded(key), values.encoded(value)));
    } catch (InternalError e) {
      throw region.sections().faulted(e);
    }
  }

  V remove(K key) {
    try {
      return decodedOrNull(tree().remove(keys.encoded(key)));
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

  /// Replaces a value by what a function of the program's makes of it; called once, under a lock of
  /// the map.
  ///
  /// @param function from the value, or `null`, to the value, or `null` for no entry; what has the
  ///   same bytes as the former one is not stored again
  /// @return the value that is there now, as the function has returned it
  V compute(K key, UnaryOperator<V> function) {
    List<V> made = new ArrayList<>(1);
    change(
        key,
        before -> {
          // UPDATE-1. Test: PersistentTreeMapFunctionsTest.update1AFunctionThatComesBack.
          V after = guard.run(() -> function.apply(decodedOrNull(before)));
          made.add(after);
          Encoded encoded = after == null ? null : values.encoded(after);
          return before != null && before.equals(encoded) ? before : encoded;
        });
    return made.getFirst();
  }

  private V change(K key, UnaryOperator<Encoded> function) {
    try {
      return decodedOrNull(tree().compute(keys.encoded(key), function));
    } catch (InternalError e) {
      throw region.sections().faulted(e);
    }
  }

  /// The nearest entry from a key on; see `EntryTree`.
  Map.Entry<K, V> nearest(K from, boolean inclusive, boolean ascending) {
    try {
      Encoded at = from == null ? null : keys.encoded(from);
      Entry found = tree().nearest(at, inclusive, ascending);
      return found == null ? null : new SimpleImmutableEntry<>(key(found), value(found));
    } catch (InternalError e) {
      throw region.sections().faulted(e);
    }
  }

  TreeWalk walk(boolean ascending) {
    return tree().walk(ascending);
  }

  /// Begins a walk; see `TreeWalk`.
  ///
  /// @param from `null` for the tree's end
  LeafEntries from(TreeWalk walk, K from, boolean inclusive) {
    try {
      return walk.from(from == null ? null : keys.encoded(from), inclusive);
    } catch (InternalError e) {
      throw region.sections().faulted(e);
    }
  }

  /// Goes on with a walk.
  LeafEntries next(TreeWalk walk) {
    guard.check();
    try {
      return walk.next();
    } catch (InternalError e) {
      throw region.sections().faulted(e);
    }
  }

  long indexOf(K key) {
    try {
      return tree().indexOf(keys.encoded(key));
    } catch (InternalError e) {
      throw region.sections().faulted(e);
    }
  }

  /// @return `null` if there are not so many
  K keyAt(long index) {
    try {
      Encoded found = tree().keyAt(index);
      return found == null ? null : keys.decoded(found);
    } catch (InternalError e) {
      throw region.sections().faulted(e);
    }
  }

  long size() {
    try {
      return tree().size();
    } catch (InternalError e) {
      throw region.sections().faulted(e);
    }
  }

  void deleted(boolean isDeleted) {
    tree.deleted(isDeleted);
  }

  /// Stores entries whose keys ascend; see `TreeLoader`.
  ///
  /// @return how many
  long load(Iterator<? extends Map.Entry<? extends K, ? extends V>> sorted) {
    guard.check();
    try {
      return tree.load(
          new Iterator<>() {
            @Override
            public boolean hasNext() {
              return sorted.hasNext();
            }

            @Override
            public Entry next() {
              Map.Entry<? extends K, ? extends V> next = sorted.next();
              K key = Objects.requireNonNull(next.getKey(), "key");
              V value = Objects.requireNonNull(next.getValue(), "value");
              return new Entry(keys.encoded(key), values.encoded(value));
            }
          });
    } catch (InternalError e) {
      throw region.sections().faulted(e);
    }
  }

  void clear() {
    try {
      tree().clear();
    } catch (InternalError e) {
      throw region.sections().faulted(e);
    }
  }
}
