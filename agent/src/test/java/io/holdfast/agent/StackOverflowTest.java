package io.holdfast.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Locks that are taken where the stack ends.
class StackOverflowTest {
  /// Whether an initializer that runs at the stack's end is cut short is a matter of a few bytes.
  /// So what counts is that none of the hooks' runs there.
  @Test
  void hooksSurviveAStackThatOverflows(@TempDir Path directory) throws Exception {
    AgentJvm jvm = new AgentJvm(directory);
    List<String> lines =
        jvm.java(
                List.of(
                    jvm.flag("=include=com.acme.deep.*"),
                    "-Xlog:class+init=info",
                    "-cp",
                    AgentJvm.CLASS_PATH,
                    "com.acme.deep.Deep"))
            .lines();
    assertThat(lines).contains("section true true", "after false");
    assertThat(lines)
        .filteredOn(line -> line.contains(" Initializing 'io/holdfast/core/"))
        .isNotEmpty()
        .noneMatch(line -> line.endsWith("by thread \"deep\""));
  }
}
