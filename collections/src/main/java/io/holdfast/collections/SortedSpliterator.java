package io.holdfast.collections;

import java.util.Comparator;
import java.util.Iterator;
import java.util.Objects;
import java.util.Spliterator;
import java.util.Spliterators.AbstractSpliterator;
import java.util.function.Consumer;

/// Goes over distinct elements in the order of their keys. Not sized, since others may add and
/// remove meanwhile, but for the parts that it gives away.
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

  /// With the order: the part that `AbstractSpliterator` gives away would claim the natural one.
  @Override
  public Spliterator<T> trySplit() {
    return Part.of(super.trySplit(), order);
  }

  @Override
  public Comparator<? super T> getComparator() {
    return order;
  }

  private record Part<T>(Spliterator<T> elements, Comparator<? super T> order)
      implements Spliterator<T> {
    static <T> Spliterator<T> of(Spliterator<T> elements, Comparator<? super T> order) {
      return elements == null ? null : new Part<>(elements, order);
    }

    @Override
    public boolean tryAdvance(Consumer<? super T> action) {
      return elements.tryAdvance(action);
    }

    @Override
    public void forEachRemaining(Consumer<? super T> action) {
      elements.forEachRemaining(action);
    }

    @Override
    public Spliterator<T> trySplit() {
      return of(elements.trySplit(), order);
    }

    @Override
    public long estimateSize() {
      return elements.estimateSize();
    }

    @Override
    public int characteristics() {
      return elements.characteristics();
    }

    @Override
    public Comparator<? super T> getComparator() {
      return order;
    }
  }
}
