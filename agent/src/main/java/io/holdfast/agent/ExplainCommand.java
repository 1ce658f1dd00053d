package io.holdfast.agent;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Enumeration;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/// `explain CLASS …`: what the agent would do to the classes of a class path. Woven classes come
/// first, then those that there is something to say of, and of the others their number.
final class ExplainCommand {
  private static final Set<String> WITH_VALUE =
      Set.of("--class-path", "--include", "--exclude", "--options");
  private static final String ALL = "--all";
  private static final String RELEASES = "--releases";
  private static final String CLASS_FILE = ".class";

  private final PrintStream out;
  private final Scope scope;
  private final ClassPathLoader loader;
  private final List<ClassPattern> wanted;
  private final boolean listsAll;
  private final boolean tellsReleases;
  private final StringBuilder woven = new StringBuilder();
  private final StringBuilder others = new StringBuilder();
  private int explained;
  private int refused;
  private int nothing;
  private int outOfScope;

  private ExplainCommand(
      PrintStream out,
      Scope scope,
      ClassPathLoader loader,
      List<ClassPattern> wanted,
      boolean listsAll,
      boolean tellsReleases) {
    this.out = out;
    this.scope = scope;
    this.loader = loader;
    this.wanted = wanted;
    this.listsAll = listsAll;
    this.tellsReleases = tellsReleases;
  }

  /// @return the exit code
  /// @throws CommandException if it can't be done at all
  static int run(PrintStream out, List<String> arguments) throws IOException {
    CommandArguments parsed = CommandArguments.parse(arguments, WITH_VALUE, Set.of(ALL, RELEASES));
    List<Path> entries = ClassPathLoader.entries(parsed.value("--class-path"));
    if (parsed.operands().isEmpty() || entries.isEmpty()) {
      throw CommandException.usage(
          "explain needs names or patterns of classes, and --class-path with the place where they"
              + " are: found=%s",
          arguments);
    }
    Scope scope = AgentCommand.scope(parsed);
    try (ClassPathLoader loader = ClassPathLoader.of(entries)) {
      ExplainCommand command =
          new ExplainCommand(
              out,
              scope,
              loader,
              patterns(parsed.operands()),
              parsed.has(ALL),
              parsed.has(RELEASES));
      for (Path entry : entries) {
        command.explainIn(entry);
      }
      if (command.explained == 0) {
        throw CommandException.failure(
            "no class of this name is on the class path: class=%s, --class-path=%s",
            parsed.operands(), parsed.value("--class-path"));
      }
      command.print();
      return command.refused == 0 ? AgentCommand.DONE : AgentCommand.FAILED;
    }
  }

  private static List<ClassPattern> patterns(List<String> names) {
    try {
      return names.stream().map(ClassPattern::parse).toList();
    } catch (IllegalArgumentException e) {
      throw CommandException.usage("%s", e.getMessage());
    }
  }

  private void explainIn(Path entry) throws IOException {
    if (Files.isDirectory(entry)) {
      try (Stream<Path> files = Files.walk(entry)) {
        for (Path file : (Iterable<Path>) files.sorted()::iterator) {
          String name = entry.relativize(file).toString().replace('\\', '/');
          if (isWanted(name)) {
            explain(name, Files.readAllBytes(file));
          }
        }
      }
    } else {
      try (ZipFile jar = new ZipFile(entry.toFile())) {
        Enumeration<? extends ZipEntry> entries = jar.entries();
        while (entries.hasMoreElements()) {
          ZipEntry each = entries.nextElement();
          if (isWanted(each.getName())) {
            try (InputStream in = jar.getInputStream(each)) {
              explain(each.getName(), in.readAllBytes());
            }
          }
        }
      }
    }
  }

  private boolean isWanted(String file) {
    if (!file.endsWith(CLASS_FILE)) {
      return false;
    }
    String name = file.substring(0, file.length() - CLASS_FILE.length());
    return wanted.stream().anyMatch(each -> each.matches(name));
  }

  private void explain(String file, byte[] bytes) {
    explained++;
    String name = file.substring(0, file.length() - CLASS_FILE.length());
    if (!scope.contains(name)) {
      outOfScope++;
      if (listsAll) {
        others.append("%s: not woven: out of scope%n".formatted(name.replace('/', '.')));
      }
      return;
    }
    try {
      Weaver.Result result = Weaver.weave(bytes, loader);
      String text = Explanation.of(bytes, result, !listsAll, tellsReleases);
      boolean isWoven = result.isWoven() || result.marked();
      (isWoven ? woven : others).append(text);
      nothing += text.isEmpty() ? 1 : 0;
    } catch (WeavingException e) {
      refused++;
      others.append(Explanation.ofRefused(name.replace('/', '.'), e.getMessage()));
    }
  }

  private void print() {
    out.print(woven);
    out.print(others);
    if (!listsAll && nothing + outOfScope > 0) {
      out.printf(
          "%d other classes: nothing to weave in %d, %d out of scope; --all lists them%n",
          nothing + outOfScope, nothing, outOfScope);
    }
  }
}
