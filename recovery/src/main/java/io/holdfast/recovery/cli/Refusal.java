package io.holdfast.recovery.cli;

/// A command that can't do what it was asked for. It says why, and which command to type next.
final class Refusal extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final ExitCode code;
  private final String next;

  /// @param next a command that can be typed as it is
  Refusal(ExitCode code, String message, String next) {
    super(message);
    this.code = code;
    this.next = next;
  }

  Refusal(ExitCode code, String message, String next, Throwable cause) {
    super(message, cause);
    this.code = code;
    this.next = next;
  }

  ExitCode code() {
    return code;
  }

  String next() {
    return next;
  }
}
