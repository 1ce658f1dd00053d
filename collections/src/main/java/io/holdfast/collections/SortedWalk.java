package io.holdfast.collections;

import io.holdfast.codec.Encoded;
import io.holdfast.collections.tree.TreeWalk;
import io.holdfast.collections.tree.leaf.LeafEntries;
import java.util.NoSuchElementException;

/// Goes over the entries of a range, a leaf at a time: weakly consistent. A key that is there from
/// the walk's beginning to its end is found once; it holds nothing while it waits.
///
/// Confined to a thread.
final class SortedWalk<K, V> {
  private final SortedEntries<K, V> entries;
  private final SortedRange<K, V> range;
  private final boolean ascending;
  private final TreeWalk walk;

  /// `null` after the last one.
  private LeafEntries page;

  private int at;

  /// The key of the next entry, which is at AT; `null` at the end.
  private K ahead;

  /// The entry that was returned last, and where its value is.
  private K last;

  private LeafEntries lastPage;
  private int lastAt;

  SortedWalk(SortedEntries<K, V> entries, SortedRange<K, V> range, boolean ascending) {
    this.entries = entries;
    this.range = range;
    this.ascending = ascending;
    this.walk = entries.walk(ascending);
    this.page = entries.from(walk, range);
    advance();
  }

  private void advance() {
    ahead = null;
    while (page != null && (at == page.size() || isGone())) {
      if (at < page.size()) {
        at++;
      } else {
        page = entries.next(walk, range);
        at = 0;
      }
    }
    if (page != null) {
      K key = entries.key(page, at);
      if (ascending ? range.isTooHigh(key) : range.isTooLow(key)) {
        page = null;
      } else {
        ahead = key;
      }
    }
  }

  /// Whether the entry at AT was removed since its leaf was read, as far as can be told. So what is
  /// returned was removed after the entry before it was, at the earliest.
  private boolean isGone() {
    return entries.isGone(walk, page, at);
  }

  boolean hasNext() {
    return ahead != null;
  }

  /// Goes to the next entry.
  ///
  /// @return its key
  K next() {
    if (ahead == null) {
      throw new NoSuchElementException();
    }
    last = ahead;
    lastPage = page;
    lastAt = at++;
    advance();
    return last;
  }

  /// The key that was returned last.
  K key() {
    return last;
  }

  /// The value of the entry that was returned last, as it was found.
  V value() {
    return entries.value(lastPage, lastAt);
  }

  /// Whether that value has these bytes.
  boolean hasValue(Encoded sought) {
    return sought.equals(lastPage.value(lastAt));
  }

  /// Removes the entry that was returned last, unless its value has changed.
  ///
  /// @return whether it was removed
  boolean removeUnchanged() {
    return entries.removeUnchanged(last, lastPage, lastAt);
  }

  void remove() {
    if (last == null) {
      throw new IllegalStateException("next has not been called, or remove twice");
    }
    entries.drop(last);
    last = null;
  }
}
