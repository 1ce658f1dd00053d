package io.holdfast.stress;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/// The commands as their user sees them: what they print and with what they exit.
class CommandsTest {
  @TempDir Path directory;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... arguments) {
    CommandLine commandLine = Stress.commandLine();
    commandLine.setOut(new PrintWriter(out, true));
    commandLine.setErr(new PrintWriter(err, true));
    return commandLine.execute(arguments);
  }

  @Test
  void demo() {
    assertThat(run("demo", "--kills", "2", "--seed", "5")).as(out + "" + err).isZero();
    assertThat(out.toString()).contains("lines in", "lost", "duplicated", "recoveries");
  }

  @Test
  void killLoop() {
    assertThat(run("kill", "--kills", "2", "--threads", "2", "streams"))
        .as(out + "" + err)
        .isZero();
    assertThat(out.toString()).contains("streams").doesNotContain("transfer");
  }

  @Test
  void killLoopsSideBySide() throws Exception {
    Path record = directory.resolve("kills.tsv");
    assertThat(
            run(
                "kill",
                "--jobs",
                "2",
                "--kills",
                "2",
                "--threads",
                "2",
                "--record",
                record.toString(),
                "streams",
                "map"))
        .as(out + "" + err)
        .isZero();
    assertThat(out.toString()).contains("4 kills, ").contains("no violation");
    assertThat(Files.readAllLines(record))
        .hasSize(4)
        .allMatch(line -> line.split("\t").length == 6);
  }

  @Test
  void demoWithAFileThatIsNotThere() {
    assertThat(run("demo", directory.resolve("none").toString())).isEqualTo(2);
    assertThat(err.toString()).contains("none: no such file");
  }

  @Test
  void demoWithADirectory() {
    assertThat(run("demo", directory.toString())).isEqualTo(2);
    assertThat(err.toString()).contains("a directory");
  }

  @Test
  void demoWithAnEmptyFile() throws Exception {
    Path empty = Files.createFile(directory.resolve("empty"));
    assertThat(run("demo", empty.toString())).isEqualTo(2);
    assertThat(err.toString()).contains("has no line");
  }

  @Test
  void demoWithAFileThatIsTooLong() throws Exception {
    Path lines = directory.resolve("long");
    Files.write(lines, new byte[(16 << 20) + 1]);
    assertThat(run("demo", lines.toString())).isEqualTo(2);
    assertThat(err.toString()).contains("long: too long for this demo: max=16777216 bytes");
  }

  @Test
  void demoWithTooFewKills() {
    assertThat(run("demo", "--kills", "1")).isEqualTo(2);
    assertThat(err.toString()).contains("--kills is at least 2: 1");
  }

  @Test
  void unknownFault() {
    assertThat(run("faults", "--known", "nonsense")).isEqualTo(2);
    assertThat(err.toString()).contains("no fault has such a name: [nonsense]");
  }

  @Test
  void unknownWorkload() {
    assertThat(run("kill", "nonsense")).isEqualTo(2);
    assertThat(err.toString()).contains("no such workload: name=nonsense, allowed=[transfer");
  }

  @ParameterizedTest
  @ValueSource(strings = {"process-crash", "relaxed-on-disk"})
  void soak(String durability) {
    assertThat(run("soak", "--seconds", "2", "--seed", "1", "--durability", durability))
        .as(out + "" + err)
        .isZero();
    assertThat(out.toString()).contains("round 12:", "nothing lost, nothing grown");
  }

  @Test
  void unknownPart() {
    assertThat(run("all", "nonsense")).isEqualTo(2);
    assertThat(err.toString())
        .contains(
            "parts are [kill, power, soak, soak-on-disk, faults, failures, lincheck, jcstress]");
  }

  @Test
  void faultsAreListed() {
    assertThat(run("faults", "--list", "slot.Slots")).isZero();
    assertThat(out.toString()).contains("collections.map.slot.Slots").doesNotContain("Queue");
  }

  @Test
  void someFaultsAreDrawn() {
    List<String> all = listed();
    List<String> some = listed("--one-of", "3", "--seed", "1");
    assertThat(some).hasSizeBetween(all.size() / 5, all.size() / 2).isSubsetOf(all);
    assertThat(listed("--one-of", "3", "--seed", "1")).isEqualTo(some);
    assertThat(listed("--one-of", "3", "--seed", "2")).isNotEqualTo(some);
  }

  private List<String> listed(String... options) {
    out.getBuffer().setLength(0);
    List<String> arguments = new ArrayList<>(List.of("faults", "--list"));
    arguments.addAll(List.of(options));
    assertThat(run(arguments.toArray(String[]::new))).isZero();
    return out.toString().lines().toList();
  }

  @Test
  void noSubcommand() {
    assertThat(run()).isEqualTo(2);
    assertThat(err.toString()).contains("a subcommand is required");
  }
}
