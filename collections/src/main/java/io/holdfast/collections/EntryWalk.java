package io.holdfast.collections;

import io.holdfast.codec.Encoded;
import io.holdfast.codec.EncodedEntry;
import io.holdfast.collections.map.EntryMap.Place;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Set;

/// A weakly consistent walk over a part of a map, from stripe to stripe. It holds the entries of
/// one segment of the index, some hundred, as they were at one moment; but if their values are
/// long, only the first of these, and looks the others up when it comes to them. If the stripe was
/// changed since, it looks each one up again when it is asked for the next: so it returns nothing
/// that was gone by then.
///
/// **WALK-1** In a section or transaction, which holds changes back, it finds each key once,
/// whatever is changed meanwhile. Keys that were changed before it began come last, wherever they
/// are in place; those that are changed later come at their place in the index, and not again.
/// Test: WalksInBlocksTest.
///
/// Confined to a thread at a time.
final class EntryWalk {
  /// Bytes of values to hold: those of most segments whole.
  private static final long VALUES_MAX = 1 << 20;

  private final GuardedEntries entries;
  private final List<EncodedEntry> found = new ArrayList<>();
  private int at;

  /// The next entry, if it was asked for; its own part of the found ones is passed then.
  private EncodedEntry ahead;

  /// The stripe of the found ones, and its number before they were read.
  private int stripe;

  private long number;

  /// The transaction's run in which they were read (WALK-2 in {@link SortedWalk}).
  private Object run;

  /// What the thread had changed, and holds back, when it began; `null` before.
  private Set<Encoded> changed;

  /// Where the next segment is; `null` after the last.
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

  @SuppressWarnings("ReferenceEquality") // the very run
  boolean hasNext() {
    if (ahead != null && entries.run() != run) { // WALK-2
      ahead = present(ahead);
    }
    if (ahead == null) {
      advance();
    }
    return ahead != null;
  }

  private void advance() {
    while (ahead == null && (at < found.size() || readSegment())) {
      EncodedEntry entry = found.set(at++, null); // lets go of a value that may be long
      ahead = isAsFound(entry) ? entry : present(entry);
    }
  }

  private boolean isAsFound(EncodedEntry entry) {
    return entry.value() != null
        && entries.isStill(stripe, number)
        && entries.isAsRead(entry.key(), run);
  }

  /// Goes on to the next segment, which may have no entries.
  ///
  /// @return false if there is none
  private boolean readSegment() {
    found.clear();
    at = 0;
    if (changed == null) {
      changed = entries.heldBack();
    }
    run = entries.run();
    while (found.isEmpty() && next != null && next.stripe() < end) {
      stripe = next.stripe();
      number = entries.number(stripe);
      next = entries.walk(next, found, VALUES_MAX);
      if (!changed.isEmpty()) { // WALK-1
        found.removeIf(entry -> changed.contains(entry.key()));
        if (next == null) {
          changed.forEach(key -> found.add(new EncodedEntry(key, null)));
        }
      }
    }
    return !found.isEmpty();
  }

  /// The entry of a key now; `null` if it is gone.
  private EncodedEntry present(EncodedEntry entry) {
    Encoded value = entries.get(entry.key());
    return value == null ? null : new EncodedEntry(entry.key(), value);
  }

  EncodedEntry next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    EncodedEntry entry = ahead;
    ahead = null;
    return entry;
  }

  /// Gives away the second half of the stripes that it has not come to.
  ///
  /// @return a walk over them, or `null` if there are too few
  EntryWalk split() {
    int left = next == null ? 0 : end - next.stripe();
    if (left < 2 || entries.isOverlaid() || changed != null && !changed.isEmpty()) {
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
    return found.size() - at + (ahead == null ? 0 : 1) + total * left / entries.stripes();
  }
}
