package io.holdfast.core;

/// An append log has no room for an entry, and was made to refuse it then. Nothing was appended.
public final class LogFullException extends HoldfastException {
  private static final long serialVersionUID = 1L;

  public LogFullException(String message) {
    super(message);
  }

  public LogFullException(String message, Throwable cause) {
    super(message, cause);
  }
}
