package io.holdfast.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Other agents in the same JVM, before Holdfast's and after it.
class OtherAgentsTest {
  private static final Path JACOCO = Path.of("target/agents/jacoco.jar");

  @TempDir Path directory;
  private AgentJvm jvm;

  @BeforeEach
  void makeJar() throws IOException {
    jvm = new AgentJvm(directory);
  }

  private AgentJvm.Run run(String other, boolean before) throws Exception {
    String own = jvm.flag("=include=com.acme.app.*");
    return jvm.java(
        List.of(
            before ? other : own,
            before ? own : other,
            "-cp",
            AgentJvm.CLASS_PATH,
            "com.acme.app.Main"));
  }

  private static void assertWoven(AgentJvm.Run run) {
    assertThat(run.exitCode()).isZero();
    assertThat(run.lines())
        .contains("block true", "method true", "nested class true", "after false", "end false");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aCoverageAgent(boolean before) throws Exception {
    Path coverage = directory.resolve("jacoco.exec");
    AgentJvm.Run run =
        run("-javaagent:" + JACOCO + "=includes=com.acme.*,destfile=" + coverage, before);
    assertWoven(run);
    assertThat(coverage).isNotEmptyFile();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aMonitoringAgent(boolean before) throws Exception {
    Path other = directory.resolve("counting.jar");
    jvm.jar(other, premain("com.acme.early.CountingAgent"));
    AgentJvm.Run run = run("-javaagent:" + other, before);
    assertWoven(run);
    assertThat(run.lines()).contains("counted true");
  }

  private static Map<String, String> premain(String agent) {
    return Map.of("Premain-Class", agent, "Can-Retransform-Classes", "true");
  }

  @Test
  void allAtOnce() throws Exception {
    Path counting = directory.resolve("counting.jar");
    jvm.jar(counting, premain("com.acme.early.CountingAgent"));
    AgentJvm.Run run =
        jvm.java(
            List.of(
                "-javaagent:" + counting,
                jvm.flag("=include=com.acme.app.*"),
                "-javaagent:" + JACOCO + "=destfile=" + directory.resolve("jacoco.exec"),
                "-cp",
                AgentJvm.CLASS_PATH,
                "com.acme.app.Main"));
    assertWoven(run);
    assertThat(run.lines()).contains("counted true");
  }
}
