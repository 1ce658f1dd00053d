package io.holdfast.recovery.cli;

import java.io.PrintWriter;
import java.util.regex.Pattern;

/// The form in which a command's findings are printed: one of {@link JsonOutput}, {@link
/// PlainOutput} and {@link TableOutput}.
interface Output {
  Pattern CONTROL = Pattern.compile("\\p{Cc}");

  /// Prints what was found.
  void print(Facts facts, PrintWriter out);

  /// A text of somebody else's, which can neither break a line nor give a terminal orders: of
  /// control characters their numbers, as Java writes them.
  static String visible(String text) {
    return CONTROL
        .matcher(text)
        .replaceAll(found -> "\\\\u%04x".formatted((int) found.group().charAt(0)));
  }
}
