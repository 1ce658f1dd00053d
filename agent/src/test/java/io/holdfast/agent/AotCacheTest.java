package io.holdfast.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Woven first, then recorded: classes of an AOT cache come from it, and their blocks are sections.
class AotCacheTest {
  @TempDir Path directory;

  @Test
  void aWovenProgramInAnAotCache() throws Exception {
    AgentJvm jvm = new AgentJvm(directory);
    Path classes = directory.resolve("classes");
    AgentJvm.copyClasses("com.acme.app", classes);
    Path program = directory.resolve("program.jar");
    Path woven = directory.resolve("woven.jar");
    Path core = directory.resolve("core.jar");
    jvm.jar(program, Map.of(), classes);
    jvm.jar(core, Map.of(), AgentJvm.core());
    assertThat(
            AgentCommand.run(
                System.out,
                System.err,
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
                    "com.acme.app.Unweavable")))
        .isZero();
    String classPath = woven + ":" + core;
    Path cache = directory.resolve("program.aot");
    AgentJvm.Run recording =
        jvm.java(List.of("-XX:AOTCacheOutput=" + cache, "-cp", classPath, "com.acme.app.Main"));
    assertThat(recording.lines()).contains("block true", "end false");
    assertThat(cache).isNotEmptyFile();
    AgentJvm.Run run =
        jvm.java(
            List.of(
                "-XX:AOTCache=" + cache,
                "-XX:AOTMode=on",
                "-Xlog:class+load",
                "-cp",
                classPath,
                "com.acme.app.Main"));
    assertThat(run.lines()).contains("block true", "method true", "after false", "end false");
    assertThat(run.text()).containsPattern("com\\.acme\\.app\\.Main source: shared objects file");
  }
}
