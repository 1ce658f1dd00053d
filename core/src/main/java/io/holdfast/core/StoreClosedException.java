package io.holdfast.core;

/// The store was closed, by this thread or another. Open it again.
public final class StoreClosedException extends HoldfastException {
  private static final long serialVersionUID = 1L;

  public StoreClosedException(String message) {
    super(message);
  }

  public StoreClosedException(String message, Throwable cause) {
    super(message, cause);
  }
}
