package io.holdfast.jmh.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Fork;

/// A process of a trial that answers by lines; closing kills it as `kill -9` does.
///
/// Confined to its thread.
public final class ChildProcess implements AutoCloseable {
  /// What an answer begins with: peers write to the same stream.
  private static final String ANSWER = "answer: ";

  private static final long PATIENCE_MINUTES = 15;

  private final Process process;
  private final BufferedReader answers;
  private final Path errors;

  /// Starts a class's `main`, with the flags that maps are compared with.
  ///
  /// @param errors what it writes to standard error goes there, after what is there
  /// @param heap whether its heap is that of the comparisons too, and not as a program's would be
  public ChildProcess(Class<?> main, Path errors, boolean heap, Object... arguments) {
    this.errors = errors;
    List<String> command = new ArrayList<>();
    command.add(ProcessHandle.current().info().command().orElseThrow());
    Arrays.stream(ComparedProcess.class.getAnnotation(Fork.class).jvmArgsAppend())
        .filter(flag -> heap || !flag.startsWith("-Xm"))
        .forEach(command::add);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    Arrays.stream(arguments).map(String::valueOf).forEach(command::add);
    try {
      process =
          new ProcessBuilder(command).redirectError(Redirect.appendTo(errors.toFile())).start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    answers = process.inputReader();
    process
        .onExit()
        .orTimeout(PATIENCE_MINUTES, TimeUnit.MINUTES)
        .exceptionally(
            _ -> {
              process.toHandle().destroyForcibly(); // its answers end; Process's would close them
              return process;
            });
  }

  /// What a child says.
  public static void say(Object what) {
    System.out.println(ANSWER + what);
    System.out.flush();
  }

  /// What it says next.
  ///
  /// @throws IllegalStateException if it ends without
  public String answer() {
    try {
      for (String line = answers.readLine(); line != null; line = answers.readLine()) {
        if (line.startsWith(ANSWER)) {
          return line.substring(ANSWER.length());
        }
      }
      throw new IllegalStateException(
          "a process of the benchmark ended without an answer: "
              + process.info().commandLine().orElse("")
              + Files.readString(errors));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public void expect(String expected) {
    String answer = answer();
    if (!answer.equals(expected)) {
      throw new IllegalStateException("answer=%s, expected=%s".formatted(answer, expected));
    }
  }

  /// Sends it a line, and waits for the answer.
  public String ask(String question) {
    try {
      process.outputWriter().write(question + "\n");
      process.outputWriter().flush();
      return answer();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }
}
