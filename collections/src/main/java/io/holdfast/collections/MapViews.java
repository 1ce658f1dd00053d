package io.holdfast.collections;

import io.holdfast.codec.Encoded;
import io.holdfast.codec.EncodedEntry;
import java.util.AbstractSet;
import java.util.Collection;
import java.util.Iterator;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.Spliterator;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;

/// The keys, values and entries of a map as collections: nothing is kept here, each call asks the
/// map. Iterators and spliterators are weakly consistent; removing writes through.
final class MapViews<K, V> {
  private final PersistentHashMap<K, V> map;
  private final GuardedEntries entries;
  private final EncodedForm<K> keys;
  private final EncodedForm<V> values;

  MapViews(
      PersistentHashMap<K, V> map,
      GuardedEntries entries,
      EncodedForm<K> keys,
      EncodedForm<V> values) {
    this.map = map;
    this.entries = entries;
    this.keys = keys;
    this.values = values;
  }

  Set<K> keys() {
    return new Keys();
  }

  Collection<V> values() {
    return new Values();
  }

  Set<Map.Entry<K, V>> entries() {
    return new Entries();
  }

  /// Removes an entry unless its value has changed.
  private boolean remove(EncodedEntry entry) {
    boolean[] removed = new boolean[1];
    entries.compute(
        entry.key(),
        before -> {
          removed[0] = entry.value().equals(before);
          return removed[0] ? null : before;
        });
    return removed[0];
  }

  private final class Keys extends AbstractSet<K> {
    @Override
    public Iterator<K> iterator() {
      return new WalkIterator<>(entries, entry -> keys.decoded(entry.key()));
    }

    @Override
    public Spliterator<K> spliterator() {
      return new WalkSpliterator<>(
          new EntryWalk(entries), entry -> keys.decoded(entry.key()), Spliterator.DISTINCT);
    }

    @Override
    public int size() {
      return map.size();
    }

    @Override
    public boolean contains(Object key) {
      return map.containsKey(key);
    }

    @Override
    public boolean remove(Object key) {
      Encoded sought = keys.encodedOrNull(key);
      return sought != null && entries.remove(sought) != null;
    }

    @Override
    public void clear() {
      map.clear();
    }
  }

  private final class Values extends ValuesView<V> {
    Values() {
      super(map);
    }

    @Override
    public Iterator<V> iterator() {
      return new WalkIterator<>(entries, entry -> values.decoded(entry.value()));
    }

    @Override
    public Spliterator<V> spliterator() {
      return new WalkSpliterator<>(
          new EntryWalk(entries), entry -> values.decoded(entry.value()), 0);
    }

    @Override
    public boolean remove(Object value) {
      Encoded sought = value == null ? null : values.encodedOrNull(value);
      return sought != null
          && entries.search(
                  entry ->
                      entry.value().equals(sought) && MapViews.this.remove(entry) ? true : null)
              != null;
    }

    @Override
    public boolean removeIf(Predicate<? super V> filter) {
      Objects.requireNonNull(filter, "filter");
      return removeAllIf(entry -> filter.test(values.decoded(entry.value())));
    }
  }

  /// Unlike by an iterator, an entry is removed only with the value that was looked at.
  private boolean removeAllIf(Predicate<EncodedEntry> filter) {
    boolean removed = false;
    EntryWalk walk = new EntryWalk(entries);
    while (walk.hasNext()) {
      EncodedEntry entry = walk.next();
      removed |= filter.test(entry) && remove(entry);
    }
    return removed;
  }

  private final class Entries extends EntrySetView<K, V> {
    Entries() {
      super(map);
    }

    @Override
    public Iterator<Map.Entry<K, V>> iterator() {
      return new WalkIterator<>(entries, MapViews.this::entry);
    }

    @Override
    public Spliterator<Map.Entry<K, V>> spliterator() {
      return entrySpliterator();
    }

    @Override
    public boolean contains(Object object) {
      if (!(object instanceof Map.Entry<?, ?> entry)
          || entry.getKey() == null
          || entry.getValue() == null) {
        return false;
      }
      Encoded key = keys.encodedOrNull(entry.getKey());
      Encoded value = values.encodedOrNull(entry.getValue());
      return key != null && value != null && value.equals(entries.get(key));
    }

    @Override
    public boolean remove(Object object) {
      return object instanceof Map.Entry<?, ?> entry
          && entry.getKey() != null
          && map.remove(entry.getKey(), entry.getValue());
    }

    @Override
    public boolean removeIf(Predicate<? super Map.Entry<K, V>> filter) {
      Objects.requireNonNull(filter, "filter");
      return removeAllIf(entry -> filter.test(entry(entry)));
    }
  }

  Spliterator<Map.Entry<K, V>> entrySpliterator() {
    return new WalkSpliterator<>(new EntryWalk(entries), this::entry, Spliterator.DISTINCT);
  }

  private Map.Entry<K, V> entry(EncodedEntry encoded) {
    return new DecodedEntry<>(map, keys.decoded(encoded.key()), values.decoded(encoded.value()));
  }

  private static final class WalkIterator<T> implements Iterator<T> {
    private final GuardedEntries entries;
    private final EntryWalk walk;
    private final Function<EncodedEntry, T> shown;
    private Encoded last;

    WalkIterator(GuardedEntries entries, Function<EncodedEntry, T> shown) {
      this.entries = entries;
      this.walk = new EntryWalk(entries);
      this.shown = shown;
      walk.hasNext(); // a map that is gone says so now
    }

    @Override
    public boolean hasNext() {
      return walk.hasNext();
    }

    @Override
    public T next() {
      EncodedEntry entry = walk.next();
      last = entry.key();
      return shown.apply(entry);
    }

    /// Removes the key, whatever its value is by now.
    @Override
    public void remove() {
      if (last == null) {
        throw new IllegalStateException("next has not been called, or remove twice");
      }
      entries.remove(last);
      last = null;
    }
  }

  private record WalkSpliterator<T>(EntryWalk walk, Function<EncodedEntry, T> shown, int distinct)
      implements Spliterator<T> {
    @Override
    public boolean tryAdvance(Consumer<? super T> action) {
      Objects.requireNonNull(action);
      if (!walk.hasNext()) {
        return false;
      }
      action.accept(shown.apply(walk.next()));
      return true;
    }

    @Override
    public Spliterator<T> trySplit() {
      EntryWalk second = walk.split();
      return second == null ? null : new WalkSpliterator<>(second, shown, distinct);
    }

    @Override
    public long estimateSize() {
      return walk.estimate();
    }

    @Override
    public int characteristics() {
      return distinct | CONCURRENT | NONNULL;
    }
  }
}
