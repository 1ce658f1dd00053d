package io.holdfast.recovery.cli;

import io.holdfast.codec.CodecException;
import io.holdfast.core.RegionAccessException;
import io.holdfast.core.RegionDamagedException;
import io.holdfast.core.RegionFormatException;
import io.holdfast.core.RegionFullException;
import io.holdfast.core.RegionLockedException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.ParseResult;

/// Turns what a command throws into a message, the next command to type, and an exit code. What is
/// no refusal of ours is a bug, and is shown with its stack.
final class Refusals implements IExecutionExceptionHandler {
  @Override
  public int handleExecutionException(
      Exception thrown, CommandLine commandLine, ParseResult parsed) {
    PrintWriter err = commandLine.getErr();
    Refusal refusal = asRefusal(thrown, file(commandLine));
    if (refusal == null) {
      thrown.printStackTrace(err);
      err.println("holdfast: this is a bug of holdfast's; please report it with what is above");
      err.flush();
      return ExitCode.FAILED.number();
    }
    err.println("holdfast: " + refusal.getMessage());
    err.println("next: " + refusal.next());
    err.flush();
    return refusal.code().number();
  }

  private static String file(CommandLine commandLine) {
    return commandLine.getCommand() instanceof RegionCommand command && command.file() != null
        ? quoted(command.file())
        : "FILE";
  }

  /// A path as a shell reads it.
  static String quoted(Path path) {
    String text = path.toString();
    return text.matches("[A-Za-z0-9_./+:@%,=-]+") ? text : "'" + text.replace("'", "'\\''") + "'";
  }

  /// @param file as it is typed
  /// @return null if it is none
  static Refusal asRefusal(Exception thrown, String file) {
    String message = thrown.getMessage();
    return switch (thrown) {
      case Refusal refusal -> refusal;
      case RegionLockedException e ->
          new Refusal(ExitCode.IN_USE, message, "holdfast stat " + file, e);
      case RegionFormatException e -> new Refusal(ExitCode.REFUSED, message, "file " + file, e);
      case RegionDamagedException e ->
          new Refusal(
              ExitCode.DAMAGED, message, "holdfast salvage %s %1$s.salvaged".formatted(file), e);
      case RegionFullException e -> new Refusal(ExitCode.REFUSED, message, "df -h " + file, e);
      case RegionAccessException e -> new Refusal(ExitCode.REFUSED, message, "ls -l " + file, e);
      case CodecException e -> new Refusal(ExitCode.DAMAGED, message, "holdfast verify " + file, e);
      case IOException e -> new Refusal(ExitCode.REFUSED, e.toString(), "ls -l " + file, e);
      default -> null;
    };
  }
}
