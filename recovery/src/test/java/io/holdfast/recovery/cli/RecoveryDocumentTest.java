package io.holdfast.recovery.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.recovery.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// `docs/recovery.md` says what the code says.
final class RecoveryDocumentTest {
  private static final Pattern EVENT = Pattern.compile("@Name\\(\"(io\\.holdfast\\.\\w+)\"\\)");

  private static List<String> lines() throws IOException {
    return Files.readAllLines(
        Path.of("../docs/recovery.md")); // tests run in the module's directory
  }

  @Test
  void theDecisionTableIsRecoverys() throws IOException {
    List<String> rows =
        Verdict.TABLE.stream()
            .map(
                row ->
                    "| %s | %s | %s | %s |"
                        .formatted(
                            row.standing().name().toLowerCase(Locale.ROOT),
                            row.met() ? "yes" : "no",
                            row.verdict().name().toLowerCase(Locale.ROOT),
                            row.why()))
            .toList();

    assertThat(lines()).containsSequence(rows);
  }

  @Test
  void theExitCodesAreThoseOfTheCommands() throws IOException {
    List<String> rows =
        Stream.of(ExitCode.values())
            .map(code -> "| %d | %s | %s |".formatted(code.number(), code, code.meaning()))
            .toList();

    assertThat(lines()).containsSequence(rows);
  }

  @Test
  void everyCommandIsThere() throws IOException {
    String text = String.join("\n", lines());

    assertThat(HoldfastCommand.commandLine().getSubcommands().keySet())
        .allSatisfy(command -> assertThat(text).containsPattern("[`( ]" + command + "[`) ]"));
  }

  @Test
  void everyEventHasAQuery() throws IOException {
    Set<String> events = new TreeSet<>();
    for (String module : List.of("core", "collections")) {
      try (Stream<Path> files = Files.walk(Path.of("..", module, "src/main/java"))) {
        for (Path file : files.filter(each -> each.toString().endsWith("Event.java")).toList()) {
          events.addAll(
              EVENT
                  .matcher(Files.readString(file))
                  .results()
                  .map((MatchResult found) -> found.group(1))
                  .collect(Collectors.toSet()));
        }
      }
    }

    assertThat(events).hasSizeGreaterThan(5);
    List<String> lines = lines();
    assertThat(events)
        .allSatisfy(
            event ->
                assertThat(lines)
                    .anyMatch(
                        line ->
                            line.startsWith("| `" + event + "` |")
                                && line.matches(
                                    ".*\\| `jfr (view|print) .*" + event + " r\\.jfr` \\|")));
  }
}
