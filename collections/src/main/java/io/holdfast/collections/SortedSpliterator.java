package io.holdfast.collections;

import java.util.Comparator;
import java.util.Objects;
import java.util.Spliterator;
import java.util.function.Consumer;
import java.util.function.Function;

/// Goes over the entries of a range in order. Not sized, since others may add and remove meanwhile.
///
/// Before it begins it can be divided where a node of the tree divides its children, about in the
/// middle; unless its thread holds changes back, of which no other thread knows: then a parallel
/// stream runs in that thread.
///
/// Confined to a thread at a time.
final class SortedSpliterator<K, V, T> implements Spliterator<T> {
  private final SortedEntries<K, V> entries;
  private final boolean ascending;
  private final Function<SortedWalk<K, V>, T> shown;

  /// SORTED and DISTINCT, or neither.
  private final int sorted;

  /// `null` for the natural one.
  private final Comparator<? super T> order;

  private SortedRange<K, V> range;
  private long estimate;

  /// `null` before the first element.
  private SortedWalk<K, V> walk;

  private SortedSpliterator(
      SortedRange<K, V> range,
      boolean ascending,
      Function<SortedWalk<K, V>, T> shown,
      int sorted,
      Comparator<? super T> order,
      long estimate) {
    this.entries = range.entries();
    this.range = range;
    this.ascending = ascending;
    this.shown = shown;
    this.sorted = sorted;
    this.order = order;
    this.estimate = estimate;
  }

  /// @param order `null` for the natural one
  static <K, V, T> SortedSpliterator<K, V, T> ofDistinct(
      SortedRange<K, V> range,
      boolean ascending,
      Function<SortedWalk<K, V>, T> shown,
      Comparator<? super T> order) {
    return new SortedSpliterator<>(
        range, ascending, shown, SORTED | DISTINCT, order, Long.MAX_VALUE);
  }

  static <K, V, T> SortedSpliterator<K, V, T> ofAny(
      SortedRange<K, V> range, boolean ascending, Function<SortedWalk<K, V>, T> shown) {
    return new SortedSpliterator<>(range, ascending, shown, 0, null, Long.MAX_VALUE);
  }

  private SortedWalk<K, V> walk() {
    if (walk == null) {
      walk = new SortedWalk<>(entries, range, ascending);
    }
    return walk;
  }

  @Override
  public boolean tryAdvance(Consumer<? super T> action) {
    Objects.requireNonNull(action, "action");
    boolean hasNext = walk().hasNext();
    if (hasNext) {
      walk.next();
      action.accept(shown.apply(walk));
    }
    return hasNext;
  }

  @Override
  public Spliterator<T> trySplit() {
    K middle = walk == null ? entries.middle(range) : null;
    if (middle == null) {
      return null;
    }
    SortedRange<K, V> lower = range.below(middle);
    SortedRange<K, V> upper = range.from(middle);
    range = ascending ? upper : lower;
    estimate /= 2; // as far as is known
    return new SortedSpliterator<>(
        ascending ? lower : upper, ascending, shown, sorted, order, estimate);
  }

  @Override
  public long estimateSize() {
    return estimate;
  }

  @Override
  public int characteristics() {
    return sorted | ORDERED | CONCURRENT | NONNULL;
  }

  @Override
  public Comparator<? super T> getComparator() {
    if (sorted == 0) {
      throw new IllegalStateException("values are in no order of their own");
    }
    return order;
  }
}
