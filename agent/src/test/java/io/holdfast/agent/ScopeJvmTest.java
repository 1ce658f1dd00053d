package io.holdfast.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What the agent reaches in a real JVM, and what it leaves alone.
class ScopeJvmTest {
  @TempDir Path directory;
  private AgentJvm jvm;

  @BeforeEach
  void makeJar() throws IOException {
    jvm = new AgentJvm(directory);
  }

  private AgentJvm.Run run(String options, String main, String... arguments) throws Exception {
    return runOn(AgentJvm.CLASS_PATH, options, main, arguments);
  }

  private AgentJvm.Run runOn(String classPath, String options, String main, String... arguments)
      throws Exception {
    List<String> command = new ArrayList<>(List.of(jvm.flag(options), "-cp", classPath, main));
    command.addAll(List.of(arguments));
    return jvm.java(command);
  }

  /// Runs a host, with plugins that are not on the class path.
  private AgentJvm.Run runPlugins(String options, String host) throws Exception {
    Path plugins = directory.resolve("plugins");
    AgentJvm.copyClasses("com.acme.plugin", plugins);
    return run(options, host, plugins.toString());
  }

  /// Hidden classes are shown to no agent: a limit that the docs name.
  @Test
  void everyKindOfCode() throws Exception {
    AgentJvm.Run run = run("=include=com.acme.app.**", "com.acme.app.Shapes");
    assertThat(run.lines())
        .containsExactly(
            "record true",
            "enum true",
            "interface true",
            "lambda true",
            "record true",
            "lambda true",
            "hidden false",
            "end false");
  }

  /// As OSGi's loaders and those of plug-in systems are.
  @Test
  void loadersThatDoNotFindCore() throws Exception {
    AgentJvm.Run run = runPlugins("=include=com.acme.plugin.**", "com.acme.host.Host");
    assertThat(run.lines()).hasSize(9).last().isEqualTo("end false");
    assertThat(run.lines().subList(0, 4)).containsOnly("plugin of first: true true true false");
    assertThat(run.lines().subList(4, 8)).containsOnly("plugin of second: true true true false");
  }

  /// A thread that brings hooks to a loader may wait for another one, whose lock a thread holds
  /// that does the same.
  @Test
  void loadersThatAreLocked() throws Exception {
    AgentJvm.Run run = runPlugins("=include=com.acme.plugin.**", "com.acme.host.LockedHost");
    assertThat(run.lines())
        .containsExactlyInAnyOrder(
            "plugin of first: false false false false",
            "plugin of second: false false false false");
  }

  @Test
  void onlyTheLoadersThatAreNamed() throws Exception {
    AgentJvm.Run run = runPlugins("=include=com.acme.**;loader=second", "com.acme.host.Host");
    assertThat(run.lines()).hasSize(9);
    assertThat(run.lines().subList(0, 4)).containsOnly("plugin of first: false false false false");
    assertThat(run.lines().subList(4, 8)).containsOnly("plugin of second: true true true false");
  }

  @Test
  void optionsOfAFile() throws Exception {
    Path file = directory.resolve("options");
    Files.writeString(file, "include=com.acme.**\nexclude=com.acme.app.Main$Nested");
    AgentJvm.Run run = run("=file=" + file, "com.acme.app.Main");
    assertThat(run.lines())
        .contains("block true", "method true", "nested class false", "neighbour true");
  }

  @Test
  void explanationsOfWhatIsLoaded() throws Exception {
    Path file = directory.resolve("explained");
    run("=include=com.acme.app.*;explain=" + file, "com.acme.app.Main");
    assertThat(file)
        .content()
        .contains("com.acme.app.Main: woven")
        .contains("  method()void:\n    synchronized method")
        .contains("com.acme.app.Main$Nested: woven")
        .doesNotContain("Neighbour");
    assertThat(run("=include=com.acme.app.*;explain=-", "com.acme.app.Main").text())
        .contains("  method()void:\n    synchronized method");
    assertThat(run("=include=com.acme.app.*;explain=/nowhere/x", "com.acme.app.Main").text())
        .startsWith("holdfast-agent: explain=/nowhere/x: the file can't be written: ");
  }

  /// Without Agent-Class the JVM refuses, and says so: see {@link HoldfastAgent}.
  @Test
  void thereIsNoAgentForARunningProgram() {
    assertThat(HoldfastAgent.class.getMethods()).extracting("name").doesNotContain("agentmain");
  }
}
