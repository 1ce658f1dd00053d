package io.holdfast.collections;

import io.holdfast.codec.Encoded;
import io.holdfast.collections.overlay.KeyedView;
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
/// **WALK-2** What was read in another run of a transaction, or before it, is read again before it
/// is returned: it is a reading of this run. Test:
/// WalksInBlocksTest.walk2AWalkThatATransactionGoesOnWith.
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

  /// Whether that entry was looked at since the one before it was returned.
  private boolean isReady;

  /// The transaction's run in which the page was read ({@link KeyedView#run}).
  private Object run;

  /// Where the entry is that was returned last; `null` if it was removed, or there is none.
  private LeafEntries lastPage;

  private int lastAt;

  SortedWalk(SortedEntries<K, V> entries, SortedRange<K, V> range, boolean ascending) {
    this.entries = entries;
    this.range = range;
    this.ascending = ascending;
    this.walk = entries.walk(ascending);
    turnTo(entries.from(walk, range));
  }

  @SuppressWarnings("ReferenceEquality") // the very run
  private void advance() {
    while (page != null) {
      KeyedView view = entries.heldBack();
      if (at < end && runOf(view) != run) {
        turnTo(entries.again(walk, page, at, range));
      } else if (at < end && !entries.isGone(view, walk, page, at)) {
        return;
      } else if (at < end) {
        at++;
      } else {
        boolean isOver = end < page.size();
        page = null; // the end, too, if the next one can't be read
        turnTo(isOver ? null : entries.next(walk, range));
      }
    }
  }

  private void turnTo(LeafEntries next) {
    run = runOf(entries.heldBack());
    end = next == null ? 0 : range.countIn(next, ascending);
    at = 0;
    page = next;
  }

  private static Object runOf(KeyedView view) {
    return view == null ? null : view.run();
  }

  /// Whether there is another entry, as far as can be told: what was removed since its leaf was
  /// read is passed over.
  @SuppressWarnings("ReferenceEquality") // the very run
  boolean hasNext() {
    if (!isReady || runOf(entries.heldBack()) != run) {
      advance();
      isReady = true;
    }
    return page != null;
  }

  /// Goes to the next entry.
  @SuppressWarnings("ReferenceEquality") // a reference is stored as seldom as it changes
  void next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    if (lastPage != page) {
      lastPage = page;
    }
    lastAt = at++;
    isReady = false;
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
