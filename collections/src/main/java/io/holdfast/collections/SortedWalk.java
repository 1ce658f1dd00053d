package io.holdfast.collections;

import io.holdfast.codec.Encoded;
import io.holdfast.collections.tree.TreeWalk;
import io.holdfast.collections.tree.leaf.LeafEntries;
import java.util.Map;
import java.util.NoSuchElementException;

/// Goes over the entries of a range, a leaf at a time: weakly consistent. A key that is there from
/// the walk's beginning to its end is found once; it holds nothing while it waits.
///
/// Keys and values are decoded when they are asked for. A step stores numbers alone here: a decoded
/// key in a field would be an object for each entry, and a collector's barrier.
///
/// Confined to a thread.
final class SortedWalk<K, V> {
  private final SortedEntries<K, V> entries;
  private final SortedRange<K, V> range;
  private final boolean ascending;
  private final TreeWalk walk;

  /// What has the next entry; `null` at the end.
  private LeafEntries page;

  /// How many of its first entries are in the range.
  private int end;

  /// The next entry's index.
  private int at;

  /// Where the entry is that was returned last; `null` if it was removed, or there is none.
  private LeafEntries lastPage;

  private int lastAt;

  SortedWalk(SortedEntries<K, V> entries, SortedRange<K, V> range, boolean ascending) {
    this.entries = entries;
    this.range = range;
    this.ascending = ascending;
    this.walk = entries.walk(ascending);
    turnTo(entries.from(walk, range));
    advance();
  }

  private void advance() {
    while (page != null && (at == end || isGone())) {
      if (at < end) {
        at++;
      } else {
        boolean isOver = end < page.size();
        page = null; // the end, too, if the next one can't be read
        turnTo(isOver ? null : entries.next(walk, range));
      }
    }
  }

  private void turnTo(LeafEntries next) {
    end = next == null ? 0 : range.countIn(next, ascending);
    at = 0;
    page = next;
  }

  /// Whether the entry at AT was removed since its leaf was read, as far as can be told. So what is
  /// returned was removed after the entry before it was, at the earliest.
  private boolean isGone() {
    return entries.isGone(walk, page, at);
  }

  boolean hasNext() {
    return page != null;
  }

  /// Goes to the next entry.
  @SuppressWarnings("ReferenceEquality") // a reference is stored as seldom as it changes
  void next() {
    if (page == null) {
      throw new NoSuchElementException();
    }
    if (lastPage != page) {
      lastPage = page;
    }
    lastAt = at++;
    advance();
  }

  /// The key that was returned last.
  K key() {
    return entries.key(lastPage, lastAt);
  }

  /// The value of the entry that was returned last, as it was found.
  V value() {
    return entries.value(lastPage, lastAt);
  }

  /// That entry; what is set in it is put into a map.
  Map.Entry<K, V> entry(Map<K, V> map) {
    return entries.entry(map, lastPage, lastAt);
  }

  /// Whether that value has these bytes.
  boolean hasValue(Encoded sought) {
    return sought.equals(lastPage.value(lastAt));
  }

  /// Removes the entry that was returned last, unless its value has changed.
  ///
  /// @return whether it was removed
  boolean removeUnchanged() {
    return entries.removeUnchanged(lastPage, lastAt);
  }

  void remove() {
    if (lastPage == null) {
      throw new IllegalStateException("next has not been called, or remove twice");
    }
    entries.drop(lastPage.key(lastAt));
    lastPage = null;
  }
}
