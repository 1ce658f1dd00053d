package io.holdfast.stress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// Which JDK the launcher `./holdfast` takes and when it builds, tried with made-up JDKs and a
/// made-up mvn in an environment that holds nothing else.
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the launcher is a POSIX shell script")
final class LauncherTest {
  private static final Path LAUNCHER = Path.of("..", "holdfast").toAbsolutePath().normalize();

  @TempDir private Path directory;

  private final Map<String, String> environment = new LinkedHashMap<>();

  private record Outcome(int exitCode, String out, String err) {}

  @BeforeEach
  void hideTheJdksOfThisMachine() throws IOException {
    Path tools = Files.createDirectory(directory.resolve("tools"));
    for (String tool :
        new String[] {"cat", "dirname", "find", "head", "readlink", "rm", "sed", "touch", "tr"}) {
      Path real =
          Stream.of("/usr/bin", "/bin")
              .map(bin -> Path.of(bin, tool))
              .filter(Files::isExecutable)
              .findFirst()
              .orElseThrow();
      program(tools.resolve(tool), "exec " + real + " \"$@\"");
    }
    environment.put("PATH", tools.toString());
    environment.put("HOME", directory.toString());
    environment.put("HOLDFAST_JDKS", directory.resolve("jdks").toString());
  }

  @Test
  void takesJavaHomeFirst() throws Exception {
    jdk("jdks/other", "25.0.2");
    Path home = jdk("home", "25.0.1");
    environment.put("JAVA_HOME", home.toString());

    assertThat(launch("jdk")).isEqualTo(new Outcome(0, home + "\n", ""));
  }

  @Test
  void passesOverAnOlderJavaHomeForAVariableNamedAfterTheRelease() throws Exception {
    Path home = jdk("home", "25");
    environment.put("JAVA_HOME", jdk("old", "17.0.15").toString());
    environment.put("JAVA25_HOME", home.toString());

    assertThat(launch("jdk")).isEqualTo(new Outcome(0, home + "\n", ""));
  }

  @Test
  void takesTheCompilerOnThePathThroughItsLink() throws Exception {
    Path home = jdk("home", "25.0.1").toRealPath();
    Path onPath = directory.resolve("tools").resolve("javac");
    Files.createSymbolicLink(onPath, home.resolve("bin").resolve("javac"));

    assertThat(launch("jdk")).isEqualTo(new Outcome(0, home + "\n", ""));
  }

  @Test
  void searchesTheUsualDirectoriesForANewerJdkButNoJre() throws Exception {
    jdk("jdks/a-8", "1.8.0_402");
    Files.delete(jdk("jdks/b-25-jre", "25.0.1").resolve("bin").resolve("javac"));
    Path home = jdk("jdks/c 26", "26-ea");

    assertThat(launch("jdk")).isEqualTo(new Outcome(0, home + "\n", ""));
  }

  @Test
  void saysWhatToInstallWhenThereIsNoJdk() throws Exception {
    Path old = jdk("old", "17.0.15");
    environment.put("JAVA_HOME", old.toString());

    Outcome outcome = launch("demo");

    assertThat(outcome.exitCode()).isEqualTo(2);
    assertThat(outcome.out()).isEmpty();
    assertThat(outcome.err())
        .contains("no JDK 25 or newer found", "JAVA_HOME=" + old, "Temurin 25", "set JAVA_HOME");
  }

  @Test
  void refusesAnUnknownCommand() throws Exception {
    Outcome outcome = launch("frobnicate");

    assertThat(outcome.exitCode()).isEqualTo(2);
    assertThat(outcome.err()).contains("unknown command: frobnicate", "Usage: ./holdfast COMMAND");
  }

  /// As the real mvn does with a source whose classes come out the same.
  @Test
  void buildsOnceThoughMvnLeavesTheJarAlone() throws Exception {
    environment.put("JAVA_HOME", jdk("home", "25.0.1").toString());
    program(directory.resolve("tools").resolve("mvn"), "echo built >> \"$HOME/builds\"");
    Path project = directory.resolve("project");
    Path sources = Files.createDirectories(project.resolve("stress/src/main"));
    Files.writeString(sources.resolve("Source.java"), "");
    Files.writeString(project.resolve("pom.xml"), "");
    Path jar = Files.createDirectory(project.resolve("stress/target")).resolve("stress.jar");
    Files.writeString(jar, "");
    Files.setLastModifiedTime(jar, FileTime.fromMillis(0));
    Path launcher = Files.copy(LAUNCHER, project.resolve("holdfast"));

    assertThat(launch(launcher, "demo").exitCode()).isZero();
    assertThat(launch(launcher, "demo")).isEqualTo(new Outcome(0, "", ""));
    assertThat(directory.resolve("builds")).content().isEqualTo("built\n");
  }

  /// The launcher's own commands are not among them; what it does not know it does not pass on.
  @Test
  void passesTheToolsTheirCommandAndArguments() throws Exception {
    Path launcher = toolsThatTellTheirArguments();
    Path jar = launcher.resolveSibling("recovery/target");

    assertThat(launch(launcher, "info", "--json", "a file").out())
        .endsWith(jar.resolve("holdfast-recovery.jar") + "\ninfo\n--json\na file\n");
    assertThat(launch(launcher, "tools", "--help").out())
        .endsWith(jar.resolve("holdfast-recovery.jar") + "\n--help\n");
  }

  /// The JVM would neither use an archive of another jar nor replace it.
  @Test
  void keepsAnArchiveOfClassesForTheJarThatIsThere() throws Exception {
    Path launcher = toolsThatTellTheirArguments();
    Path target = launcher.resolveSibling("recovery/target");
    Path jar = target.resolve("holdfast-recovery.jar");
    Path archive = Files.writeString(target.resolve("holdfast-recovery.jsa"), "");
    Files.setLastModifiedTime(jar, FileTime.fromMillis(1_000));

    assertThat(launch(launcher, "ls", "a").out()).contains("-XX:SharedArchiveFile=" + archive);
    assertThat(archive).exists();
    Files.setLastModifiedTime(archive, FileTime.fromMillis(0));
    assertThat(launch(launcher, "ls", "a").out()).contains("-XX:SharedArchiveFile=" + archive);
    assertThat(archive).doesNotExist();
  }

  /// The JVM does not start then.
  @Test
  void hasNoArchiveWhereItCannotBeWritten() throws Exception {
    Path launcher = toolsThatTellTheirArguments();
    Path target = launcher.resolveSibling("recovery/target");
    assertThat(target.toFile().setWritable(false)).isTrue();
    try {
      assumeThat(Files.isWritable(target)).as("the superuser writes anywhere").isFalse();
      assertThat(launch(launcher, "ls", "a").out())
          .endsWith(target.resolve("holdfast-recovery.jar") + "\nls\na\n")
          .doesNotContain("Archive");
    } finally {
      assertThat(target.toFile().setWritable(true)).isTrue(); // so that it can be deleted
    }
  }

  /// @return a launcher beside a jar of the tools
  private Path toolsThatTellTheirArguments() throws IOException {
    Path home = jdk("home", "25.0.1");
    environment.put("JAVA_HOME", home.toString());
    program(home.resolve("bin").resolve("java"), "for each; do echo \"$each\"; done");
    program(directory.resolve("tools").resolve("mvn"), "exit 0");
    Path project = Files.createDirectories(directory.resolve("project"));
    Path jar = Files.createDirectories(project.resolve("recovery/target"));
    Files.writeString(jar.resolve("holdfast-recovery.jar"), "");
    return Files.copy(LAUNCHER, project.resolve("holdfast"));
  }

  private static void program(Path file, String script) throws IOException {
    Files.writeString(file, "#!/bin/sh\n" + script + "\n");
    assertThat(file.toFile().setExecutable(true)).isTrue();
  }

  /// Makes what the launcher takes for a JDK of this version.
  private Path jdk(String name, String version) throws IOException {
    Path home = directory.resolve(name);
    Path bin = Files.createDirectories(home.resolve("bin"));
    for (String program : new String[] {"java", "javac"}) {
      program(bin.resolve(program), "");
    }
    Files.writeString(home.resolve("release"), "JAVA_VERSION=\"" + version + "\"\n");
    return home;
  }

  private Outcome launch(String argument) throws IOException, InterruptedException {
    return launch(LAUNCHER, argument);
  }

  private Outcome launch(Path launcher, String... arguments)
      throws IOException, InterruptedException {
    Path out = directory.resolve("out");
    Path err = directory.resolve("err");
    List<String> command = new ArrayList<>(List.of("/bin/sh", launcher.toString()));
    command.addAll(List.of(arguments));
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
    builder.environment().clear();
    builder.environment().putAll(environment);
    int exitCode = builder.start().waitFor();
    return new Outcome(
        exitCode,
        Files.readString(out, StandardCharsets.UTF_8),
        Files.readString(err, StandardCharsets.UTF_8));
  }
}
