package io.holdfast.recovery.cli;

import io.holdfast.codec.CodecException;
import io.holdfast.core.HoldfastException;
import io.holdfast.core.RegionAccessException;
import io.holdfast.core.RegionDamagedException;
import io.holdfast.core.RegionFormatException;
import io.holdfast.core.RegionFullException;
import io.holdfast.core.RegionLockedException;
import io.holdfast.recovery.RegionView;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/// Turns what a command throws, or can't be parsed of its line, into a message, the next command to
/// type, and an exit code. What is no refusal of ours is a bug, and is shown with its stack.
final class Refusals implements IExecutionExceptionHandler, IParameterExceptionHandler {
  @Override
  public int handleExecutionException(
      Exception thrown, CommandLine commandLine, ParseResult parsed) {
    Refusal refusal =
        commandLine.getCommand() instanceof RegionCommand command
            ? asRefusal(thrown, command)
            : null;
    if (refusal == null) {
      PrintWriter err = commandLine.getErr();
      thrown.printStackTrace(err);
      err.println("holdfast: this is a bug of holdfast's; please report it with what is above");
      err.flush();
      return ExitCode.FAILED.number();
    }
    return show(refusal, commandLine);
  }

  @Override
  public int handleParseException(ParameterException thrown, String[] arguments) {
    CommandLine commandLine = thrown.getCommandLine();
    String name = commandLine.getCommandSpec().qualifiedName();
    return show(
        new Refusal(ExitCode.USAGE, thrown.getMessage() + meant(thrown), name + " --help", thrown),
        commandLine);
  }

  private static String meant(ParameterException thrown) {
    return thrown instanceof UnmatchedArgumentException unmatched
            && !unmatched.getSuggestions().isEmpty()
        ? ". Did you mean " + String.join(" or ", unmatched.getSuggestions()) + "?"
        : "";
  }

  private static int show(Refusal refusal, CommandLine commandLine) {
    PrintWriter err = commandLine.getErr();
    err.println("holdfast: " + refusal.getMessage());
    err.println("next: " + refusal.next());
    err.flush();
    return refusal.code().number();
  }

  /// A path as a shell reads it.
  static String quoted(Path path) {
    String text = path.toString();
    return text.matches("[A-Za-z0-9_./+:@%,=-]+") ? text : "'" + text.replace("'", "'\\''") + "'";
  }

  /// @return null if it is none
  static Refusal asRefusal(Exception thrown, RegionCommand command) {
    String message = thrown.getMessage();
    return switch (thrown) {
      case Refusal refusal -> refusal;
      case RegionLockedException e ->
          new Refusal(ExitCode.IN_USE, message, command.nextIfInUse(), e);
      case RegionFormatException e ->
          new Refusal(ExitCode.REFUSED, message, nextOfFormat(command), e);
      case RegionDamagedException e ->
          new Refusal(ExitCode.DAMAGED, message, command.nextIfDamaged(), e);
      case RegionFullException e ->
          new Refusal(ExitCode.REFUSED, message, "df -h " + quoted(directory(command.made())), e);
      case RegionAccessException e ->
          new Refusal(ExitCode.REFUSED, message, look(obstacle(command)), e);
      case HoldfastException e ->
          new Refusal(ExitCode.REFUSED, message, command.command("info"), e);
      case CodecException e -> new Refusal(ExitCode.DAMAGED, message, nextOf(command, "verify"), e);
      case FileSystemException e when e.getFile() != null ->
          new Refusal(ExitCode.REFUSED, e.toString(), look(Path.of(e.getFile())), e);
      case IOException e -> new Refusal(ExitCode.REFUSED, e.toString(), look(command.made()), e);
      default -> null;
    };
  }

  /// What isn't there yet is made of something else, of which the help tells.
  private static String nextOf(RegionCommand command, String next) {
    return Files.exists(command.file())
        ? command.command(next)
        : "holdfast %s --help".formatted(command.name());
  }

  /// Of a region `info` tells more: its version, its roots and codecs; of another file `file`.
  private static String nextOfFormat(RegionCommand command) {
    if (!Files.exists(command.file())) {
      return nextOf(command, "info");
    }
    try {
      RegionView.open(command.file()).close();
      return command.command("info");
    } catch (HoldfastException e) {
      return "file " + quoted(command.file());
    }
  }

  /// The file that is in the way, or is missing.
  private static Path obstacle(RegionCommand command) {
    boolean isItsOwn = !Files.exists(command.made()) && !Files.exists(command.file());
    return isItsOwn ? command.file() : command.made();
  }

  static String look(Path path) {
    return "ls -l " + quoted(Files.exists(path) ? path : directory(path));
  }

  /// The nearest directory above that is there.
  private static Path directory(Path path) {
    Path directory = path.toAbsolutePath().getParent();
    while (directory != null && !Files.isDirectory(directory)) {
      directory = directory.getParent();
    }
    return directory == null ? Path.of("/") : directory;
  }
}
