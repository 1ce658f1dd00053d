package io.holdfast.collections;

import java.util.Iterator;
import java.util.Map;
import java.util.Objects;
import java.util.Spliterator;
import java.util.function.Predicate;

/// The entries of a view, in the order of their keys.
///
/// Thread-safe as the view is.
final class SortedEntrySet<K, V> extends EntrySetView<K, V> {
  private final SortedView<K, V> view;

  SortedEntrySet(SortedView<K, V> view) {
    super(view);
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

  @Override
  public Spliterator<Map.Entry<K, V>> spliterator() {
    return view.spliterator(
        this::entry, (one, other) -> view.compare(one.getKey(), other.getKey()));
  }
}
