package io.holdfast.collections;

import io.holdfast.codec.Encoded;
import java.util.AbstractMap.SimpleImmutableEntry;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.Iterator;
import java.util.Map;
import java.util.NavigableSet;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Set;
import java.util.Spliterator;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Predicate;

/// The entries of a tree whose keys are in a range, in ascending or descending order: a map of its
/// own or a view, which writes through.
///
/// Thread-safe as the tree is; iterators are weakly consistent.
class SortedView<K, V> extends SortedSingles<K, V> {
  private final boolean ascending;

  SortedView(SortedEntries<K, V> entries, SortedRange<K, V> range, boolean ascending) {
    super(entries, range);
    this.ascending = ascending;
  }

  // Neighbours

  /// The nearest entry in the range, upwards or downwards.
  private Map.Entry<K, V> nearest(K from, boolean inclusive, boolean upwards) {
    K at = from;
    boolean counts = inclusive;
    if (upwards && (at == null || range.isTooLow(at))) {
      at = range.low();
      counts = range.lowInclusive();
    } else if (!upwards && (at == null || range.isTooHigh(at))) {
      at = range.high();
      counts = range.highInclusive();
    }
    Map.Entry<K, V> found = entries.nearest(at, counts, upwards, range);
    return found != null && range.contains(found.getKey()) ? found : null;
  }

  private static <K> K keyOf(Map.Entry<K, ?> entry) {
    return entry == null ? null : entry.getKey();
  }

  @Override
  public Map.Entry<K, V> lowerEntry(K key) {
    return nearest(Objects.requireNonNull(key, "key"), false, !ascending);
  }

  @Override
  public K lowerKey(K key) {
    return keyOf(lowerEntry(key));
  }

  @Override
  public Map.Entry<K, V> floorEntry(K key) {
    return nearest(Objects.requireNonNull(key, "key"), true, !ascending);
  }

  @Override
  public K floorKey(K key) {
    return keyOf(floorEntry(key));
  }

  @Override
  public Map.Entry<K, V> ceilingEntry(K key) {
    return nearest(Objects.requireNonNull(key, "key"), true, ascending);
  }

  @Override
  public K ceilingKey(K key) {
    return keyOf(ceilingEntry(key));
  }

  @Override
  public Map.Entry<K, V> higherEntry(K key) {
    return nearest(Objects.requireNonNull(key, "key"), false, ascending);
  }

  @Override
  public K higherKey(K key) {
    return keyOf(higherEntry(key));
  }

  @Override
  public Map.Entry<K, V> firstEntry() {
    return nearest(null, true, ascending);
  }

  @Override
  public Map.Entry<K, V> lastEntry() {
    return nearest(null, true, !ascending);
  }

  @Override
  public K firstKey() {
    return existing(firstEntry());
  }

  @Override
  public K lastKey() {
    return existing(lastEntry());
  }

  private static <K> K existing(Map.Entry<K, ?> entry) {
    if (entry == null) {
      throw new NoSuchElementException("the map is empty");
    }
    return entry.getKey();
  }

  @Override
  public Map.Entry<K, V> pollFirstEntry() {
    return poll(ascending);
  }

  @Override
  public Map.Entry<K, V> pollLastEntry() {
    return poll(!ascending);
  }

  private Map.Entry<K, V> poll(boolean upwards) {
    K from = null;
    while (true) {
      Map.Entry<K, V> found = nearest(from, from == null, upwards);
      if (found == null) {
        return null;
      }
      K key = found.getKey();
      V removed = entries.remove(key);
      if (removed != null) {
        return new SimpleImmutableEntry<>(key, removed);
      }
      // Another thread was faster. If that is a section that has not ended, the entry is in place.
      from = entries.get(key) == null ? null : key;
    }
  }

  // As a whole

  @Override
  public boolean isEmpty() {
    return firstEntry() == null;
  }

  /// Counts the entries, unless the map is the whole tree.
  @Override
  public int size() {
    long count = 0;
    for (SortedWalk<K, V> each = walk(); each.hasNext(); each.next()) {
      count++;
    }
    return (int) Math.min(Integer.MAX_VALUE, count);
  }

  @Override
  public void clear() {
    for (SortedWalk<K, V> each = walk(); each.hasNext(); ) {
      each.next();
      each.remove();
    }
  }

  /// Without an entry for each.
  @Override
  public void forEach(BiConsumer<? super K, ? super V> action) {
    Objects.requireNonNull(action, "action");
    for (SortedWalk<K, V> each = walk(); each.hasNext(); ) {
      each.next();
      action.accept(each.key(), each.value());
    }
  }

  @Override
  public boolean containsValue(Object value) {
    Encoded sought = entries.encodedValueOrNull(Objects.requireNonNull(value, "value"));
    return sought != null && search(walk -> walk.hasValue(sought));
  }

  @Override
  public Comparator<? super K> comparator() {
    return ascending ? entries.comparator() : Collections.reverseOrder(entries.comparator());
  }

  private SortedWalk<K, V> walk() {
    return new SortedWalk<>(entries, range, ascending);
  }

  // Views

  private SortedView<K, V> part(K from, boolean fromInclusive, K to, boolean toInclusive) {
    SortedRange<K, V> part =
        ascending
            ? range.part(from, fromInclusive, to, toInclusive)
            : range.part(to, toInclusive, from, fromInclusive);
    return new SortedView<>(entries, part, ascending);
  }

  @Override
  public ConcurrentNavigableMap<K, V> subMap(
      K from, boolean fromInclusive, K to, boolean toInclusive) {
    return part(
        Objects.requireNonNull(from, "from"),
        fromInclusive,
        Objects.requireNonNull(to, "to"),
        toInclusive);
  }

  @Override
  public ConcurrentNavigableMap<K, V> headMap(K to, boolean inclusive) {
    return part(null, false, Objects.requireNonNull(to, "to"), inclusive);
  }

  @Override
  public ConcurrentNavigableMap<K, V> tailMap(K from, boolean inclusive) {
    return part(Objects.requireNonNull(from, "from"), inclusive, null, false);
  }

  @Override
  public ConcurrentNavigableMap<K, V> subMap(K from, K to) {
    return subMap(from, true, to, false);
  }

  @Override
  public ConcurrentNavigableMap<K, V> headMap(K to) {
    return headMap(to, false);
  }

  @Override
  public ConcurrentNavigableMap<K, V> tailMap(K from) {
    return tailMap(from, true);
  }

  @Override
  public ConcurrentNavigableMap<K, V> descendingMap() {
    return new SortedView<>(entries, range, !ascending);
  }

  @Override
  public NavigableSet<K> navigableKeySet() {
    return new SortedKeys<>(this);
  }

  @Override
  public NavigableSet<K> keySet() {
    return navigableKeySet();
  }

  @Override
  public NavigableSet<K> descendingKeySet() {
    return descendingMap().navigableKeySet();
  }

  @Override
  public Collection<V> values() {
    return new SortedValues<>(this);
  }

  @Override
  public Set<Map.Entry<K, V>> entrySet() {
    return new SortedEntrySet<>(this);
  }

  // For the views

  /// An iterator that makes something of what a walk finds.
  <T> Iterator<T> iterator(Function<SortedWalk<K, V>, T> shown) {
    SortedWalk<K, V> walk = walk();
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return walk.hasNext();
      }

      @Override
      public T next() {
        walk.next();
        return shown.apply(walk);
      }

      @Override
      public void remove() {
        walk.remove();
      }
    };
  }

  /// Over distinct elements, in the order of their keys.
  ///
  /// @param order `null` for the natural one
  <T> Spliterator<T> spliterator(Function<SortedWalk<K, V>, T> shown, Comparator<? super T> order) {
    return SortedSpliterator.ofDistinct(range, ascending, shown, order);
  }

  <T> Spliterator<T> spliterator(Function<SortedWalk<K, V>, T> shown) {
    return SortedSpliterator.ofAny(range, ascending, shown);
  }

  /// Whether a condition holds for one of the entries; the others after it are left alone.
  boolean search(Predicate<SortedWalk<K, V>> condition) {
    SortedWalk<K, V> walk = walk();
    while (walk.hasNext()) {
      walk.next();
      if (condition.test(walk)) {
        return true;
      }
    }
    return false;
  }

  /// Unlike by an iterator, an entry is removed only with the value that was looked at.
  boolean removeIf(Predicate<SortedWalk<K, V>> condition) {
    boolean isRemoved = false;
    SortedWalk<K, V> walk = walk();
    while (walk.hasNext()) {
      walk.next();
      isRemoved |= condition.test(walk) && walk.removeUnchanged();
    }
    return isRemoved;
  }

  /// Compares keys in the view's direction.
  int compare(K one, K other) {
    return ascending ? entries.compare(one, other) : entries.compare(other, one);
  }
}
