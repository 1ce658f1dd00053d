package io.holdfast.stress.workload;

/// {@link PlainTransfer} by `wait` and `notifyAll`.
public final class WaitingTransfer extends PlainTransfer {
  public WaitingTransfer() {
    super("waiting", new WaitingExchange());
  }
}
