package io.holdfast.testkit;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// What a loss of power can take of the stores to one line: those that reached the cache last, any
/// number of them (PCSO-2). Sets of stores are by their place among the line's.
final class LineLoss {
  /// Of plain stores that are free of each other, so many in all their subsets.
  private static final int FREE_MAX = 4;

  private final List<Integer> stores;
  private final LineOrder order;
  private final Choice choice;
  private List<BitSet> options;

  /// @param stores the line's stores that are not durable, by their numbers as events
  LineLoss(List<Integer> stores, LineOrder order, Choice choice) {
    this.stores = stores;
    this.order = order;
    this.choice = choice;
  }

  /// All of them.
  BitSet all() {
    BitSet all = new BitSet();
    all.set(0, stores.size());
    return all;
  }

  /// Adds a set of these to events that are lost.
  BitSet addTo(BitSet events, BitSet lost) {
    lost.stream().forEach(place -> events.set(stores.get(place)));
    return events;
  }

  /// Takes all of these out of events that are lost.
  void takeFrom(BitSet events) {
    stores.forEach(events::clear);
  }

  /// What may be lost, from all to nothing.
  List<BitSet> options() {
    if (options == null) {
      Set<BitSet> found = new LinkedHashSet<>();
      for (int kept = 0; kept < stores.size(); kept++) {
        // All before this store are on media, it is not, and some plain stores after it may be.
        addSubsets(kept, free(kept), found);
      }
      found.add(new BitSet());
      options = List.copyOf(found);
    }
    return options;
  }

  /// The stores that may be on media though this one is not.
  private List<Integer> free(int lost) {
    List<Integer> free = new ArrayList<>();
    List<Integer> bound = new ArrayList<>(List.of(lost));
    for (int store = lost + 1; store < stores.size(); store++) {
      int behind = store;
      boolean isBound = bound.stream().anyMatch(before -> isAfter(before, behind));
      (isBound ? bound : free).add(store);
    }
    return free;
  }

  private boolean isAfter(int before, int store) {
    return order.isAfter(stores.get(before), stores.get(store));
  }

  private void addSubsets(int first, List<Integer> free, Set<BitSet> found) {
    List<Integer> chosen = free;
    if (free.size() > FREE_MAX) {
      choice.leftOut();
      chosen = choice.some(free.size(), FREE_MAX).stream().map(free::get).toList();
    }
    for (int bits = 0; bits < 1 << chosen.size(); bits++) {
      BitSet lost = new BitSet();
      lost.set(first, stores.size());
      for (int i = 0; i < chosen.size(); i++) {
        lost.set(chosen.get(i), (bits >>> i & 1) == 0);
      }
      if (isPossible(lost)) {
        found.add(lost);
      }
    }
  }

  private boolean isPossible(BitSet lost) {
    for (int store = lost.nextClearBit(0);
        store < stores.size();
        store = lost.nextClearBit(store + 1)) {
      for (int before = lost.nextSetBit(0);
          before >= 0 && before < store;
          before = lost.nextSetBit(before + 1)) {
        if (isAfter(before, store)) {
          return false;
        }
      }
    }
    return true;
  }
}
