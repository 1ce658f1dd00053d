package io.holdfast.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.section.hooks.SectionHooks;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;

/// JVMs that the tests start, and the agent's jar for them, as the build makes it, which comes
/// after the tests.
final class AgentJvm {
  static final String CLASS_PATH = System.getProperty("java.class.path");
  static final Path TEST_CLASSES = Path.of("target/test-classes");
  private static final Path CLASSES = Path.of("target/classes");

  private final Path directory;
  private final Path jar;

  /// What a JVM said, on both streams, and how it ended.
  record Run(int exitCode, List<String> lines) {
    String text() {
      return String.join("\n", lines);
    }
  }

  /// @param directory for the jar and what the JVMs say
  AgentJvm(Path directory) throws IOException {
    this.directory = directory;
    this.jar = directory.resolve("holdfast-agent.jar");
    jar(
        jar,
        Map.of(
            "Premain-Class",
            HoldfastAgent.class.getName(),
            "Main-Class",
            AgentCommand.class.getName(),
            "Can-Retransform-Classes",
            "true"),
        CLASSES);
  }

  Path jar() {
    return jar;
  }

  String flag(String options) {
    return "-javaagent:" + jar + options;
  }

  /// Makes a jar.
  ///
  /// @param roots directories whose files go into it
  void jar(Path file, Map<String, String> attributes, Path... roots) throws IOException {
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    attributes.forEach(manifest.getMainAttributes()::putValue);
    try (OutputStream out = Files.newOutputStream(file);
        JarOutputStream jar = new JarOutputStream(out, manifest)) {
      for (Path root : roots) {
        try (var files = Files.walk(root)) {
          for (Path each : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
            jar.putNextEntry(new JarEntry(root.relativize(each).toString()));
            Files.copy(each, jar);
            jar.closeEntry();
          }
        }
      }
    }
  }

  /// Runs a JVM to its end.
  Run java(List<String> arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(arguments);
    Path output = directory.resolve("output");
    Process jvm =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      assertThat(jvm.waitFor(3, TimeUnit.MINUTES)).isTrue();
    } finally {
      jvm.destroyForcibly();
    }
    return new Run(jvm.exitValue(), Files.readAllLines(output));
  }

  /// Where core is.
  static Path core() throws URISyntaxException {
    return Path.of(SectionHooks.class.getProtectionDomain().getCodeSource().getLocation().toURI());
  }

  /// Copies the compiled test classes of a package, as if they were a program's.
  static void copyClasses(String packageName, Path to) throws IOException {
    Path from = TEST_CLASSES.resolve(packageName.replace('.', '/'));
    try (var classes = Files.walk(from)) {
      for (Path file : (Iterable<Path>) classes.filter(Files::isRegularFile)::iterator) {
        Path target = to.resolve(TEST_CLASSES.relativize(file));
        Files.createDirectories(target.getParent());
        Files.copy(file, target);
      }
    }
  }
}
