package io.holdfast;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// A JVM of its own, to be killed.
public final class ChildJvm implements AutoCloseable {
  /// The exit code that the system gives a process that SIGKILL ended: 128 + 9.
  public static final int KILLED = 137;

  private static final long SECONDS_MAX = 60;

  private final Process process;
  private final BufferedReader output;

  private ChildJvm(Process process) {
    this.process = process;
    this.output = process.inputReader();
  }

  /// Starts a class of this test's class path. What it prints to its error stream is printed here.
  public static ChildJvm start(Class<?> main, String... arguments) throws IOException {
    return startBy(List.of(), main, arguments);
  }

  /// Starts a class in a shell that has set limits.
  ///
  /// @param kibibytes the largest that a file may be
  public static ChildJvm startWithFilesOfAtMost(int kibibytes, Class<?> main, String... arguments)
      throws IOException {
    String script = "ulimit -f " + kibibytes + "; exec \"$@\"";
    return startBy(List.of("/bin/bash", "-c", script, "bash"), main, arguments);
  }

  /// Starts it by another command, which is given the JVM's own.
  public static ChildJvm startBy(List<String> by, Class<?> main, String... arguments)
      throws IOException {
    List<String> command = new ArrayList<>(by);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData", "-XX:+UseSerialGC", "-Xmx128m", "-cp"));
    command.add(System.getProperty("java.class.path"));
    command.add(main.getName());
    command.addAll(List.of(arguments));
    return new ChildJvm(
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start());
  }

  /// The process, as the system knows it.
  public ProcessHandle handle() {
    return process.toHandle();
  }

  /// Reads a line that the child prints.
  ///
  /// @return `null` if it ended
  public String readLine() throws IOException {
    return output.readLine();
  }

  /// Sends SIGKILL, and waits for the end. What the child has printed can still be read.
  ///
  /// @return the exit code; something else than {@link #KILLED} if the child had ended before
  public int kill() throws InterruptedException {
    process.toHandle().destroyForcibly(); // Process.destroyForcibly closes the streams
    return awaitEnd();
  }

  /// Waits for the end.
  ///
  /// @return the exit code
  public int awaitEnd() throws InterruptedException {
    if (!process.waitFor(SECONDS_MAX, TimeUnit.SECONDS)) {
      throw new AssertionError("the child does not end: pid=" + process.pid());
    }
    return process.exitValue();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
