package io.holdfast.agent;

/// A command that can't be done. The message says what was attempted, what was found, and the way
/// out.
final class CommandException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final int exitCode;

  private CommandException(int exitCode, String message) {
    super(message);
    this.exitCode = exitCode;
  }

  /// The command line itself is wrong.
  static CommandException usage(String format, Object... arguments) {
    return new CommandException(AgentCommand.USAGE, format.formatted(arguments));
  }

  /// What it names can't be worked on.
  static CommandException failure(String format, Object... arguments) {
    return new CommandException(AgentCommand.FAILED, format.formatted(arguments));
  }

  int exitCode() {
    return exitCode;
  }
}
