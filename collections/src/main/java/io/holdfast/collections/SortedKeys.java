package io.holdfast.collections;

import java.util.AbstractSet;
import java.util.Comparator;
import java.util.Iterator;
import java.util.Map;
import java.util.NavigableSet;
import java.util.SortedSet;
import java.util.Spliterator;

/// The keys of a view, as a set; removing one removes its entry.
///
/// Thread-safe as the view is.
final class SortedKeys<K> extends AbstractSet<K> implements NavigableSet<K> {
  private final SortedView<K, ?> view;

  SortedKeys(SortedView<K, ?> view) {
    this.view = view;
  }

  @Override
  public Iterator<K> iterator() {
    return view.iterator(SortedWalk::key);
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
  public boolean contains(Object key) {
    return view.containsKey(key);
  }

  @Override
  public boolean remove(Object key) {
    return view.remove(key) != null;
  }

  @Override
  public void clear() {
    view.clear();
  }

  @Override
  public Comparator<? super K> comparator() {
    return view.comparator();
  }

  @Override
  public K first() {
    return view.firstKey();
  }

  @Override
  public K last() {
    return view.lastKey();
  }

  @Override
  public K lower(K key) {
    return view.lowerKey(key);
  }

  @Override
  public K floor(K key) {
    return view.floorKey(key);
  }

  @Override
  public K ceiling(K key) {
    return view.ceilingKey(key);
  }

  @Override
  public K higher(K key) {
    return view.higherKey(key);
  }

  @Override
  public K pollFirst() {
    Map.Entry<K, ?> polled = view.pollFirstEntry();
    return polled == null ? null : polled.getKey();
  }

  @Override
  public K pollLast() {
    Map.Entry<K, ?> polled = view.pollLastEntry();
    return polled == null ? null : polled.getKey();
  }

  @Override
  public NavigableSet<K> descendingSet() {
    return view.descendingKeySet();
  }

  @Override
  public Iterator<K> descendingIterator() {
    return descendingSet().iterator();
  }

  @Override
  public NavigableSet<K> subSet(K from, boolean fromInclusive, K to, boolean toInclusive) {
    return view.subMap(from, fromInclusive, to, toInclusive).navigableKeySet();
  }

  @Override
  public NavigableSet<K> headSet(K to, boolean inclusive) {
    return view.headMap(to, inclusive).navigableKeySet();
  }

  @Override
  public NavigableSet<K> tailSet(K from, boolean inclusive) {
    return view.tailMap(from, inclusive).navigableKeySet();
  }

  @Override
  public SortedSet<K> subSet(K from, K to) {
    return subSet(from, true, to, false);
  }

  @Override
  public SortedSet<K> headSet(K to) {
    return headSet(to, false);
  }

  @Override
  public SortedSet<K> tailSet(K from) {
    return tailSet(from, true);
  }

  @Override
  public Spliterator<K> spliterator() {
    return view.spliterator(SortedWalk::key, comparator());
  }
}
