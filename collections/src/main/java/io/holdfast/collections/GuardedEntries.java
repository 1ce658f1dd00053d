package io.holdfast.collections;

import io.holdfast.codec.Encoded;
import io.holdfast.codec.EncodedEntry;
import io.holdfast.collections.map.EntryMap;
import io.holdfast.collections.map.EntryMap.Place;
import io.holdfast.collections.map.WordPut;
import io.holdfast.collections.overlay.KeyedView;
import io.holdfast.collections.overlay.Overlaid;
import io.holdfast.core.region.Region;
import io.holdfast.core.section.Sections;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
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
  private final Overlaid overlaid;
  private final CallersCode callers;

  /// Where a function computes a value.
  private final CallersCode.Place place;

  GuardedEntries(Region region, EntryMap entries, CollectionLabel label) {
    this.guard = region.sections();
    this.entries = entries;
    this.overlaid = new Overlaid(region, entries, false);
    this.callers = new CallersCode(region, label);
    this.place =
        callers.place(
            "a function that computes one of its values may look up single keys, and do nothing"
                + " else with it",
            true);
  }

  // What is called most has a catch of its own: with `guarded` a look-up takes a tenth longer.

  /// The value of a key, `null` for none.
  Encoded get(Encoded key) {
    try {
      KeyedView view = overlaid.view();
      return view == null ? entries.get(key) : view.get(key);
    } catch (InternalError e) {
      throw guard.faulted(e);
    }
  }

  /// The same, decoded.
  ///
  /// @param key may be lent
  <V> V get(Encoded key, EncodedForm<V> values) {
    KeyedView view;
    Encoded found;
    try {
      view = overlaid.view();
      found = view == null ? entries.get(key) : view.get(key.own());
    } catch (InternalError e) {
      throw guard.faulted(e);
    }
    return values.decodedOrNull(found, view == null);
  }

  /// The value of a key of one word, where values are of one too.
  <V> V get(long key, EncodedForm<V> values) {
    long word = word(key);
    if (word == EntryMap.UNKNOWN) {
      return get(Encoded.of(key), values);
    }
    return word == EntryMap.NONE ? null : values.decoded(word);
  }

  private long word(long key) {
    try {
      return overlaid.view() == null ? entries.word(key) : EntryMap.UNKNOWN;
    } catch (InternalError e) {
      throw guard.faulted(e);
    }
  }

  /// Stores an entry.
  ///
  /// @param key may be lent, and so may the value
  /// @return the value before, decoded; `null` for none
  <V> V put(Encoded key, Encoded value, EncodedForm<V> values) {
    callers.check();
    Encoded before;
    try {
      KeyedView view = overlaid.forChange();
      if (view == null) {
        before = entries.put(key, value);
      } else {
        entries.check(key, value);
        Encoded stored = value.own();
        before = view.change(key.own(), _ -> stored);
      }
    } catch (InternalError e) {
      throw guard.faulted(e);
    }
    return values.decodedOrNull(before); // also in place it can be a section's that was built on
  }

  /// The same, where keys and values are words.
  <V> V put(long key, long value, WordPut put, EncodedForm<V> values) {
    callers.check();
    try {
      if (overlaid.forChange() != null || !entries.put(put, key, value)) {
        return put(Encoded.of(key), Encoded.of(value), values);
      }
    } catch (InternalError e) {
      throw guard.faulted(e);
    }
    return put.wasThere() ? values.decoded(put.before()) : null;
  }

  Encoded remove(Encoded key) {
    callers.check();
    try {
      KeyedView view = overlaid.forChange();
      return view == null ? entries.remove(key) : view.change(key, _ -> null);
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
    UnaryOperator<Encoded> guarded =
        before -> { // UPDATE-1. Test: PersistentHashMapTest.update1AFunctionThatComesBack
          Encoded after = place.run(() -> function.apply(before));
          return before != null && before.equals(after) ? before : after;
        };
    guard.guarded(
        () -> {
          KeyedView view = overlaid.forChange();
          return view == null ? entries.compute(key, guarded) : view.change(key, guarded);
        });
  }

  void putAll(Collection<EncodedEntry> added) {
    callers.check();
    guard.guarded(
        () -> {
          putAllGuarded(added);
          return null;
        });
  }

  private void putAllGuarded(Collection<EncodedEntry> added) {
    if (added.size() > 1 && overlaid.forChange() == null) {
      entries.putAll(added);
      return;
    }
    added.forEach(entry -> entries.check(entry.key(), entry.value()));
    added.forEach(this::put);
  }

  private void put(EncodedEntry entry) {
    KeyedView view = overlaid.forChange();
    if (view == null) {
      entries.put(entry.key(), entry.value());
    } else {
      view.change(entry.key(), _ -> entry.value());
    }
  }

  void clear() {
    callers.check();
    guard.guarded(
        () -> {
          clearGuarded();
          return null;
        });
  }

  private void clearGuarded() {
    KeyedView view = overlaid.forChange();
    if (view == null || view.storesOpenly()) {
      entries.clear();
      return;
    }
    EntryWalk walk = new EntryWalk(this);
    while (walk.hasNext()) {
      view.change(walk.next().key(), _ -> null);
    }
  }

  long size() {
    return guard.guarded(
        () -> {
          KeyedView view = overlaid.view();
          return view == null ? entries.size() : view.size(entries::size);
        });
  }

  long changes() {
    return guard.guarded(entries::changes);
  }

  int stripes() {
    return entries.stripes();
  }

  /// As `EntryMap` has it.
  long number(int stripe) {
    return entries.numberNow(stripe);
  }

  /// As `EntryMap` has it.
  boolean isStill(int stripe, long number) {
    return entries.isStill(stripe, number);
  }

  /// Whether the calling thread holds changes of the map back: then nobody else walks for it.
  boolean isOverlaid() {
    return overlaid.view() != null;
  }

  /// Keys that the calling thread has changed and holds back.
  Set<Encoded> heldBack() {
    KeyedView view = overlaid.view();
    return view == null ? Set.of() : new HashSet<>(view.keys());
  }

  /// In which run of a transaction the calling thread reads ({@link KeyedView#run}).
  Object run() {
    KeyedView view = overlaid.view();
    return view == null ? null : view.run();
  }

  /// Whether what was read of a key in a run of a transaction is so for the calling thread, as far
  /// as this goes by what it holds back.
  @SuppressWarnings("ReferenceEquality") // the very run
  boolean isAsRead(Encoded key, Object run) {
    KeyedView view = overlaid.view();
    return view == null ? run == null : view.run() == run && !view.hasChanged(key);
  }

  /// Some entries, as `EntryMap` has it.
  Place walk(Place from, List<EncodedEntry> into, long bytesMax) {
    callers.check();
    return guard.guarded(
        () -> {
          KeyedView view = overlaid.view();
          return view == null
              ? entries.walk(from, into, bytesMax)
              : new OverlaidWalk(entries, view).walk(from, into, bytesMax);
        });
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
    return guard.guarded(
        () -> {
          KeyedView view = overlaid.forChange();
          if (view != null) {
            view.storesOpenly(); // what the section has changed itself
          }
          return entries.delete(deletion);
        });
  }

  void deleted(boolean isDeleted) {
    entries.deleted(isDeleted);
  }
}
