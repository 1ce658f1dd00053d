package io.holdfast.stress.faults;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/// A JVM that runs tests on code with faults, as its parent sees it. For one thread.
final class TrialJvm implements AutoCloseable {
  private static final String END = "";

  /// Time is counted in turns of waiting, and not by the clock: all processes of a machine may be
  /// stopped for a while.
  private static final int TURN_MILLIS = 100;

  private final Process process;
  private final PrintStream orders;
  private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();

  /// What became of a test.
  ///
  /// @param failed or did not come to an end
  /// @param why it did; empty if it passed
  record Answer(boolean failed, long millis, String why) {}

  private TrialJvm(Process process) {
    this.process = process;
    this.orders = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
    Thread.ofPlatform().daemon().name("answers of a trial").start(this::read);
  }

  /// Starts one.
  ///
  /// @param agentJar of {@link FaultAgent}, or `null` for code as it is, and tests in their long
  ///   form
  /// @param directory for what it writes to its standard error
  /// @param site what is left out from the start, or `null`
  static TrialJvm start(CodeUnderTrial code, Path agentJar, Path directory, Site site) {
    return new TrialJvm(process(code, agentJar, directory, site, List.of()));
  }

  static Process process(
      CodeUnderTrial code, Path agentJar, Path directory, Site site, List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx512m", "-XX:+UseSerialGC", "-XX:-UsePerfData", "-ea"));
    command.add("-XX:TieredStopAtLevel=1"); // the next fault would undo what C2 has compiled
    command.add("--enable-native-access=ALL-UNNAMED");
    if (agentJar == null) {
      command.add("-Dholdfast.thorough=true");
    } else {
      command.add("-javaagent:" + agentJar + (site == null ? "" : "=" + site));
    }
    command.addAll(List.of("-cp", code.classPath(), FaultWorker.class.getName()));
    command.addAll(arguments);
    try {
      Path errors = directory.resolve("trial-" + Thread.currentThread().threadId() + ".err");
      return new ProcessBuilder(command)
          .directory(directory.toFile())
          .redirectError(Redirect.appendTo(errors.toFile()))
          .start();
    } catch (IOException e) {
      throw new UncheckedIOException("a JVM can't be started: " + command, e);
    }
  }

  private void read() {
    try (BufferedReader in = process.inputReader(StandardCharsets.UTF_8)) {
      // A JVM in trouble says so on its standard output, too.
      in.lines().filter(line -> line.split("\t", -1).length == 3).forEach(answers::add);
    } catch (IOException e) {
      throw new UncheckedIOException("the answers of a trial can't be read", e);
    } finally {
      answers.add(END);
    }
  }

  /// Runs a test on code with a fault.
  ///
  /// @param site or `null`
  /// @param patience how long, in milliseconds, before it is taken to hang
  Answer run(Site site, String test, long patience) throws InterruptedException {
    orders.printf("%s\t%s%n", site == null ? "-" : site, test);
    for (long turn = 0; turn * TURN_MILLIS < patience; turn++) {
      String answer = answers.poll(TURN_MILLIS, TimeUnit.MILLISECONDS);
      if (answer != null && answer.equals(END)) {
        return new Answer(true, turn * TURN_MILLIS, "the JVM ended: " + process.waitFor());
      }
      if (answer != null) {
        String[] words = answer.split("\t", -1);
        return new Answer(words[0].equals("failed"), Long.parseLong(words[1]), words[2]);
      }
    }
    return new Answer(true, patience, "did not come to an end");
  }

  @Override
  public void close() {
    // Process.destroyForcibly would close the stream that another thread reads.
    process.toHandle().destroyForcibly();
  }
}
