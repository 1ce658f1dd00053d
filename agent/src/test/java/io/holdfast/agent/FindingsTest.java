package io.holdfast.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What the agent says of itself and of a program that does what is likely wrong.
class FindingsTest {
  private static final String FINDING = ": ([a-z ]+)[:.].*The thread is here:\n\tat ([^(]+)";

  @TempDir Path directory;
  private AgentJvm agent;

  @BeforeEach
  void makeJar() throws IOException {
    agent = new AgentJvm(directory);
  }

  private AgentJvm.Run run(String options, String... flags) throws Exception {
    return runOf("com.acme.finding.Careless", "", options, flags);
  }

  private AgentJvm.Run runOf(String main, String argument, String options, String... flags)
      throws Exception {
    List<String> arguments = new ArrayList<>(List.of(flags));
    arguments.addAll(
        List.of(
            agent.flag("=" + options),
            "-cp",
            AgentJvm.CLASS_PATH,
            main,
            directory.resolve("s.hf").toString(),
            argument));
    AgentJvm.Run run = agent.java(arguments);
    assertThat(run.exitCode()).as(run::text).isZero();
    return run;
  }

  /// What was logged.
  private static List<String> findings(AgentJvm.Run run) {
    return findings("WARNING", run);
  }

  private static List<String> findings(String saidAs, AgentJvm.Run run) {
    return Pattern.compile(saidAs + FINDING)
        .matcher(run.text().replace("\r", ""))
        .results()
        .map(found -> found.group(1) + ": " + found.group(2).replaceAll(".*\\.", ""))
        .sorted()
        .toList();
  }

  @Test
  void eachOnceWithItsPlace() throws Exception {
    Path recording = directory.resolve("r.jfr");
    AgentJvm.Run run =
        run("include=com.acme.finding.**", "-XX:StartFlightRecording=filename=" + recording);
    assertThat(findings(run))
        .as(run::text)
        .containsExactly(
            "a call that may block in a section: takes",
            "a change under a lock that is not woven: changes",
            "a section left by an exception: failsInABlock",
            "a section left by an exception: failsInAMethod",
            "a section left by an exception: failsUnderALock",
            "changes without a lock: changes", // with those before, both called by main
            "changes without a lock: moves");
    assertThat(run.text())
        .contains("com.acme.unwoven.Keeper, taken in com.acme.unwoven.Keeper.keep. ")
        .containsPattern(
            "com.acme.finding.Careless.moves changes a store in line \\d+ and in line \\d+,");
    Matcher woven =
        Pattern.compile("woven so far: (\\d+) classes with (\\d+) methods").matcher(run.text());
    assertThat(woven.find()).as(run::text).isTrue();
    assertThat(woven.group(1)).isEqualTo("1");
    assertThat(run.lines())
        .filteredOn(line -> line.startsWith("report: "))
        .hasSize(8)
        .anyMatch(line -> line.startsWith("report: woven so far: 1 classes with "))
        .anyMatch(line -> line.startsWith("report: a section left by an exception. "));
    Map<String, Long> events =
        RecordingFile.readAllEvents(recording).stream()
            .filter(event -> event.getEventType().getName().equals("io.holdfast.Finding"))
            .collect(
                Collectors.groupingBy(
                    (RecordedEvent event) -> event.getString("kind"),
                    TreeMap::new,
                    Collectors.counting()));
    assertThat(events.toString())
        .isEqualTo(
            "{a call that may block in a section=1, a change under a lock that is not woven=1,"
                + " a section left by an exception=3, changes without a lock=2}");
  }

  @Test
  void readsWithoutTheLockOfTheChanges() throws Exception {
    String readers = "com.acme.finding.Readers";
    String options = "include=com.acme.finding.**;locksets=on";
    AgentJvm.Run wrong = runOf(readers, "wrong", options);
    assertThat(findings("report", wrong))
        .as(wrong::text)
        .containsExactly(
            "a read without the lock of the changes: reads",
            "a read without the lock of the changes: readsUnderAnotherLock");
    assertThat(wrong.text())
        .contains(
            "a PersistentHashMap is changed with a lock held, of class %s, as in %1$s.change(Readers.java:"
                .formatted(readers));
    assertThat(findings("report", runOf(readers, "right", options))).isEmpty();
    assertThat(findings("report", runOf(readers, "late", options))).isEmpty();
    assertThat(findings("report", runOf(readers, "wrong", "include=com.acme.finding.**")))
        .isEmpty();
  }

  @Test
  void whatIsSilent() throws Exception {
    AgentJvm.Run run = run("include=com.acme.finding.**;silent=com.acme.**");
    assertThat(findings(run)).isEmpty();
    assertThat(run.text()).contains("woven so far: 1 classes with ");
  }

  /// A pattern with a typing error, and a package's name without stars. A program that ends within
  /// five seconds is told on standard error, another one in the log, in capitals.
  @Test
  void whereNothingIsWoven() throws Exception {
    for (String include : List.of("com.akme.**", "com.acme")) {
      AgentJvm.Run run = run("include=" + include);
      assertThat(run.text())
          .containsIgnoringCase(
              "warning: a store was opened, and no class has been woven: no lock is a section")
          .contains("0 loaded classes are in scope: include=[" + include + "]");
    }
  }
}
