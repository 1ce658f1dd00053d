package io.holdfast.agent;

import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;

/// The agent's jar as a program: `java -jar holdfast-agent.jar weave|explain …`.
public final class AgentCommand {
  static final int DONE = 0;
  static final int FAILED = 1;
  static final int USAGE = 2;

  private static final String HELP =
      """
      Usage: java -jar holdfast-agent.jar COMMAND [ARGUMENT ...]

        weave DIR|JAR -o OUT   copies a directory or jar, and weaves the classes in scope in the copy;
                               OUT may be the same as DIR or JAR; a Spring Boot jar's or web archive's
                               libraries are woven, too
        explain CLASS ...      says of each method what is woven, what is not and why, and what is likely
                               wrong; CLASS is a name or a pattern
        help                   prints this

      Options of both:
        --class-path PATH      the other classes of the program, which are looked at and not woven
        --include PATTERN,...  what is woven (all)
        --exclude PATTERN,...  what is not, even if included
        --options FILE         more of both: lines such as include=com.acme.**

      Options of explain:
        --all                  lists all classes and methods, also those in which nothing is woven
        --releases             tells what ends a section in a store with Regions.SYNCHRONIZATION_FREE

      Options of weave:
        -o OUT                 where the copy goes
        --explain FILE         what explain says, for each class that is woven; - for standard output
        --drop-signatures      for a signed jar: leave out the signatures, which don't hold for woven classes

      Exit code: 0 done; 1 a class was refused, none was woven, or a file can't be read or written; 2 wrong usage.
      """;

  /// Runs a command, and ends the JVM with its exit code.
  public static void main(String[] arguments) {
    Locale.setDefault(Locale.Category.FORMAT, Locale.ROOT); // programs read what is printed, too
    System.exit(run(System.out, System.err, List.of(arguments)));
  }

  /// @return the exit code
  static int run(PrintStream out, PrintStream err, List<String> arguments) {
    try {
      return dispatch(out, err, arguments);
    } catch (CommandException e) {
      err.println("holdfast-agent: " + e.getMessage());
      if (e.exitCode() == USAGE) {
        err.println("Try: java -jar holdfast-agent.jar help");
      }
      return e.exitCode();
    } catch (IOException | UncheckedIOException e) {
      err.println("holdfast-agent: a file can't be read or written: " + e);
      return FAILED;
    }
  }

  private static int dispatch(PrintStream out, PrintStream err, List<String> arguments)
      throws IOException {
    if (arguments.isEmpty()) {
      err.print(HELP);
      return USAGE;
    }
    List<String> rest = arguments.subList(1, arguments.size());
    return switch (arguments.getFirst()) {
      case "weave" -> WeaveCommand.run(out, err, rest);
      case "explain" -> ExplainCommand.run(out, rest);
      case "help", "--help", "-h" -> {
        out.print(HELP);
        yield DONE;
      }
      default -> throw CommandException.usage("unknown command: %s", arguments.getFirst());
    };
  }

  /// The scope that a command's options describe.
  ///
  /// @throws CommandException if one of them can't be honoured
  static Scope scope(CommandArguments arguments) {
    StringBuilder options = new StringBuilder();
    append(options, "file", arguments.value("--options"));
    append(options, "include", arguments.value("--include"));
    append(options, "exclude", arguments.value("--exclude"));
    if (arguments.value("--include") == null && arguments.value("--options") == null) {
      append(options, "include", "**");
    }
    try {
      return new Scope(AgentOptions.parse(options.toString()));
    } catch (IllegalArgumentException e) {
      throw CommandException.usage("%s", e.getMessage());
    }
  }

  private static void append(StringBuilder options, String option, String value) {
    if (value != null) {
      options.append(options.isEmpty() ? "" : ";").append(option).append('=').append(value);
    }
  }

  private AgentCommand() {}
}
