package io.holdfast.stress.workload;

/// {@link PlainTransfer} by read-write locks.
public final class ReadWriteTransfer extends PlainTransfer {
  public ReadWriteTransfer() {
    super("read-write", new ReadWriteExchange(Exchange.BOXES));
  }
}
