package io.holdfast.collections.queue;

import java.util.Set;

/// Finds the first element that is not passed over, again and again, without going over those
/// before it each time.
///
/// Guarded by the take lock.
final class QueueCursor {
  private final QueueChain<?> chain;
  private final Position at;
  private long number;
  private int seenRollbacks;

  QueueCursor(QueueChain<?> chain) {
    this.chain = chain;
    this.at = chain.head().position();
    this.number = chain.head().number();
    this.seenRollbacks = chain.rollbacks();
  }

  /// Goes on to the first element that is neither removed nor passed over, which is known to be
  /// there.
  void find(Set<Long> passedOver) {
    int rollbacks = chain.rollbacks();
    if (rollbacks != seenRollbacks || number < chain.head().number()) {
      seenRollbacks = rollbacks;
      chain.head().begin(at);
      number = chain.head().number();
    }
    while (true) {
      if (!at.findElement()) {
        throw at.damaged("an element that the queue's numbers promise is not there", at.meta());
      }
      if (!QueueLayout.isRemoved(at.meta()) && !passedOver.contains(number)) {
        return;
      }
      at.pass();
      number++;
    }
  }

  /// An element is not passed over any more.
  void comeBackTo(QueueClaim claim) {
    if (claim.number < number) {
      at.moveTo(claim.at);
      number = claim.number;
    }
  }

  /// Of the element that was found.
  Position at() {
    return at;
  }

  long number() {
    return number;
  }
}
