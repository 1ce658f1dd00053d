package io.holdfast.stress.failures;

/// A promise that was broken.
class Violation extends RuntimeException {
  private static final long serialVersionUID = 1L;

  Violation(String message) {
    super(message);
  }

  Violation(String message, Throwable cause) {
    super(message, cause);
  }
}
