package io.holdfast.agent;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// `weave DIR|JAR -o OUT`: the agent's work at build time.
final class WeaveCommand {
  private static final Set<String> WITH_VALUE =
      Set.of("-o", "--class-path", "--include", "--exclude", "--options", "--explain");
  private static final Set<String> WITHOUT = Set.of("--drop-signatures");

  /// @return the exit code
  /// @throws CommandException if it can't be done at all
  static int run(PrintStream out, PrintStream err, List<String> arguments) throws IOException {
    CommandArguments parsed = CommandArguments.parse(arguments, WITH_VALUE, WITHOUT);
    if (parsed.operands().size() != 1 || parsed.value("-o") == null) {
      throw CommandException.usage(
          "weave needs one directory or jar, and -o with the place of its copy: found=%s",
          arguments);
    }
    Path input = Path.of(parsed.operands().getFirst());
    if (!Files.exists(input)) {
      throw CommandException.failure("there is nothing to weave: no such file: %s", input);
    }
    List<Path> others = ClassPathLoader.entries(parsed.value("--class-path"));
    Scope scope = AgentCommand.scope(parsed);
    String explain = parsed.value("--explain");
    PrintStream explanations = explain == null ? null : explanations(explain, out);
    try (NestedClasses nested = NestedClasses.of(input);
        ClassPathLoader loader = loader(input, nested, others)) {
      BuildWeaver weaver = new BuildWeaver(scope, loader, explanations);
      Path output = Path.of(parsed.value("-o"));
      if (Files.isDirectory(input)) {
        new WovenDirectory(input, output, weaver).write();
      } else {
        new WovenJar(input, output, weaver, parsed.has("--drop-signatures"), nested).write();
      }
      weaver.report(out, err);
      weaver.refused().forEach(each -> err.println("holdfast-agent: refused: " + each));
      return weaver.isWoven() ? AgentCommand.DONE : AgentCommand.FAILED;
    } finally {
      if (explain != null && !explain.equals(Explanations.STANDARD_ERROR)) {
        explanations.close();
      }
    }
  }

  private static PrintStream explanations(String file, PrintStream out) throws IOException {
    return file.equals(Explanations.STANDARD_ERROR)
        ? out
        : new PrintStream(Files.newOutputStream(Path.of(file)), false, StandardCharsets.UTF_8);
  }

  private static ClassPathLoader loader(Path input, NestedClasses nested, List<Path> others) {
    List<Path> classPath = new ArrayList<>();
    classPath.add(input);
    classPath.addAll(nested.classPath());
    classPath.addAll(others);
    return ClassPathLoader.of(classPath);
  }

  private WeaveCommand() {}
}
