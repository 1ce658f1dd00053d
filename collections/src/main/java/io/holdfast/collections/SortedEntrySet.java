package io.holdfast.collections;

import java.util.AbstractSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.Iterator;
import java.util.Map;
import java.util.Objects;
import java.util.Spliterator;
import java.util.function.Predicate;

/// The entries of a view, as a set. An entry is in it if its key is there and its value has the
/// same encoded form as the key's.
///
/// Thread-safe as the view is.
final class SortedEntrySet<K, V> extends AbstractSet<Map.Entry<K, V>> {
  private final SortedView<K, V> view;

  SortedEntrySet(SortedView<K, V> view) {
    this.view = view;
  }

  @Override
  public Iterator<Map.Entry<K, V>> iterator() {
    return view.iterator(this::entry);
  }

  private Map.Entry<K, V> entry(SortedWalk<K, V> walk) {
    return walk.entry(view);
  }

  @Override
  public boolean contains(Object object) {
    return object instanceof Map.Entry<?, ?> entry
        && view.contains(entry.getKey(), entry.getValue());
  }

  @Override
  public boolean remove(Object object) {
    return object instanceof Map.Entry<?, ?> entry && view.remove(entry.getKey(), entry.getValue());
  }

  @Override
  public boolean removeIf(Predicate<? super Map.Entry<K, V>> filter) {
    Objects.requireNonNull(filter, "filter");
    return view.removeIf(walk -> filter.test(entry(walk)));
  }

  /// Each as {@link #remove} does, however many entries there are.
  @Override
  public boolean removeAll(Collection<?> others) {
    boolean isRemoved = false;
    for (Object each : others) {
      isRemoved |= remove(each);
    }
    return isRemoved;
  }

  @Override
  public boolean retainAll(Collection<?> others) {
    Objects.requireNonNull(others, "others");
    return removeIf(entry -> !others.contains(entry));
  }

  @Override
  public int size() {
    return view.size();
  }

  @Override
  public boolean isEmpty() {
    return view.isEmpty();
  }

  @Override
  public void clear() {
    view.clear();
  }

  @Override
  public Spliterator<Map.Entry<K, V>> spliterator() {
    return new SortedSpliterator<>(iterator(), order());
  }

  private Comparator<Map.Entry<K, V>> order() {
    return (one, other) -> view.compare(one.getKey(), other.getKey());
  }
}
