package io.holdfast.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.instrument.Instrumentation;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What the agent costs a program with nothing in scope, counted in classes that it brings with it:
/// each takes up to a millisecond, and some (regular expressions, class files, logging, the first
/// lambda) bring a hundred.
class StartTest {
  /// The agent, its options and patterns, the scope and the transformer.
  private static final int OWN_MAX = 8;

  /// Exceptions that it catches, and what reading a jar's manifest takes.
  private static final int OF_JDK_MAX = 15;

  @TempDir Path directory;

  @Test
  void aProgramWithNothingInScopeLoadsLittle() throws Exception {
    AgentJvm jvm = new AgentJvm(directory);
    Path program = directory.resolve("program");
    AgentJvm.copyClasses("com.acme.start", program);
    Path agents = directory.resolve("agents");
    AgentJvm.copyClasses("com.acme.early", agents);
    Path idle = directory.resolve("idle.jar");
    jvm.jar(idle, Map.of("Premain-Class", "com.acme.early.IdleAgent"), agents);

    Set<String> brought =
        loaded(jvm, jvm.flag("=include=org.example.**,com.example.*Service"), program);
    Set<String> own = new TreeSet<>(brought);
    own.removeIf(name -> !name.startsWith("io.holdfast."));
    assertThat(own).contains("io.holdfast.agent.HoldfastAgent").hasSizeLessThanOrEqualTo(OWN_MAX);
    brought.removeAll(own);
    brought.removeAll(loaded(jvm, "-javaagent:" + idle, program));
    assertThat(brought).hasSizeLessThanOrEqualTo(OF_JDK_MAX);
  }

  /// A signal that comes while it starts: the JVM still calls it, but tells no classes any more.
  @Test
  void aJvmThatIsAboutToEnd() {
    Set<String> asked = new TreeSet<>();
    Instrumentation ending =
        (Instrumentation)
            Proxy.newProxyInstance(
                null,
                new Class<?>[] {Instrumentation.class},
                (_, method, _) -> {
                  asked.add(method.getName());
                  return null;
                });
    HoldfastAgent.premain("include=org.example.**", ending);
    assertThat(asked).containsExactly("addTransformer", "getAllLoadedClasses");
  }

  /// By name; what the JVM makes up itself has none that stays.
  private static Set<String> loaded(AgentJvm jvm, String agent, Path program) throws Exception {
    AgentJvm.Run run =
        jvm.java(
            List.of(
                agent, "-Xlog:class+load=info", "-cp", program.toString(), "com.acme.start.Idle"));
    assertThat(run.exitCode()).isZero();
    Set<String> names = new TreeSet<>();
    for (String line : run.lines()) {
      int end = line.indexOf(" source: ");
      if (end >= 0 && !line.contains("0x")) {
        names.add(line.substring(line.lastIndexOf(' ', end - 1) + 1, end));
      }
    }
    assertThat(names).contains("com.acme.start.Idle");
    return names;
  }
}
