package io.holdfast.collections;

import java.util.Comparator;
import java.util.Iterator;
import java.util.Objects;
import java.util.Spliterator;
import java.util.Spliterators.AbstractSpliterator;
import java.util.function.Consumer;

/// Goes over distinct elements in the order of their keys. Not sized, since others may add and
/// remove meanwhile.
///
/// Confined to a thread at a time.
final class SortedSpliterator<T> extends AbstractSpliterator<T> {
  private final Iterator<T> elements;
  private final Comparator<? super T> order;

  /// @param order `null` for the natural one
  SortedSpliterator(Iterator<T> elements, Comparator<? super T> order) {
    super(
        Long.MAX_VALUE,
        Spliterator.DISTINCT
            | Spliterator.SORTED
            | Spliterator.ORDERED
            | Spliterator.CONCURRENT
            | Spliterator.NONNULL);
    this.elements = elements;
    this.order = order;
  }

  @Override
  public boolean tryAdvance(Consumer<? super T> action) {
    Objects.requireNonNull(action, "action");
    boolean hasNext = elements.hasNext();
    if (hasNext) {
      action.accept(elements.next());
    }
    return hasNext;
  }

  @Override
  public Comparator<? super T> getComparator() {
    return order;
  }
}
