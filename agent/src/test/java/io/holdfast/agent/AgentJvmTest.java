package io.holdfast.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.attribute.ModuleAttribute;
import java.lang.constant.ModuleDesc;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The agent as the JVM starts it.
class AgentJvmTest {
  private static final String CLASS_PATH = AgentJvm.CLASS_PATH;

  @TempDir Path directory;
  private AgentJvm agent;

  @BeforeEach
  void makeJar() throws IOException {
    agent = new AgentJvm(directory);
  }

  private AgentJvm.Run run(String options, String classPath, String main, String... flags)
      throws IOException, InterruptedException {
    List<String> arguments = new ArrayList<>();
    arguments.add(agent.flag(options));
    arguments.addAll(List.of(flags));
    arguments.addAll(List.of("-cp", classPath, main));
    return agent.java(arguments);
  }

  @Test
  void blocksAndMethodsInScopeAreSections() throws Exception {
    AgentJvm.Run run = run("=include=com.acme.app.*", CLASS_PATH, "com.acme.app.Main");
    assertThat(run.lines())
        .containsExactly(
            "before false",
            "block true",
            "method true",
            "nested class true",
            "neighbour false",
            "after false",
            "end false");
    assertThat(run.exitCode()).isZero();
  }

  @Test
  void theFrontDoorsAnnotations() throws Exception {
    AgentJvm.Run run = run("=include=com.acme.marked.*", CLASS_PATH, "com.acme.marked.Marked");
    assertThat(run.lines())
        .containsExactly("atomic true", "loop false", "method true", "class false");
  }

  @Test
  void whatIsExcludedIsNot() throws Exception {
    AgentJvm.Run run =
        run(
            "=include=com.acme.**;exclude=com.acme.app.Main$Nested",
            CLASS_PATH,
            "com.acme.app.Main");
    assertThat(run.lines())
        .containsExactly(
            "before false",
            "block true",
            "method true",
            "nested class false",
            "neighbour true",
            "after false",
            "end false");
  }

  /// WEAVE-4: HotSpot has nothing to say against the structure of the locking.
  @Test
  void theCompilersTakeWovenCode() throws Exception {
    AgentJvm.Run run =
        run(
            "=include=com.acme.**",
            CLASS_PATH,
            "com.acme.app.Main",
            "-Xlog:monitormismatch=info",
            "-Xcomp",
            "-XX:CompileCommand=quiet",
            "-XX:CompileCommand=compileonly,com.acme.app.*::*");
    assertThat(run.lines()).hasSize(7).contains("block true", "end false");
  }

  /// WEAVE-5: with it broken the collector meets references to where objects were, and the JVM ends
  /// by a fatal error.
  @Test
  void virtualThreadsThatWaitForMonitorsWhileGarbageIsCollected() throws Exception {
    AgentJvm.Run run =
        run(
            "=include=com.acme.**",
            CLASS_PATH,
            "com.acme.crowd.Crowd",
            "-Xmn2m",
            "-Xint",
            "-XX:-CreateCoredumpOnCrash",
            "-XX:ErrorFile=" + directory.resolve("fatal.log"));
    assertThat(run.lines()).containsExactly("sum 0");
  }

  /// WEAVE-2.
  @Test
  void aClassThatCantBeWovenDoesNotRun() throws Exception {
    AgentJvm.Run run = run("=include=com.acme.**", CLASS_PATH, "com.acme.app.UsesUnweavable");
    assertThat(run.text())
        .contains(
            "refused: com.acme.app.Unweavable is in the scope of the Holdfast agent but can't be"
                + " woven, so it does not run: method=lockedByTheJvm()void")
        .doesNotContain("running");
    assertThat(run("=include=com.acme.app.Main", CLASS_PATH, "com.acme.app.UsesUnweavable").lines())
        .containsExactly("running");
  }

  @Test
  void withoutCoreNothingInScopeRuns() throws Exception {
    AgentJvm.Run run = run("=include=com.acme.app.*", "target/test-classes", "com.acme.app.Main");
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.text())
        .contains("no class loader finds the hooks so far")
        .contains("Put holdfast-core on the class path")
        .doesNotContain("before");
  }

  @Test
  void optionsThatCantBeHonouredEndTheJvm() throws Exception {
    AgentJvm.Run run = run("=inculde=com.acme.**", CLASS_PATH, "com.acme.app.Main");
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.lines())
        .containsExactly(
            "holdfast-agent: unknown option: 'inculde=com.acme.**'. Allowed are include=PATTERN,..."
                + " exclude=PATTERN,... loader=PATTERN,... silent=PATTERN,... file=PATH,"
                + " explain=PATH, tasks=on|off and locksets=on|off, separated by ';' or each in a"
                + " line of the file, for example"
                + " -javaagent:holdfast-agent.jar=include=com.acme.**,org.foo.Bar;exclude=com.acme.web.*");
    assertThat(run("", CLASS_PATH, "com.acme.app.Main").text())
        .startsWith("holdfast-agent: no include option, so nothing would be woven")
        .doesNotContain("before");
  }

  @Test
  void twoAgentsAreRefused() throws Exception {
    String options = "=include=com.acme.**";
    AgentJvm.Run run = run(options, CLASS_PATH, "com.acme.app.Main", agent.flag(options));
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.text()).startsWith("holdfast-agent: the agent is started twice");
  }

  /// Its methods are woven after the fact.
  @Test
  void aClassThatAnEarlierAgentLoaded() throws Exception {
    Path early = directory.resolve("early.jar");
    agent.jar(early, Map.of("Premain-Class", "com.acme.early.EarlyAgent"));
    AgentJvm.Run run =
        agent.java(
            List.of(
                "-javaagent:" + early + "=com.acme.app.Main",
                agent.flag("=include=com.acme.app.*"),
                "-cp",
                CLASS_PATH,
                "com.acme.app.Main"));
    assertThat(run.lines()).contains("block true", "method true", "after false").hasSize(7);
  }

  @Test
  void aModuleThatFindsCoreOnTheClassPath() throws Exception {
    AgentJvm.Run run =
        agent.java(
            List.of(
                agent.flag("=include=com.acme.app.*"),
                "-p",
                module().toString(),
                "-cp",
                AgentJvm.core().toString(),
                "-m",
                "acme.app/com.acme.app.Main"));
    assertThat(run.lines()).contains("block true", "method true", "after false");
  }

  @Test
  void aModuleBesideCoreAsAModule() throws Exception {
    AgentJvm.Run run =
        agent.java(
            List.of(
                agent.flag("=include=com.acme.**"),
                "-p",
                module() + ":" + AgentJvm.core(),
                "--add-modules",
                "io.holdfast.core",
                "-m",
                "acme.app/com.acme.app.Main"));
    assertThat(run.lines()).contains("block true", "method true", "after false");
  }

  @Test
  void aModuleBesideCoreThatNobodyRequires() throws Exception {
    AgentJvm.Run run =
        agent.java(
            List.of(
                agent.flag("=include=com.acme.**"),
                "-p",
                module() + ":" + AgentJvm.core(),
                "-m",
                "acme.app/com.acme.app.Main"));
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.text()).contains("with --add-modules io.holdfast.core if no module requires it");
  }

  /// `com.acme.app` as a module that requires nothing of Holdfast.
  private Path module() throws IOException {
    Path root = directory.resolve("module");
    AgentJvm.copyClasses("com.acme.app", root);
    ModuleAttribute descriptor =
        ModuleAttribute.of(
            ModuleDesc.of("acme.app"),
            builder -> builder.requires(ModuleDesc.of("java.base"), ClassFile.ACC_MANDATED, null));
    ClassFile.of().buildModuleTo(root.resolve("module-info.class"), descriptor);
    return root;
  }
}
