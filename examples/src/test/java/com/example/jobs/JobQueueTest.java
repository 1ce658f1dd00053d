package com.example.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The job queue in this process, and in one that is killed.
@Timeout(120)
class JobQueueTest {
  @TempDir Path dir;

  @Test
  void aJobThatFailsIsTriedThreeTimesAndGivenUp() {
    try (Holdfast store = Holdfast.open(dir.resolve("jobs.hf"))) {
      JobQueue queue = new JobQueue(store);
      assertThat(queue.submit("a", "good")).isTrue();
      assertThat(queue.submit("a", "good")).isFalse();
      queue.submit("b", "bad");
      int tries = 0;
      while (queue.workOne(JobQueueTest::unlessBad)) {
        tries++;
      }
      assertThat(tries).isEqualTo(4);
      assertThat(queue.await("a")).isEqualTo("done: GOOD");
      assertThat(queue.await("b")).isEqualTo("failed: no");
      assertThat(queue.deadLetters()).containsExactly(new DeadLetter(new Job("b", "bad", 3), "no"));
      assertThat(queue.tryAgain()).isEqualTo(1);
      assertThat(queue.counts()).isEqualTo(new JobQueue.Counts(1, 2, 0));
    }
  }

  private static String unlessBad(String text) {
    if (text.equals("bad")) {
      throw new IllegalArgumentException("no");
    }
    return "GOOD";
  }

  @Test
  void whatWasAcknowledgedIsDoneAfterAKill() throws Exception {
    Path file = dir.resolve("killed.hf");
    List<String> acknowledged = new ArrayList<>();
    for (int kill = 0; kill < 5; kill++) {
      acknowledged.addAll(runAndKillAfter(file, 20 * (kill + 1)));
      try (Holdfast store = Holdfast.open(file)) {
        JobQueue queue = new JobQueue(store);
        for (String line : acknowledged) {
          String id = line.substring(0, line.indexOf(' ', 4));
          assertThat(id + " " + queue.await(id)).isEqualTo(line);
        }
      }
    }
    List<String> all = runAndKillAfter(file, Integer.MAX_VALUE);
    assertThat(all).hasSize(201).last().isEqualTo("Counts[waiting=0, known=200, deadLetters=20]");
  }

  @Test
  void withoutArgumentsItSaysWhichItTakes() throws Exception {
    Process process = main().start();
    try (BufferedReader errors = process.errorReader()) {
      assertThat(errors.lines()).containsExactly("usage: com.example.jobs.Main FILE JOBS");
    }
    assertThat(process.waitFor()).isEqualTo(2);
  }

  private static ProcessBuilder main(String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command);
  }

  /// @return the lines that it has printed
  private static List<String> runAndKillAfter(Path file, int lines) throws IOException {
    Process process =
        main(file.toString(), "200").redirectError(ProcessBuilder.Redirect.INHERIT).start();
    List<String> printed = new ArrayList<>();
    try (BufferedReader reader = process.inputReader()) {
      for (String line = reader.readLine();
          line != null && printed.size() < lines;
          line = reader.readLine()) {
        printed.add(line);
      }
    } finally {
      process.destroyForcibly().onExit().join();
    }
    return printed;
  }
}
