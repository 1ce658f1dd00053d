package io.holdfast.core;

/// A transaction that took longer than its time limit: nothing that it did is there. Try again, or
/// allow more time.
public final class TransactionTimeoutException extends HoldfastException {
  private static final long serialVersionUID = 1L;

  public TransactionTimeoutException(String message) {
    super(message);
  }
}
