package io.holdfast.collections;

import io.holdfast.collections.map.Encoded;
import io.holdfast.collections.tree.EntryTree.Entry;
import io.holdfast.collections.tree.EntryTree.Page;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;

/// Goes over the entries of a range, a leaf at a time: weakly consistent. A key that is there from
/// the walk's beginning to its end is found once; it holds nothing while it waits.
///
/// Confined to a thread.
final class SortedWalk<K, V> implements Iterator<SortedWalk.Found<K, V>> {
  private final SortedEntries<K, V> entries;
  private final SortedRange<K, V> range;
  private final boolean ascending;
  private List<Entry> page = List.of();
  private int at;

  /// Where the next page begins; `null` behind the last one.
  private Encoded next;

  private Found<K, V> ahead;
  private K last;

  /// An entry whose value is decoded when it is asked for.
  record Found<K, V>(K key, Entry entry) {}

  SortedWalk(SortedEntries<K, V> entries, SortedRange<K, V> range, boolean ascending) {
    this.entries = entries;
    this.range = range;
    this.ascending = ascending;
    K from = ascending ? range.low() : range.high();
    boolean inclusive = ascending ? range.lowInclusive() : range.highInclusive();
    take(entries.page(from, from == null || inclusive, ascending));
    advance();
  }

  private void take(Page taken) {
    page = taken.entries();
    next = taken.next();
    at = 0;
  }

  private void advance() {
    ahead = null;
    while (at == page.size() && next != null) {
      take(entries.page(next, ascending, ascending));
    }
    if (at < page.size()) {
      Entry entry = page.get(at++);
      K key = entries.key(entry);
      if (ascending ? range.isTooHigh(key) : range.isTooLow(key)) {
        page = List.of();
        at = 0;
        next = null;
      } else {
        ahead = new Found<>(key, entry);
      }
    }
  }

  @Override
  public boolean hasNext() {
    return ahead != null;
  }

  @Override
  public Found<K, V> next() {
    if (ahead == null) {
      throw new NoSuchElementException();
    }
    Found<K, V> found = ahead;
    last = found.key();
    advance();
    return found;
  }

  @Override
  public void remove() {
    if (last == null) {
      throw new IllegalStateException("next has not been called, or remove twice");
    }
    entries.remove(last);
    last = null;
  }
}
