package io.holdfast.testkit;

import io.holdfast.testkit.Event.Kind;
import java.util.List;

/// In which order stores to one line reach the cache, as far as the Java memory model says.
final class LineOrder {
  private final List<Event> events;
  private final int[] barriers;

  LineOrder(List<Event> events) {
    this.events = events;
    barriers = new int[events.size() + 1];
    for (int i = 0; i < events.size(); i++) {
      barriers[i + 1] = barriers[i] + (events.get(i).isStore() ? 0 : 1);
    }
  }

  /// Whether a store always comes after one that is before it in the program: a release store, one
  /// to the same bytes, or one after a barrier.
  boolean isAfter(int before, int store) {
    Event one = events.get(before);
    Event other = events.get(store);
    return one.line() == other.line()
        && (other.kind() == Kind.RELEASE
            || barriers[store] > barriers[before]
            || (one.at() == other.at() && (one.mask() & other.mask()) != 0));
  }
}
