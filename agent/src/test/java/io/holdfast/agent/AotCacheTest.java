package io.holdfast.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// AOT caches of JDK 25. Woven first, then recorded: classes come from the cache, and their blocks
/// are sections. Recorded under the agent: what it wove is not in the cache, and woven again.
class AotCacheTest {
  private static final String MAIN = "com.acme.app.Main";

  @TempDir Path directory;
  private AgentJvm jvm;
  private Path program;
  private Path core;
  private Path cache;

  @BeforeEach
  void makeJars() throws Exception {
    jvm = new AgentJvm(directory);
    Path classes = directory.resolve("classes");
    AgentJvm.copyClasses("com.acme.app", classes);
    program = directory.resolve("program.jar");
    core = directory.resolve("core.jar");
    cache = directory.resolve("program.aot");
    jvm.jar(program, Map.of(), classes);
    if (Files.isDirectory(AgentJvm.core())) { // as it is when the modules are tested unpacked
      jvm.jar(core, Map.of(), AgentJvm.core());
    } else {
      Files.copy(AgentJvm.core(), core);
    }
  }

  private AgentJvm.Run java(Path jar, String... flags) throws Exception {
    List<String> command = new ArrayList<>(List.of(flags));
    command.addAll(List.of("-cp", jar + ":" + core, MAIN));
    return jvm.java(command);
  }

  private static void assertSections(AgentJvm.Run run) {
    assertThat(run.lines()).contains("block true", "method true", "after false", "end false");
  }

  @Test
  void wovenBeforeItIsRecorded() throws Exception {
    Path woven = directory.resolve("woven.jar");
    List<String> weave =
        List.of(
            "weave",
            program.toString(),
            "-o",
            woven.toString(),
            "--class-path",
            core.toString(),
            "--include",
            "com.acme.app.*",
            "--exclude",
            "com.acme.app.Unweavable");
    assertThat(AgentCommand.run(System.out, System.err, weave)).isZero();
    assertSections(java(woven, "-XX:AOTCacheOutput=" + cache));
    AgentJvm.Run run = java(woven, "-XX:AOTCache=" + cache, "-XX:AOTMode=on", "-Xlog:class+load");
    assertSections(run);
    assertThat(run.text()).containsPattern("com\\.acme\\.app\\.Main source: shared objects file");
  }

  @Test
  void recordedUnderTheAgent() throws Exception {
    String agent = jvm.flag("=include=com.acme.app.*");
    assertSections(java(program, agent, "-XX:AOTCacheOutput=" + cache));
    AgentJvm.Run run =
        java(program, agent, "-XX:AOTCache=" + cache, "-XX:AOTMode=on", "-Xlog:class+load");
    assertSections(run);
    assertThat(run.text())
        .containsPattern("com\\.acme\\.app\\.Main source: file:")
        .containsPattern("com\\.acme\\.app\\.out\\.Neighbour source: shared objects file");
  }
}
