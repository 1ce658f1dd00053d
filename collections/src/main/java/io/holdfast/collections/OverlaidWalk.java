package io.holdfast.collections;

import io.holdfast.codec.EncodedEntry;
import io.holdfast.collections.map.EntryMap;
import io.holdfast.collections.map.EntryMap.Place;
import io.holdfast.collections.overlay.KeyedStore;
import io.holdfast.collections.overlay.KeyedView;
import java.util.ArrayList;
import java.util.List;

/// Walks over what is in place of a map, for a thread that holds changes of it back: a transaction
/// has read that. Its own changes are {@link EntryWalk}'s (WALK-1).
///
/// @param view what the thread holds back
record OverlaidWalk(EntryMap entries, KeyedView view) {
  /// Some entries from a place on; as `EntryMap` has it.
  Place walk(Place from, List<EncodedEntry> into, long bytesMax) {
    int stripe = from.stripe();
    long number = entries.number(stripe);
    Place next = entries.walk(from, into, bytesMax);
    List<EncodedEntry> found = new ArrayList<>(into);
    view.reads(stripe, number, look -> isSame(from, found, next, bytesMax, look));
    return next;
  }

  private boolean isSame(
      Place from, List<EncodedEntry> found, Place next, long bytesMax, KeyedStore.Look look) {
    look.part = from.stripe();
    look.number = entries.number(look.part);
    List<EncodedEntry> again = new ArrayList<>();
    Place then = entries.walk(from, again, bytesMax);
    return found.equals(again) && (next == null ? then == null : next.equals(then));
  }
}
