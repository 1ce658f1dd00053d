package io.holdfast.stress.workload;

/// {@link PlainTransfer} by a {@link java.util.concurrent.locks.ReentrantLock} for each queue.
public final class ReentrantTransfer extends PlainTransfer {
  public ReentrantTransfer() {
    super("reentrant", new ReentrantExchange(Exchange.BOXES));
  }
}
