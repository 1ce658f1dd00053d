package io.holdfast.recovery.cli;

import java.io.PrintWriter;

/// The form in which a command's findings are printed: one of {@link JsonOutput}, {@link
/// PlainOutput} and {@link TableOutput}.
interface Output {
  /// Prints what was found.
  void print(Facts facts, PrintWriter out);
}
