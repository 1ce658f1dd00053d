package io.holdfast.stress.failures;

/// A thread that waits for ever; the stack trace is its own.
final class Hang extends Violation {
  private static final long serialVersionUID = 1L;

  Hang(String what, StackTraceElement[] place) {
    super(what + " does not come to an end");
    setStackTrace(place);
  }
}
