package io.holdfast.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.NullAndEmptySource;
import org.junit.jupiter.params.provider.ValueSource;

class OptionsTest {
  private final Module unnamed = getClass().getModule();
  private final ClassLoader loader = getClass().getClassLoader();

  @ParameterizedTest
  @CsvSource({
    "com.acme.Foo, com/acme/Foo, true",
    "com.acme.Foo, com/acme/Foo$Inner$1, true",
    "com.acme.Foo, com/acme/FooBar, false",
    "com.acme.Foo$Inner, com/acme/Foo$Inner$1, true",
    "com.acme.Foo$Inner, com/acme/Foo, false",
    "com.acme.*, com/acme/Foo, true",
    "com.acme.*, com/acme/web/Foo, false",
    "com.acme.**, com/acme/Foo, true",
    "com.acme.**, com/acme/web/deep/Foo, true",
    "com.acme.**, com/acmelike/Foo, false",
    "com.acme.**, com/acme, false",
    "com.*.Foo, com/acme/Foo, true",
    "com.*.Foo, com/acme/web/Foo, false",
    "com.**.Foo, com/acme/web/Foo, true",
    "com.acme.*Service, com/acme/OrderService, true",
    "com.acme.*Service, com/acme/Order, false",
    "com.acme.Order*, com/acme/Order, true",
    "**, Foo, true",
    "**, $Proxy1, true",
    "*, com/acme/Foo, false",
    "com.acme.a*b*c, com/acme/abc, true",
    "com.acme.a*b*c, com/acme/axxbyybzc, true",
    "com.acme.a*b*c, com/acme/axxbyyb, false",
    "com.acme.*$Inner, com/acme/Foo$Inner, true",
    "com.acme.*$Inner, com/acme/Foo$Inner$1, true",
    "com.acme.*$Inner, com/acme/Foo, false",
    "**.web.**, com/acme/web/a/Foo, true",
    "**.web.**, web/Foo, false",
    "**.Foo, Foo, false",
    "*.Foo, acme/Foo, true",
  })
  void aPatternMatches(String pattern, String name, boolean matches) {
    assertThat(ClassPattern.parse(pattern).matches(name)).isEqualTo(matches);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", ".", "com.acme.", "com..acme", "com.acme.***", "com.a**", "com/acme", "a b"})
  void whatIsNoPattern(String pattern) {
    assertThatThrownBy(() -> AgentOptions.parse("include=" + pattern))
        .hasMessage(
            "malformed option: 'include=%s': '%s' is no class pattern: names separated by '.', in which * is one level and ** any depth. %s"
                .formatted(
                    pattern,
                    pattern,
                    "Allowed are include=PATTERN,... exclude=PATTERN,... loader=PATTERN,..."
                        + " silent=PATTERN,... file=PATH, explain=PATH, tasks=on|off and"
                        + " locksets=on|off, separated by ';' or each in a line of the file, for"
                        + " example"
                        + " -javaagent:holdfast-agent.jar=include=com.acme.**,org.foo.Bar;exclude=com.acme.web.*"));
  }

  @ParameterizedTest
  @NullAndEmptySource
  @ValueSource(strings = "exclude=com.acme.*")
  void withoutIncludeNothingStarts(String options) {
    assertThatThrownBy(() -> AgentOptions.parse(options))
        .hasMessageStartingWith("no include option, so nothing would be woven: options='");
  }

  @Test
  void unknownOptions() {
    assertThatThrownBy(() -> AgentOptions.parse("include=a.*;inculde=b"))
        .hasMessageStartingWith("unknown option: 'inculde=b'. Allowed are include=");
    assertThatThrownBy(() -> AgentOptions.parse("include=a.*;"))
        .hasMessageStartingWith("unknown option: ''. Allowed are include=");
  }

  @Test
  void optionsThatAreGivenAgainAddUp() {
    Scope scope = scope("include=com.acme.*;include=org.foo.*;exclude=org.foo.A;exclude=org.foo.B");
    assertThat(scope.contains("com/acme/A")).isTrue();
    assertThat(scope.contains("org/foo/C")).isTrue();
    assertThat(scope.contains("org/foo/A")).isFalse();
    assertThat(scope.contains("org/foo/B")).isFalse();
    assertThatThrownBy(() -> AgentOptions.parse("include=a;explain=x;explain=y"))
        .hasMessageStartingWith("an option given twice: 'explain=y'");
    assertThatThrownBy(() -> AgentOptions.parse("include=a;tasks=off;tasks=on"))
        .hasMessageStartingWith("an option given twice: 'tasks=on'");
    assertThatThrownBy(() -> AgentOptions.parse("include=a;tasks=no"))
        .hasMessageStartingWith("malformed option: 'tasks=no': neither on nor off. Allowed are ");
    assertThatThrownBy(() -> AgentOptions.parse("include=a;locksets=yes"))
        .hasMessageStartingWith("malformed option: 'locksets=yes': neither on nor off. ");
    assertThatThrownBy(() -> AgentOptions.parse("include=a;explain="))
        .hasMessageStartingWith("an option without a value: 'explain='");
  }

  @Test
  void aFileOfOptions(@TempDir Path directory) throws IOException {
    Path file = directory.resolve("holdfast.options");
    Files.writeString(
        file,
        """
        # what the shop keeps

        include=com.acme.**
          include=org.foo.Bar
        exclude=com.acme.web.*
        """);
    Scope scope = scope("file=" + file + ";exclude=com.acme.Late");
    assertThat(scope.contains("com/acme/Foo")).isTrue();
    assertThat(scope.contains("org/foo/Bar")).isTrue();
    assertThat(scope.contains("com/acme/web/Foo")).isFalse();
    assertThat(scope.contains("com/acme/Late")).isFalse();
  }

  @Test
  void aFileThatCantBeHonoured(@TempDir Path directory) throws IOException {
    Path file = directory.resolve("holdfast.options");
    assertThatThrownBy(() -> AgentOptions.parse("file=" + file))
        .hasMessageStartingWith("a file of options can't be read: file='" + file)
        .hasMessageContaining("NoSuchFileException");
    Files.writeString(file, "include=com.acme.*\nfile=other");
    assertThatThrownBy(() -> AgentOptions.parse("file=" + file))
        .hasMessage(
            "line 2 of %s: a file of options names another one: 'file=other'. Name both after"
                + " -javaagent",
            file);
    Files.writeString(file, "include=com.acme.**;exclude=com.acme.web.*");
    assertThatThrownBy(() -> AgentOptions.parse("file=" + file))
        .hasMessageStartingWith("line 1 of " + file + ": malformed option: ");
  }

  @Test
  void onlyTheLoadersThatAreNamed() {
    ClassLoader app = ClassLoader.getSystemClassLoader();
    ClassLoader plugins = new URLClassLoader("plugins", new URL[0], app);
    Scope byName = scope("include=**;loader=plugins,other");
    assertThat(byName.contains(unnamed, plugins, "com/acme/Foo")).isTrue();
    assertThat(byName.contains(unnamed, app, "com/acme/Foo")).isFalse();
    assertThat(byName.contains(unnamed, null, "com/acme/Foo")).isFalse();
    Scope byClass = scope("include=**;loader=java.net.URLClassLoader");
    assertThat(byClass.contains(unnamed, plugins, "com/acme/Foo")).isTrue();
    assertThat(byClass.contains(unnamed, app, "com/acme/Foo")).isFalse();
    assertThat(scope("include=**").contains(unnamed, app, "com/acme/Foo")).isTrue();
  }

  @Test
  void excludeWins() {
    Scope scope = scope("include=com.acme.**,org.foo.Bar;exclude=com.acme.web.*");
    assertThat(scope.contains(unnamed, loader, "com/acme/Foo")).isTrue();
    assertThat(scope.contains(unnamed, loader, "org/foo/Bar")).isTrue();
    assertThat(scope.contains(unnamed, loader, "com/acme/web/Foo")).isFalse();
    assertThat(scope.contains(unnamed, loader, "org/foo/Baz")).isFalse();
  }

  @Test
  void theJdkAndHoldfastAreNeverWoven() {
    Scope all = scope("include=**");
    assertThat(all.contains(Object.class.getModule(), loader, "javax/sql/Foo")).isFalse();
    assertThat(all.contains(unnamed, loader, "java/util/Vector")).isFalse();
    assertThat(all.contains(unnamed, loader, "io/holdfast/core/section/hooks/SectionHooks"))
        .isFalse();
    assertThat(all.contains(unnamed, loader, "io/holdfast/collections/PersistentQueue")).isFalse();
    assertThat(all.contains(unnamed, loader, "io/holdfast/agent/Weaver")).isFalse();
    assertThat(all.contains(unnamed, loader, "io/holdfast/Holdfast")).isFalse();
    assertThat(all.contains(unnamed, loader, "io/holdfast/stress/Demo")).isTrue();
    assertThat(all.contains(unnamed, loader, "javax/inject/Foo")).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"java.util.**", "java.**", "io.holdfast.core.**", "io.holdfast.Holdfast"})
  void toIncludeWhatIsNeverWovenIsRefused(String pattern) {
    assertThatThrownBy(() -> scope("include=" + pattern))
        .hasMessageStartingWith(
            "include="
                + pattern
                + ": classes of the JDK, of Holdfast itself and of Spring Boot's launcher are never"
                + " woven.");
  }

  private static Scope scope(String options) {
    return new Scope(AgentOptions.parse(options));
  }
}
