package io.holdfast.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.section.SectionHooks;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.attribute.ModuleAttribute;
import java.lang.constant.ModuleDesc;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The agent as the JVM starts it.
class AgentJvmTest {
  private static final String CLASS_PATH = System.getProperty("java.class.path");

  @TempDir Path directory;
  private Path agent;

  /// What a JVM said, on both streams, and how it ended.
  private record Run(int exitCode, List<String> lines) {
    String text() {
      return String.join("\n", lines);
    }
  }

  /// The agent's jar as the build makes it, which comes after the tests.
  @BeforeEach
  void makeJar() throws IOException {
    agent = directory.resolve("holdfast-agent.jar");
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().putValue("Premain-Class", HoldfastAgent.class.getName());
    manifest.getMainAttributes().putValue("Can-Retransform-Classes", "true");
    try (OutputStream out = Files.newOutputStream(agent);
        JarOutputStream jar = new JarOutputStream(out, manifest);
        var classes = Files.walk(Path.of("target/classes"))) {
      for (Path file : (Iterable<Path>) classes.filter(Files::isRegularFile)::iterator) {
        jar.putNextEntry(new JarEntry(Path.of("target/classes").relativize(file).toString()));
        Files.copy(file, jar);
        jar.closeEntry();
      }
    }
  }

  private Run run(String options, String classPath, String main, String... flags)
      throws IOException, InterruptedException {
    List<String> arguments = new ArrayList<>();
    arguments.add("-javaagent:" + agent + options);
    arguments.addAll(List.of(flags));
    arguments.addAll(List.of("-cp", classPath, main));
    return java(arguments);
  }

  private Run java(List<String> arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(arguments);
    Path output = directory.resolve("output");
    Process jvm =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    assertThat(jvm.waitFor(2, TimeUnit.MINUTES)).isTrue();
    return new Run(jvm.exitValue(), Files.readAllLines(output));
  }

  @Test
  void blocksAndMethodsInScopeAreSections() throws Exception {
    Run run = run("=include=com.acme.app.*", CLASS_PATH, "com.acme.app.Main");
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
  void whatIsExcludedIsNot() throws Exception {
    Run run =
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
    Run run =
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

  /// WEAVE-2.
  @Test
  void aClassThatCantBeWovenDoesNotRun() throws Exception {
    Run run = run("=include=com.acme.**", CLASS_PATH, "com.acme.app.UsesUnweavable");
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
    Run run = run("=include=com.acme.app.*", "target/test-classes", "com.acme.app.Main");
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.text())
        .contains("its class loader does not find the hooks")
        .contains("Put holdfast-core on the class path")
        .doesNotContain("before");
  }

  @Test
  void optionsThatCantBeHonouredEndTheJvm() throws Exception {
    Run run = run("=inculde=com.acme.**", CLASS_PATH, "com.acme.app.Main");
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.lines())
        .containsExactly(
            "holdfast-agent: unknown option: 'inculde=com.acme.**'. Allowed are include=PATTERN,..."
                + " and exclude=PATTERN,... once each, separated by ';', for example"
                + " -javaagent:holdfast-agent.jar=include=com.acme.**,org.foo.Bar;exclude=com.acme.web.*");
    assertThat(run("", CLASS_PATH, "com.acme.app.Main").text())
        .startsWith("holdfast-agent: no include option, so nothing would be woven")
        .doesNotContain("before");
  }

  @Test
  void twoAgentsAreRefused() throws Exception {
    String options = "=include=com.acme.**";
    Run run = run(options, CLASS_PATH, "com.acme.app.Main", "-javaagent:" + agent + options);
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.text()).startsWith("holdfast-agent: the agent is started twice");
  }

  /// Its methods are woven after the fact.
  @Test
  void aClassThatAnEarlierAgentLoaded() throws Exception {
    Path early = directory.resolve("early.jar");
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().putValue("Premain-Class", "com.acme.early.EarlyAgent");
    new JarOutputStream(Files.newOutputStream(early), manifest).close();
    Run run =
        java(
            List.of(
                "-javaagent:" + early + "=com.acme.app.Main",
                "-javaagent:" + agent + "=include=com.acme.app.*",
                "-cp",
                CLASS_PATH,
                "com.acme.app.Main"));
    assertThat(run.lines()).contains("block true", "method true", "after false").hasSize(7);
  }

  @Test
  void aModuleThatFindsCoreOnTheClassPath() throws Exception {
    Run run =
        java(
            List.of(
                "-javaagent:" + agent + "=include=com.acme.app.*",
                "-p",
                module().toString(),
                "-cp",
                core().toString(),
                "-m",
                "acme.app/com.acme.app.Main"));
    assertThat(run.lines()).contains("block true", "method true", "after false");
  }

  @Test
  void aModuleBesideCoreAsAModule() throws Exception {
    Run run =
        java(
            List.of(
                "-javaagent:" + agent + "=include=com.acme.**",
                "-p",
                module() + ":" + core(),
                "--add-modules",
                "io.holdfast.core",
                "-m",
                "acme.app/com.acme.app.Main"));
    assertThat(run.lines()).contains("block true", "method true", "after false");
  }

  private static Path core() throws URISyntaxException {
    return Path.of(SectionHooks.class.getProtectionDomain().getCodeSource().getLocation().toURI());
  }

  /// `com.acme.app` as a module that requires nothing of Holdfast.
  private Path module() throws IOException {
    Path root = directory.resolve("module");
    Path source = Path.of("target/test-classes");
    try (var classes = Files.walk(source.resolve("com/acme/app"))) {
      for (Path file : (Iterable<Path>) classes.filter(Files::isRegularFile)::iterator) {
        Path target = root.resolve(source.relativize(file));
        Files.createDirectories(target.getParent());
        Files.copy(file, target);
      }
    }
    ModuleAttribute descriptor =
        ModuleAttribute.of(
            ModuleDesc.of("acme.app"),
            builder -> builder.requires(ModuleDesc.of("java.base"), ClassFile.ACC_MANDATED, null));
    ClassFile.of().buildModuleTo(root.resolve("module-info.class"), descriptor);
    return root;
  }
}
