package io.holdfast.stress.kill;

import io.holdfast.DurableLock;
import io.holdfast.stress.workload.HandOverHand;

/// A fault: a transfer in two inner critical sections, which are two sections.
public final class TornTransfers extends HandOverHand {
  private final DurableLock book = new DurableLock();

  @Override
  protected void take(int at, long cents) {
    book.lock();
    add(at, -cents);
    book.unlock();
    book.lock();
    add(at + 1, cents);
    book.unlock();
  }
}
