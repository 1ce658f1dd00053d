package io.holdfast.stress.workload;

/// {@link PlainTransfer} by `synchronized` blocks.
public final class SynchronizedTransfer extends PlainTransfer {
  public SynchronizedTransfer() {
    super("synchronized", new SynchronizedExchange(Exchange.BOXES));
  }
}
