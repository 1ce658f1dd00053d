package io.holdfast.collections;

import io.holdfast.collections.map.Encoded;
import io.holdfast.collections.map.EntryMap.Entry;
import io.holdfast.collections.map.EntryMap.Place;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;

/// A weakly consistent walk over a part of a map, from stripe to stripe. It holds the entries of
/// one segment of the index, some hundred, as they were at one moment; but if their values are
/// long, only the first of these, and looks the others up when it comes to them. What it has found
/// it returns, even if that is gone meanwhile.
///
/// Confined to a thread at a time.
final class EntryWalk {
  /// Bytes of values to hold: those of most segments whole.
  private static final long VALUES_MAX = 1 << 20;

  private final GuardedEntries entries;
  private final List<Entry> found = new ArrayList<>();
  private int at;

  /// Where the next segment is; `null` behind the last.
  private Place next;

  /// The stripe that it ends before.
  private int end;

  /// Over all of the map.
  EntryWalk(GuardedEntries entries) {
    this(entries, Place.START, entries.stripes());
  }

  private EntryWalk(GuardedEntries entries, Place first, int end) {
    this.entries = entries;
    this.next = first;
    this.end = end;
  }

  boolean hasNext() {
    while (at < found.size() && !hasValue()) {
      at++;
    }
    while (at == found.size() && next != null && next.stripe() < end) {
      found.clear();
      at = 0;
      next = entries.walk(next, found, VALUES_MAX);
    }
    return at < found.size();
  }

  /// Whether the next entry has its value, or it is there still.
  private boolean hasValue() {
    Entry entry = found.get(at);
    if (entry.value() == null) {
      Encoded value = entries.get(entry.key());
      if (value == null) {
        return false;
      }
      found.set(at, new Entry(entry.key(), value));
    }
    return true;
  }

  Entry next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    return found.set(at++, null); // lets go of a value that may be long
  }

  /// Gives away the second half of the stripes that it has not come to.
  ///
  /// @return a walk over them, or `null` if there are too few
  EntryWalk split() {
    int left = next == null ? 0 : end - next.stripe();
    if (left < 2) {
      return null;
    }
    int middle = end - left / 2;
    EntryWalk second = new EntryWalk(entries, new Place(middle, 0), end);
    end = middle;
    return second;
  }

  /// About how many entries are left.
  long estimate() {
    long total = entries.size();
    int left = next == null ? 0 : end - next.stripe();
    return found.size() - at + total * left / entries.stripes();
  }
}
