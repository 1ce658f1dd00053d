package io.holdfast.stress;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toList;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// An invariant has a name, like `LOG-1`. The place that defines it writes it in bold. Beside code
/// that upholds it, `Test:` points to the test that fails without that code; a test names what it
/// shows.
final class InvariantsTest {
  private static final Pattern DEFINITION =
      Pattern.compile("\\*\\*([A-Z]+(?:-[A-Z]+)*-\\d+)\\*\\*");
  private static final Pattern NAME = Pattern.compile("\\b(?:[A-Z]+-)+\\d+\\b");
  private static final Pattern POINTER =
      Pattern.compile("Tests?: ([A-Z]\\w+(?:\\.\\w+)?(?:, (?:[A-Z]\\w+\\.)?\\w+)*)");
  private static final Pattern PREFIX = Pattern.compile("\\b([a-z]+\\d+)(?=[A-Z])");
  private static final Pattern COMMENT_BREAK = Pattern.compile("\\n\\s*///?\\s*");

  /// Names of standards.
  private static final Set<String> OTHERS =
      Set.of("CRC-64", "ECMA-182", "SHA-1", "SHA-256", "UTF-8");

  /// By file.
  private static final Map<Path, String> MAIN = new TreeMap<>();

  /// What tests name, in their text or, as in `log1AnEntryIsWhole`, at the beginning of a method;
  /// and what tests with: the workloads of kill loops, the test kit.
  private static final Set<String> SHOWN = new HashSet<>();

  /// By class name, tests included.
  private static final Map<String, String> CLASSES = new TreeMap<>();

  @BeforeAll
  static void readSources() throws IOException {
    Path root = Path.of(".."); // tests run in the module's directory
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : files.filter(each -> each.toString().endsWith(".java")).toList()) {
        String text = Files.readString(file);
        boolean isTest = file.toString().contains("/src/test/java/");
        if (isTest || file.toString().contains("/src/main/java/")) {
          String name = file.getFileName().toString();
          CLASSES.put(name.substring(0, name.length() - ".java".length()), text);
        }
        if (isTest
            || file.startsWith(root.resolve("stress/src/main"))
            || file.startsWith(root.resolve("testkit/src/main"))) {
          found(NAME, text).map(InvariantsTest::asPrefix).forEach(SHOWN::add);
          found(PREFIX, text).forEach(SHOWN::add);
        }
        if (!isTest && file.toString().contains("/src/main/java/")) {
          MAIN.put(root.relativize(file), text);
        }
      }
    }
  }

  private static String asPrefix(String name) {
    return name.replace("-", "").toLowerCase(Locale.ROOT);
  }

  private static Stream<String> found(Pattern pattern, String text) {
    return pattern.matcher(text).results().map(InvariantsTest::last);
  }

  private static String last(MatchResult result) {
    return result.group(result.groupCount());
  }

  @Test
  void eachIsDefinedOnce() {
    Map<String, List<Path>> places =
        MAIN.entrySet().stream()
            .flatMap(
                each ->
                    found(DEFINITION, each.getValue()).map(name -> Map.entry(name, each.getKey())))
            .collect(groupingBy(Map.Entry::getKey, mapping(Map.Entry::getValue, toList())));
    assertThat(places).hasSizeGreaterThan(100);
    assertThat(places).allSatisfy((name, files) -> assertThat(files).as(name).hasSize(1));
  }

  @Test
  void eachThatIsNamedIsDefined() throws IOException {
    Set<String> defined = new HashSet<>(OTHERS);
    MAIN.values().forEach(text -> found(DEFINITION, text).forEach(defined::add));
    found(DEFINITION, Files.readString(Path.of("../docs/design.md"))).forEach(defined::add);
    MAIN.forEach((file, text) -> assertThat(found(NAME, text)).as(file + "").isSubsetOf(defined));
  }

  @Test
  void eachIsShownByATest() {
    MAIN.forEach(
        (file, text) ->
            assertThat(found(DEFINITION, text))
                .as(file + "")
                .allMatch(name -> SHOWN.contains(asPrefix(name))));
  }

  @Test
  void testsThatArePointedToExist() {
    List<String> pointers = new ArrayList<>();
    MAIN.forEach(
        (file, text) -> {
          String comments = COMMENT_BREAK.matcher(text).replaceAll(" ");
          found(POINTER, comments)
              .forEach(
                  pointer -> {
                    pointers.add(pointer);
                    assertThat(missing(pointer)).as("%s: Test: %s", file, pointer).isEmpty();
                  });
        });
    assertThat(pointers).hasSizeGreaterThan(100);
  }

  /// @param pointer classes, or methods of the class that was named last
  private static List<String> missing(String pointer) {
    List<String> missing = new ArrayList<>();
    String text = "";
    for (String each : pointer.split(", ")) {
      String[] parts = each.split("\\.");
      boolean isClass = Character.isUpperCase(each.charAt(0));
      text = isClass ? CLASSES.getOrDefault(parts[0], "") : text;
      String method = isClass ? parts.length == 1 ? "class " + parts[0] : parts[1] : each;
      if (!text.contains(method)) {
        missing.add(each);
      }
    }
    return missing;
  }
}
