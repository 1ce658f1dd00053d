package io.holdfast.collections;

import io.holdfast.codec.Encoded;
import io.holdfast.collections.tree.node.KeyOrder;

/// An order of keys that is code of the caller's, which must not use the map (UPDATE-1).
///
/// Thread-safe.
final class GuardedOrder implements KeyOrder {
  private final KeyOrder order;
  private final CallersCode.Place place;

  GuardedOrder(KeyOrder order, CallersCode callers) {
    this.order = order;
    this.place =
        callers.place("the comparison of its keys, and the codec of these, must not use it", false);
  }

  @Override
  public int compare(Encoded one, Encoded other) {
    CallersCode.Running running = CallersCode.running();
    int outer = running.enter(place);
    try {
      return order.compare(one, other);
    } finally {
      running.leave(outer);
    }
  }

  @Override
  public boolean isExact() {
    return order.isExact();
  }

  @Override
  public boolean isCallers() {
    return true;
  }
}
