package io.holdfast.jmh.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// The project's own programs as they are built, for benchmarks that start them.
public final class Checkout {
  private static final String VARIABLE = "HOLDFAST_ROOT";

  private Checkout() {}

  /// The operator's command line as the launcher starts it, without the launcher's look for what is
  /// to be built; none if the benchmarks were not started by it.
  ///
  /// @param archive where the JVM keeps the classes that it has loaded
  public static Optional<List<String>> tools(Path archive) {
    return root()
        .map(root -> root.resolve("recovery/target/holdfast-recovery.jar"))
        .map(
            jar ->
                java(
                    "-XX:+AutoCreateSharedArchive",
                    "-XX:SharedArchiveFile=" + archive,
                    "-Xshare:auto",
                    "-Xlog:cds=off",
                    "-Xlog:cds+dynamic=off",
                    "-XX:+UseSerialGC",
                    "-jar",
                    jar.toString()));
  }

  /// The agent's jar; none if the benchmarks were not started by the launcher.
  public static Optional<Path> agent() {
    return jar("agent");
  }

  /// A module's jar; none if the benchmarks were not started by the launcher.
  public static Optional<Path> jar(String module) {
    return root()
        .map(root -> root.resolve(module).resolve("target"))
        .flatMap(directory -> jar(directory, "holdfast-" + module + "-[0-9.]+(-SNAPSHOT)?\\.jar"));
  }

  private static Optional<Path> root() {
    return Optional.ofNullable(System.getenv(VARIABLE)).map(Path::of);
  }

  private static Optional<Path> jar(Path directory, String name) {
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(file -> file.getFileName().toString().matches(name)).findFirst();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Milliseconds from a process's start to its end.
  ///
  /// @param output its own and its errors
  /// @throws IllegalStateException if it fails
  public static double millis(Path output, List<String> command) throws IOException {
    long started = System.nanoTime();
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      int code = process.waitFor();
      double millis = (System.nanoTime() - started) / 1e6;
      if (code != 0) {
        throw new IllegalStateException(
            "%s: exit code=%d, output: %s".formatted(command, code, Files.readString(output)));
      }
      return millis;
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  /// A command of the JDK that runs this.
  public static List<String> java(String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(ProcessHandle.current().info().command().orElseThrow());
    command.addAll(Arrays.asList(arguments));
    return command;
  }
}
