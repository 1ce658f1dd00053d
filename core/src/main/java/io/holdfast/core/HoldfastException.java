package io.holdfast.core;

/// What every Holdfast exception is: unchecked, and with a message that names the file, the cause
/// and the way out. Each subclass calls for a different reaction.
public class HoldfastException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public HoldfastException(String message) {
    super(message);
  }

  public HoldfastException(String message, Throwable cause) {
    super(message, cause);
  }
}
