package io.holdfast.stress.kill;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// How worker JVMs are started: with the java and the class path of this one. The flags here make a
/// JVM start sooner and leave nothing behind. Flags that change how code runs are added by tests
/// alone ({@link #inTests}). The young generation is so small that it is collected in a worker's
/// short life: objects move while threads hold, or wait for, their locks.
///
/// @param directory for files of the workers
/// @param survives what the workers open their stores for
/// @param woven what the agent weaves; if empty, there is no agent
public record WorkerJvm(Path directory, Survived survives, List<String> woven) {
  private static final List<String> FLAGS =
      List.of(
          "-Xmx192m",
          "-Xmn4m",
          "-XX:+UseSerialGC",
          "-XX:-UsePerfData",
          "-XX:-CreateCoredumpOnCrash",
          "-XX:+DisplayVMOutputToStderr", // standard output belongs to the messages
          "-XX:+ExitOnOutOfMemoryError");

  /// Further flags of the JVMs that tests start: they live for a second or so, of which C2 would
  /// take more than a third. Those of the command line run the code that users run.
  public static List<String> inTests() {
    boolean hasOnlyC1 = Boolean.getBoolean("holdfast.stress.only-c1");
    return hasOnlyC1 ? List.of("-XX:TieredStopAtLevel=1") : List.of();
  }

  /// Where a JVM reports a fatal error.
  static Path errorFile(Path directory, String process) {
    return directory.resolve("hs_err_pid" + process + ".log");
  }

  /// @param arguments of {@link WorkerMain}
  List<String> command(List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(FLAGS);
    command.addAll(inTests());
    command.add("-XX:ErrorFile=" + errorFile(directory, "%p"));
    if (survives.needsNativeAccess()) {
      command.add("--enable-native-access=ALL-UNNAMED");
    }
    if (!woven.isEmpty()) {
      command.add("-javaagent:" + AgentJar.find(directory) + "=include=" + String.join(",", woven));
    }
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(WorkerMain.class.getName());
    command.addAll(arguments);
    return command;
  }

  /// Starts a worker.
  ///
  /// @param listener is told what the worker acknowledges
  public WorkerProcess start(
      Class<? extends Workload> workload,
      Path region,
      int threads,
      int life,
      long seed,
      Map<String, String> parameters,
      WorkerProcess.Listener listener) {
    Stream<String> fixed =
        Stream.of(workload.getName(), region, threads, life, seed, survives).map(Object::toString);
    Stream<String> named =
        parameters.entrySet().stream().map(each -> each.getKey() + "=" + each.getValue());
    List<String> arguments = Stream.concat(fixed, named).toList();
    return WorkerProcess.start(command(arguments), directory.resolve("worker.err"), listener);
  }
}
