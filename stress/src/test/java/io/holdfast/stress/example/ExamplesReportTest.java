package io.holdfast.stress.example;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.stress.kill.AgentJar;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What the agent tells of the examples, with everything that it looks for, and the three ways to
/// learn of it: the log, a flight recording, and `agent report` of a process that runs.
class ExamplesReportTest {
  private static final String REPORT = "io.holdfast.recovery.cli.HoldfastCommand";
  private static final int REFUSED = 5;
  private static final String FINDING = "changes without a lock: ";

  @TempDir Path directory;

  private static Process start(Path out, Path err, List<String> arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(arguments);
    return new ProcessBuilder(command)
        .redirectOutput(out.toFile())
        .redirectError(err.toFile())
        .start();
  }

  private record Told(int exitCode, String out, String err) {}

  /// `holdfast agent report FILE`, as a user types it.
  private Told report(Path file) throws Exception {
    Path out = directory.resolve("report.out");
    Path err = directory.resolve("report.err");
    int exitCode = start(out, err, List.of(REPORT, "agent", "report", file.toString())).waitFor();
    return new Told(exitCode, read(out), read(err));
  }

  @Test
  void onlyWhatIsWrongIsTold() throws Exception {
    Path file = directory.resolve("store.hf");
    Path out = directory.resolve("program.out");
    Path err = directory.resolve("program.err");
    Path recording = directory.resolve("program.jfr");
    Process program =
        start(
            out,
            err,
            List.of(
                "-javaagent:%s=include=com.example.**;locksets=on"
                    .formatted(AgentJar.find(directory)),
                "-XX:StartFlightRecording=filename=" + recording,
                ExampleRounds.class.getName(),
                directory.toString(),
                file.toString()));
    Told told;
    try {
      while (program.isAlive() && !read(out).contains(ExampleRounds.DONE)) {
        program.waitFor(50, TimeUnit.MILLISECONDS);
      }
      told = report(file);
      while (told.exitCode() == REFUSED && program.isAlive()) { // for a second after the opening
        told = report(file);
      }
      while (program.isAlive() && told.out().contains(FINDING) && !read(err).contains(FINDING)) {
        program.waitFor(50, TimeUnit.MILLISECONDS); // the log has a thread of its own
      }
      program.getOutputStream().close();
      int exitCode = program.waitFor();
      assertThat(exitCode).as("%s", read(err)).isZero();
    } finally {
      program.destroyForcibly().waitFor();
    }
    List<String> lines = told.out().lines().toList();
    assertThat(lines).as(told.err()).isNotEmpty();
    assertThat(lines.getFirst()).matches("woven so far: \\d\\d classes with \\d\\d methods, .*");
    String place = ExampleRounds.class.getName() + ".buffer";
    assertThat(lines.stream().filter(line -> line.endsWith("The thread is here:")))
        .as(told::out)
        .singleElement()
        .asString()
        .startsWith(FINDING + place + " changes a store in line ");
    assertThat(read(err))
        .containsOnlyOnce(" The thread is here:")
        .contains("WARNING: " + FINDING + place);
    List<RecordedEvent> events =
        RecordingFile.readAllEvents(recording).stream()
            .filter(event -> event.getEventType().getName().equals("io.holdfast.Finding"))
            .toList();
    assertThat(events).singleElement().asString().contains("changes without a lock", place);

    Told after = report(file);
    assertThat(after.exitCode()).isEqualTo(REFUSED);
    assertThat(after.err()).contains("no process has the store open", "log", "recording");
  }

  /// What was written so far, perhaps with half a character at the end.
  private static String read(Path file) throws IOException {
    return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
  }
}
