package io.holdfast.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.NullAndEmptySource;
import org.junit.jupiter.params.provider.ValueSource;

class OptionsTest {
  private final Module unnamed = getClass().getModule();

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
                    "Allowed are include=PATTERN,... and exclude=PATTERN,... once each, separated"
                        + " by ';', for example"
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
  void unknownAndRepeatedOptions() {
    assertThatThrownBy(() -> AgentOptions.parse("include=a.*;inculde=b"))
        .hasMessageStartingWith("unknown option: 'inculde=b'. Allowed are include=");
    assertThatThrownBy(() -> AgentOptions.parse("include=a.*;"))
        .hasMessageStartingWith("unknown option: ''. Allowed are include=");
    assertThatThrownBy(() -> AgentOptions.parse("include=a.*;include=b"))
        .hasMessageStartingWith("option given twice: 'include'. Allowed are include=");
  }

  @Test
  void excludeWins() {
    Scope scope = scope("include=com.acme.**,org.foo.Bar;exclude=com.acme.web.*");
    assertThat(scope.contains(unnamed, "com/acme/Foo")).isTrue();
    assertThat(scope.contains(unnamed, "org/foo/Bar")).isTrue();
    assertThat(scope.contains(unnamed, "com/acme/web/Foo")).isFalse();
    assertThat(scope.contains(unnamed, "org/foo/Baz")).isFalse();
  }

  @Test
  void theJdkAndHoldfastAreNeverWoven() {
    Scope all = scope("include=**");
    assertThat(all.contains(Object.class.getModule(), "javax/sql/Foo")).isFalse();
    assertThat(all.contains(unnamed, "java/util/Vector")).isFalse();
    assertThat(all.contains(unnamed, "io/holdfast/core/section/SectionHooks")).isFalse();
    assertThat(all.contains(unnamed, "io/holdfast/collections/PersistentQueue")).isFalse();
    assertThat(all.contains(unnamed, "io/holdfast/agent/Weaver")).isFalse();
    assertThat(all.contains(unnamed, "io/holdfast/Holdfast")).isFalse();
    assertThat(all.contains(unnamed, "io/holdfast/stress/Demo")).isTrue();
    assertThat(all.contains(unnamed, "javax/inject/Foo")).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"java.util.**", "java.**", "io.holdfast.core.**", "io.holdfast.Holdfast"})
  void toIncludeWhatIsNeverWovenIsRefused(String pattern) {
    assertThatThrownBy(() -> scope("include=" + pattern))
        .hasMessageStartingWith(
            "include=" + pattern + ": classes of the JDK and of Holdfast itself are never woven.");
  }

  private static Scope scope(String options) {
    return new Scope(AgentOptions.parse(options));
  }
}
