package io.holdfast.recovery.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import picocli.CommandLine;

/// A command that was run in this process.
///
/// @param out what it printed, with line feeds
/// @param err what it remarked
record CommandRun(int exitCode, String out, String err) {
  /// Runs a command line.
  static CommandRun of(Object... arguments) {
    return to(new StringWriter(), arguments);
  }

  /// The same with a writer of the caller's for what it prints.
  static CommandRun to(StringWriter out, Object... arguments) {
    StringWriter err = new StringWriter();
    CommandLine commandLine = HoldfastCommand.commandLine();
    commandLine.setOut(new PrintWriter(out));
    commandLine.setErr(new PrintWriter(err));
    String[] texts = new String[arguments.length];
    for (int i = 0; i < texts.length; i++) {
      texts[i] = arguments[i].toString();
    }
    int exitCode = commandLine.execute(texts);
    return new CommandRun(exitCode, out.toString(), err.toString());
  }
}
