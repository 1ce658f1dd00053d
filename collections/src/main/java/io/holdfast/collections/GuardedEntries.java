package io.holdfast.collections;

import io.holdfast.codec.Encoded;
import io.holdfast.codec.EncodedEntry;
import io.holdfast.collections.map.EntryMap;
import io.holdfast.collections.map.EntryMap.Place;
import io.holdfast.core.region.Region;
import io.holdfast.core.section.Sections;
import java.util.Collection;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/// The encoded entries of a map, as a program may use them: a function that is to compute a value
/// can't come back and change the map (UPDATE-1), and a page that is missing is an exception of
/// ours (FAULT-1).
///
/// Thread-safe.
final class GuardedEntries {
  private final Sections guard;
  private final EntryMap entries;

  private final CallersCode callers;

  /// Where a function computes a value.
  private final CallersCode.Place place;

  GuardedEntries(Region region, EntryMap entries, CollectionLabel label) {
    this.guard = region.sections();
    this.entries = entries;
    this.callers = new CallersCode(region, label);
    this.place =
        callers.place(
            "a function that computes one of its values may look up single keys, and do nothing"
                + " else with it",
            true);
  }

  // What is called most has a catch of its own: with `guarded` a look-up takes a tenth longer.

  Encoded get(Encoded key) {
    try {
      return entries.get(key);
    } catch (InternalError e) {
      throw guard.faulted(e);
    }
  }

  /// The same for a key of one word.
  Encoded get(long key) {
    try {
      return entries.get(key);
    } catch (InternalError e) {
      throw guard.faulted(e);
    }
  }

  Encoded put(Encoded key, Encoded value) {
    callers.check();
    try {
      return entries.put(key, value);
    } catch (InternalError e) {
      throw guard.faulted(e);
    }
  }

  Encoded remove(Encoded key) {
    callers.check();
    try {
      return entries.remove(key);
    } catch (InternalError e) {
      throw guard.faulted(e);
    }
  }

  /// Replaces a value by what a function makes of it; called once, under a lock.
  ///
  /// @param function from the value, or `null`, to the value, or `null` for no entry; what equals
  ///   the former one is not stored again
  void compute(Encoded key, UnaryOperator<Encoded> function) {
    callers.check();
    guard.guarded(
        () ->
            entries.compute(
                key,
                before -> { // UPDATE-1. Test: PersistentHashMapTest.update1AFunctionThatComesBack
                  Encoded after = place.run(() -> function.apply(before));
                  return before != null && before.equals(after) ? before : after;
                }));
  }

  void putAll(Collection<EncodedEntry> added) {
    callers.check();
    guard.guarded(
        () -> {
          entries.putAll(added);
          return null;
        });
  }

  void clear() {
    callers.check();
    guard.guarded(
        () -> {
          entries.clear();
          return null;
        });
  }

  long size() {
    return guard.guarded(() -> entries.size());
  }

  long changes() {
    return guard.guarded(entries::changes);
  }

  int stripes() {
    return entries.stripes();
  }

  /// As `EntryMap` has it.
  long number(int stripe) {
    return entries.number(stripe);
  }

  /// As `EntryMap` has it.
  boolean isStill(int stripe, long number) {
    return entries.isStill(stripe, number);
  }

  Place walk(Place from, List<EncodedEntry> into, long bytesMax) {
    callers.check();
    return guard.guarded(() -> entries.walk(from, into, bytesMax));
  }

  /// The first that a function makes of an entry and is not `null`; `null` if there is none.
  <R> R search(Function<EncodedEntry, R> function) {
    EntryWalk walk = new EntryWalk(this);
    R found = null;
    while (found == null && walk.hasNext()) {
      found = function.apply(walk.next());
    }
    return found;
  }

  long validate() {
    callers.check();
    return guard.guarded(() -> entries.validate());
  }

  boolean delete(BooleanSupplier deletion) {
    callers.check();
    return guard.guarded(() -> entries.delete(deletion));
  }

  void deleted(boolean isDeleted) {
    entries.deleted(isDeleted);
  }
}
