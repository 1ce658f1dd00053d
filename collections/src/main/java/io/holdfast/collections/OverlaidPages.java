package io.holdfast.collections;

import io.holdfast.codec.Encoded;
import io.holdfast.codec.EncodedEntry;
import io.holdfast.collections.overlay.Gap;
import io.holdfast.collections.overlay.KeyedStore;
import io.holdfast.collections.overlay.KeyedView;
import io.holdfast.collections.tree.EntryTree;
import io.holdfast.collections.tree.TreeWalk;
import io.holdfast.collections.tree.leaf.LeafEntries;
import io.holdfast.collections.tree.leaf.MergedEntries;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NavigableSet;

/// Pages of a sorted map as a thread sees it that holds changes of it back: what is in place
/// without the keys that it has changed, and these between. A page ends where its leaf does.
///
/// **PAGE-1** What was read in place is recorded as a range: a transaction that reads it again
/// finds the same entries, or has read what changed. Changes of other keys in the leaf are none of
/// it. Test: TransactionTreeTest.page1ARangeThatWasReadHasNoNewKey.
///
/// @param view what the thread holds back
record OverlaidPages(EntryTree tree, KeyedView view) {
  /// A bound of what is read.
  ///
  /// @param key `null` for none
  /// @param inclusive whether the key itself is read
  record Bound(Encoded key, boolean inclusive) {
    static final Bound NONE = new Bound(null, true);
  }

  /// The entries from a key on, as {@link TreeWalk#from} has it.
  ///
  /// @param end of what the caller reads
  LeafEntries from(TreeWalk walk, Bound from, Bound end) {
    return search(walk, from, end, Integer.MAX_VALUE);
  }

  private LeafEntries page(TreeWalk walk, Bound from, Bound end) {
    LeafEntries inPlace = walk.from(from.key, from.inclusive);
    Range range = new Range(walk.isAscending(), from, earlier(walk, end));
    record(walk, range, inPlace);
    return merged(range, inPlace, Integer.MAX_VALUE);
  }

  /// The entries of the next leaf, as {@link TreeWalk#next} has it.
  ///
  /// @return `null` if nothing follows before the end
  LeafEntries next(TreeWalk walk, Bound end) {
    Bound from = beginning(walk);
    return from.key == null || isOver(walk, end) ? null : page(walk, from, end);
  }

  /// Where the page after the last one begins.
  private static Bound beginning(TreeWalk walk) {
    return new Bound(walk.bound(), walk.isAscending());
  }

  /// Whether nothing of what follows the last page is before the end.
  private boolean isOver(TreeWalk walk, Bound end) {
    if (end.key == null) {
      return false;
    }
    int compared = compare(walk.isAscending(), walk.bound(), end.key);
    return compared > 0 || compared == 0 && !(walk.isAscending() && end.inclusive);
  }

  /// The first entry from a key on; `null` if there is none before the end.
  EncodedEntry nearest(Bound from, boolean ascending, Bound end) {
    LeafEntries found = search(tree.walk(ascending), from, end, 1);
    return found.isEmpty() ? null : found.getFirst();
  }

  /// The first page from a key on that has an entry, or the last one before the end. The search
  /// skips the gap that begins at the key, if there is one (GAP-1).
  ///
  /// @param most how many of its entries are asked for: one, or all
  private LeafEntries search(TreeWalk walk, Bound from, Bound end, int most) {
    Gap gap = view.gap(walk.isAscending());
    gap.begin(from.key, from.inclusive);
    while (true) {
      Bound at = new Bound(gap.until(), gap.untilInclusive());
      LeafEntries inPlace = walk.from(at.key, at.inclusive);
      Range range = new Range(walk.isAscending(), at, earlier(walk, end));
      LeafEntries page = merged(range, inPlace, most);
      Encoded first = page.isEmpty() ? null : page.key(0);
      // If one entry was asked for, the reading is recorded up to that entry.
      record(walk, first == null || most > 1 ? range : range.upTo(first), inPlace);
      if (first != null) {
        gap.growTo(first, true, walk.part(), walk.number());
        return page;
      }
      Bound next = beginning(walk);
      if (next.key == null || isOver(walk, end)) {
        return page;
      }
      gap.growTo(next.key, next.inclusive, walk.part(), walk.number());
    }
  }

  /// How far a page goes: to its leaf's end, or to what the caller reads.
  private Bound earlier(TreeWalk walk, Bound end) {
    Bound ofLeaf = new Bound(walk.bound(), !walk.isAscending());
    if (end.key == null) {
      return ofLeaf;
    }
    int compared = ofLeaf.key == null ? 1 : compare(walk.isAscending(), ofLeaf.key, end.key);
    return compared > 0 || compared == 0 && !end.inclusive ? end : ofLeaf;
  }

  private int compare(boolean ascending, Encoded one, Encoded other) {
    int compared = tree.keyOrder().compare(one, other);
    return ascending ? compared : -Integer.signum(compared);
  }

  /// Keys from one on up to another one, in a direction.
  private record Range(boolean ascending, Bound from, Bound until) {
    Range upTo(Encoded key) {
      return new Range(ascending, from, new Bound(key, true));
    }
  }

  private boolean isBeyond(Range range, Encoded key) {
    if (range.until.key == null) {
      return false;
    }
    int compared = compare(range.ascending, key, range.until.key);
    return compared > 0 || compared == 0 && !range.until.inclusive;
  }

  /// The first of a page's entries, which are in a range.
  private List<EncodedEntry> in(Range range, LeafEntries page) {
    List<EncodedEntry> found = new ArrayList<>(page.size());
    for (int i = 0; i < page.size() && !isBeyond(range, page.key(i)); i++) {
      found.add(page.get(i));
    }
    return found;
  }

  /// @param most how many entries are asked for, from the first one on
  private LeafEntries merged(Range range, LeafEntries inPlace, int most) {
    NavigableSet<Encoded> keys = (NavigableSet<Encoded>) view.keys();
    if (!range.ascending) {
      keys = keys.descendingSet();
    }
    if (range.from.key != null) {
      keys = keys.tailSet(range.from.key, range.from.inclusive);
    }
    List<EncodedEntry> merged = new ArrayList<>(inPlace.size() + 1);
    Iterator<EncodedEntry> others = in(range, inPlace).iterator();
    EncodedEntry other = others.hasNext() ? others.next() : null;
    for (Encoded key : keys) {
      if (isBeyond(range, key) || merged.size() >= most) {
        break;
      }
      while (other != null && compare(range.ascending, other.key(), key) < 0) {
        merged.add(other);
        other = others.hasNext() ? others.next() : null;
      }
      Encoded kept = key;
      if (other != null && compare(range.ascending, other.key(), key) == 0) {
        kept = other.key(); // as a store in place does
        other = others.hasNext() ? others.next() : null;
      }
      Encoded value = view.get(key);
      if (value != null) {
        merged.add(new EncodedEntry(kept, value));
      }
    }
    while (other != null) {
      merged.add(other);
      other = others.hasNext() ? others.next() : null;
    }
    return new MergedEntries(merged);
  }

  /// PAGE-1.
  private void record(TreeWalk walk, Range range, LeafEntries inPlace) {
    List<EncodedEntry> found = in(range, inPlace);
    view.reads(walk.part(), walk.number(), look -> isSame(range, found, look));
  }

  /// Whether a range has the same entries; not if it lies in several leaves by now.
  private boolean isSame(Range range, List<EncodedEntry> found, KeyedStore.Look look) {
    TreeWalk walk = tree.walk(range.ascending);
    LeafEntries now = walk.from(range.from.key, range.from.inclusive);
    look.part = walk.part();
    look.number = walk.number();
    return isWithin(range, walk) && in(range, now).equals(found);
  }

  /// Whether the page that was just read goes as far as a range does.
  private boolean isWithin(Range range, TreeWalk walk) {
    if (walk.bound() == null) {
      return true;
    }
    if (range.until.key == null) {
      return false;
    }
    int compared = compare(range.ascending, range.until.key, walk.bound());
    return compared < 0 || compared == 0 && (!range.ascending || !range.until.inclusive);
  }
}
