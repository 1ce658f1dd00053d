package io.holdfast.collections;

import io.holdfast.collections.map.Encoded;
import io.holdfast.collections.map.EntryMap;
import io.holdfast.collections.map.EntryMap.Entry;
import io.holdfast.collections.map.EntryMap.Place;
import io.holdfast.core.recovery.Region;
import java.util.Collection;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/// The encoded entries of a map, as a program may use them: a function that is to compute a value
/// can't come back and change the map, and a page that is missing is an exception of ours
/// (FAULT-1).
///
/// **UPDATE-1** While a function of {@link #compute} runs, its thread holds a lock of the map. It
/// takes no further one: two threads that do could wait for each other, and a change within a
/// change has no order. What would take one throws before it does anything.
///
/// Thread-safe.
final class GuardedEntries {
  private final Region region;
  private final EntryMap entries;

  /// Whether the thread is in a function of this map: a cell that is kept, for setting a thread
  /// local costs more than finding it.
  private final ThreadLocal<boolean[]> inFunction = ThreadLocal.withInitial(() -> new boolean[1]);

  GuardedEntries(Region region, EntryMap entries) {
    this.region = region;
    this.entries = entries;
  }

  private void checkNotInFunction() {
    if (inFunction.get()[0]) {
      throw recursive();
    }
  }

  private IllegalStateException recursive() {
    return new IllegalStateException(
        "%s: Recursive update: a function that computes a value of a map may look up single keys in that map, and do nothing else with it. Nothing has changed"
            .formatted(region.memory().name()));
  }

  Encoded get(Encoded key) {
    try {
      return entries.get(key);
    } catch (InternalError e) {
      throw region.sections().faulted(e);
    }
  }

  Encoded put(Encoded key, Encoded value) {
    checkNotInFunction();
    try {
      return entries.put(key, value);
    } catch (InternalError e) {
      throw region.sections().faulted(e);
    }
  }

  Encoded remove(Encoded key) {
    checkNotInFunction();
    try {
      return entries.remove(key);
    } catch (InternalError e) {
      throw region.sections().faulted(e);
    }
  }

  /// Replaces a value by what a function makes of it; called once, under a lock.
  ///
  /// @param function from the value, or `null`, to the value, or `null` for no entry; what equals
  ///   the former one is not stored again
  void compute(Encoded key, UnaryOperator<Encoded> function) {
    boolean[] cell = inFunction.get();
    if (cell[0]) {
      throw recursive();
    }
    try {
      entries.compute(
          key,
          before -> {
            cell[0] = true; // UPDATE-1. Test: PersistentHashMapTest.update1AFunctionThatComesBack
            try {
              Encoded after = function.apply(before);
              return before != null && before.equals(after) ? before : after;
            } finally {
              cell[0] = false;
            }
          });
    } catch (InternalError e) {
      throw region.sections().faulted(e);
    }
  }

  void putAll(Collection<Entry> added) {
    checkNotInFunction();
    try {
      entries.putAll(added);
    } catch (InternalError e) {
      throw region.sections().faulted(e);
    }
  }

  void clear() {
    checkNotInFunction();
    try {
      entries.clear();
    } catch (InternalError e) {
      throw region.sections().faulted(e);
    }
  }

  long size() {
    try {
      return entries.size();
    } catch (InternalError e) {
      throw region.sections().faulted(e);
    }
  }

  int stripes() {
    return entries.stripes();
  }

  Place walk(Place from, List<Entry> into, long bytesMax) {
    checkNotInFunction();
    try {
      return entries.walk(from, into, bytesMax);
    } catch (InternalError e) {
      throw region.sections().faulted(e);
    }
  }

  /// The first that a function makes of an entry and is not `null`; `null` if there is none.
  <R> R search(Function<Entry, R> function) {
    EntryWalk walk = new EntryWalk(this);
    R found = null;
    while (found == null && walk.hasNext()) {
      found = function.apply(walk.next());
    }
    return found;
  }

  long validate() {
    checkNotInFunction();
    try {
      return entries.validate();
    } catch (InternalError e) {
      throw region.sections().faulted(e);
    }
  }

  boolean delete(BooleanSupplier deletion) {
    checkNotInFunction();
    try {
      return entries.delete(deletion);
    } catch (InternalError e) {
      throw region.sections().faulted(e);
    }
  }

  void deleted(boolean isDeleted) {
    entries.deleted(isDeleted);
  }
}
