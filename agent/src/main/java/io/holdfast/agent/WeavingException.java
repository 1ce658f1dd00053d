package io.holdfast.agent;

/// A class in scope can't be woven. The message says where and why; what follows is {@link
/// Refusal}'s.
final class WeavingException extends RuntimeException {
  private static final long serialVersionUID = 1;

  WeavingException(String message) {
    super(message);
  }

  WeavingException(String message, Throwable cause) {
    super(message, cause);
  }
}
