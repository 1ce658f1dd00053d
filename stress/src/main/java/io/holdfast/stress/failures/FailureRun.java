package io.holdfast.stress.failures;

import io.holdfast.stress.kill.AgentJar;
import io.holdfast.stress.kill.WorkerJvm;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/// Tries scenes in a JVM of their own, whose classes are woven.
public final class FailureRun {
  private final Path directory;
  private final boolean quick;
  private final Survival survival;

  /// @param directory for stores
  /// @param survival what the stores survive
  /// @param quick whether a part of all N is tried, and of the threads
  public FailureRun(Path directory, Survival survival, boolean quick) {
    this.survival = survival;
    this.directory = directory;
    this.quick = quick;
  }

  /// The names of all scenes.
  public static List<String> names(Survival survival) {
    return Scenes.of(survival).stream().map(Scene::name).toList();
  }

  /// Tries scenes.
  ///
  /// @param injections which failures; none: the usual ones
  /// @param names which scenes; none: all
  /// @param listener told of each line that the JVM prints
  /// @return whether no promise was broken
  /// @throws IllegalStateException if the JVM did not come to an end by itself
  public boolean run(List<Injection> injections, List<String> names, Consumer<String> listener)
      throws IOException, InterruptedException {
    Path agentJar = AgentJar.write(directory.resolve("failures.jar"), FailureAgent.class.getName());
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx512m", "-XX:+UseSerialGC", "-XX:-UsePerfData"));
    command.addAll(WorkerJvm.inTests());
    command.add("-javaagent:" + agentJar);
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(FailureWorker.class.getName(), directory.toString(), quick + ""));
    command.add(survival.toString());
    List<Injection> chosen = injections.isEmpty() ? Injection.USUAL : injections;
    command.add(String.join(",", chosen.stream().map(Injection::toString).toList()));
    Stream.of(names).forEach(command::addAll);
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    try (BufferedReader in = process.inputReader(StandardCharsets.UTF_8)) {
      in.lines().forEach(listener);
      int exitCode = process.waitFor();
      if (exitCode != 0 && exitCode != FailureWorker.VIOLATED) {
        throw new IllegalStateException(
            "the JVM that is tried ended by itself: exit code=" + exitCode);
      }
      return exitCode == 0;
    } finally {
      process.destroyForcibly();
    }
  }
}
