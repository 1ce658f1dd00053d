package io.holdfast.collections;

import io.holdfast.codec.Encoded;
import java.util.Iterator;
import java.util.Objects;
import java.util.Spliterator;
import java.util.function.Predicate;

/// The values of a view, in the order of their keys.
///
/// Thread-safe as the view is.
final class SortedValues<V> extends ValuesView<V> {
  private final SortedView<?, V> view;

  SortedValues(SortedView<?, V> view) {
    super(view);
    this.view = view;
  }

  @Override
  public Iterator<V> iterator() {
    return view.iterator(SortedWalk::value);
  }

  @Override
  public boolean remove(Object value) {
    Encoded sought = value == null ? null : view.entries.encodedValueOrNull(value);
    return sought != null && view.search(walk -> walk.hasValue(sought) && walk.removeUnchanged());
  }

  @Override
  public boolean removeIf(Predicate<? super V> filter) {
    Objects.requireNonNull(filter, "filter");
    return view.removeIf(walk -> filter.test(walk.value()));
  }

  @Override
  public Spliterator<V> spliterator() {
    return view.spliterator(SortedWalk::value);
  }
}
