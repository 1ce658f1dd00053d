package io.holdfast.collections;

import java.util.AbstractCollection;
import java.util.AbstractMap.SimpleEntry;
import java.util.AbstractMap.SimpleImmutableEntry;
import java.util.AbstractSet;
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
import java.util.Spliterators;
import java.util.concurrent.ConcurrentNavigableMap;

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
    Map.Entry<K, V> found = entries.nearest(at, counts, upwards);
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
    while (true) {
      Map.Entry<K, V> found = nearest(null, true, upwards);
      if (found == null) {
        return null;
      }
      V removed = entries.remove(found.getKey());
      if (removed != null) { // else another thread was faster
        return new SimpleImmutableEntry<>(found.getKey(), removed);
      }
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

  @Override
  public boolean containsValue(Object value) {
    Objects.requireNonNull(value, "value");
    return super.containsValue(value);
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

  Iterator<K> keyIterator() {
    return new Through<>(walk()) {
      @Override
      public K next() {
        return walk.next();
      }
    };
  }

  /// An iterator that makes something of what a walk finds.
  private abstract static class Through<K, V, T> implements Iterator<T> {
    final SortedWalk<K, V> walk;

    Through(SortedWalk<K, V> walk) {
      this.walk = walk;
    }

    @Override
    public boolean hasNext() {
      return walk.hasNext();
    }

    @Override
    public void remove() {
      walk.remove();
    }
  }

  @Override
  public Collection<V> values() {
    return new AbstractCollection<>() {
      @Override
      public Iterator<V> iterator() {
        return new Through<>(walk()) {
          @Override
          public V next() {
            walk.next();
            return walk.value();
          }
        };
      }

      @Override
      public int size() {
        return SortedView.this.size();
      }

      @Override
      public boolean isEmpty() {
        return SortedView.this.isEmpty();
      }

      @Override
      public void clear() {
        SortedView.this.clear();
      }

      @Override
      public Spliterator<V> spliterator() {
        return Spliterators.spliteratorUnknownSize(
            iterator(), Spliterator.CONCURRENT | Spliterator.ORDERED | Spliterator.NONNULL);
      }
    };
  }

  @Override
  public Set<Map.Entry<K, V>> entrySet() {
    return new EntrySet();
  }

  private final class EntrySet extends AbstractSet<Map.Entry<K, V>> {
    @Override
    public Iterator<Map.Entry<K, V>> iterator() {
      return new Through<>(walk()) {
        @Override
        public Map.Entry<K, V> next() {
          return new LiveEntry(walk.next(), walk.value());
        }
      };
    }

    @Override
    public boolean contains(Object object) {
      return object instanceof Map.Entry<?, ?> entry
          && entry.getKey() != null
          && entry.getValue() != null
          && entry.getValue().equals(get(entry.getKey()));
    }

    @Override
    public boolean remove(Object object) {
      return object instanceof Map.Entry<?, ?> entry
          && entry.getKey() != null
          && SortedView.this.remove(entry.getKey(), entry.getValue());
    }

    @Override
    public int size() {
      return SortedView.this.size();
    }

    @Override
    public boolean isEmpty() {
      return SortedView.this.isEmpty();
    }

    @Override
    public void clear() {
      SortedView.this.clear();
    }

    @Override
    public Spliterator<Map.Entry<K, V>> spliterator() {
      return Spliterators.spliteratorUnknownSize(
          iterator(),
          Spliterator.CONCURRENT
              | Spliterator.ORDERED
              | Spliterator.NONNULL
              | Spliterator.DISTINCT);
    }
  }

  /// An entry as it was found, through which its value can be replaced.
  private final class LiveEntry extends SimpleEntry<K, V> {
    private static final long serialVersionUID = 1;

    LiveEntry(K key, V value) {
      super(key, value);
    }

    @Override
    public V setValue(V value) {
      put(getKey(), value);
      return super.setValue(value);
    }
  }
}
