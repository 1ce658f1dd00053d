package io.holdfast.recovery.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import io.holdfast.core.memory.RegionLayout;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// `log`, `recover` and the other looking commands on a region whose process was killed.
final class LogCommandTest {
  @TempDir private Path directory;

  private Path file;

  @BeforeEach
  void kill() throws Exception {
    file = directory.resolve("shop.hf");
    KilledStore.at(file);
  }

  private CommandRun run(Object... arguments) throws IOException {
    byte[] before = Files.readAllBytes(file);
    CommandRun run = CommandRun.of(arguments);
    assertThat(file).hasBinaryContent(before);
    return run;
  }

  @Test
  void whatRecoveryWouldUndoAndWhy() throws IOException {
    CommandRun run = run("log", file);

    assertThat(run.exitCode()).isZero();
    assertThat(run.out())
        .containsPattern("undo +2\n")
        .containsPattern("keep +0\n")
        .containsPattern("\\d+:\\d+ +undo +it had not ended +\\d+ +none\n")
        .containsPattern(
            "\\d+:\\d+ +undo +it had ended, but something that it depends on is undone +\\d+"
                + " +\\d+:\\d+ \\(undone\\)\n")
        .containsPattern("store +stock +0x")
        .containsPattern("store +jobs +0x")
        .containsPattern("set bits +\\(allocator\\) +0x")
        .containsPattern("store +\\(new\\) +0x");
    assertThat(run.err())
        .isEqualTo(
            "holdfast: the next opening does this by itself; to have it done now: holdfast recover %s\n"
                .formatted(file));
  }

  @Test
  void asJsonWithFewEntries() throws IOException {
    CommandRun run = run("log", "--json", "--entries", "1", file);

    assertThat(run.out())
        .contains("\"undo\":2,\"keep\":0,\"alreadyUndone\":false,")
        .contains("\"verdict\":\"undo\",\"why\":\"it had not ended\"");
    assertThat(run.out().split("\"stamp\":")).hasSize(3);
  }

  /// Each span that an entry may name, as no use that there is, and as a slab of no class there is.
  @ParameterizedTest
  @ValueSource(longs = {0x9D, 0x1_FF01})
  void entriesOfSpansThatTheTableDoesNotTell(long word) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    ByteBuffer table = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    List<String> printed = new ArrayList<>();
    for (int at = (int) RegionLayout.FIRST_TABLE; at < RegionLayout.FIRST_SLOTS; at += 8) {
      long whole = table.getLong(at);
      if (whole != 0) {
        Files.write(file, table.putLong(at, word).array());
        for (CommandRun run : List.of(run("log", file), run("info", "--last-crash", file))) {
          assertThat(run.exitCode())
              .as(run.err())
              .isIn(ExitCode.SOUND.number(), ExitCode.DAMAGED.number());
          printed.add(run.out());
        }
        table.putLong(at, whole);
      }
    }
    assertThat(printed).anySatisfy(out -> assertThat(out).contains("(damaged)"));
  }

  @Test
  void itDoesWhatItSaid() throws IOException {
    List<CommandRun> before =
        List.of(run("dump", file, "stock"), run("dump", file, "jobs"), run("ls", file));

    CommandRun run = CommandRun.of("recover", file, "--plain");

    assertThat(run.exitCode()).isZero();
    assertThat(run.out())
        .contains("planned\t2\nreport.outcome\trecovered\n", "report.sectionsUndone\t2\n");
    assertThat(before)
        .isEqualTo(List.of(run("dump", file, "stock"), run("dump", file, "jobs"), run("ls", file)));
    assertThat(before.get(0).out()).isEqualTo("{\"key\":\"apples\",\"value\":1}\n");
    assertThat(before.get(1).out()).isEqualTo("{\"element\":1}\n");
    assertThat(run("info", file, "--plain").out()).contains("state\tclosed\n");
    assertThat(CommandRun.of("recover", file).err())
        .isEqualTo("holdfast: there was nothing to recover: the region had been closed\n");
  }

  @Test
  void infoSaysHowItIs() throws IOException {
    CommandRun run = run("info", file);

    assertThat(run.exitCode()).isZero();
    assertThat(run.out())
        .containsPattern("state +not closed\n")
        .containsPattern("durability +PROCESS_CRASH\n")
        .containsPattern("outcome +recovered\n")
        .containsPattern("stock +hashMap +1 ")
        .containsPattern("jobs +queue +1 ");
    assertThat(run.err()).contains("holdfast log " + file);
  }

  /// It had no time for a note: its stores are there all the same.
  @Test
  void theBlackBoxOfAYoungSection() throws IOException {
    CommandRun run = run("info", "--last-crash", "--plain", file);

    assertThat(run.exitCode()).isZero();
    assertThat(run.out())
        .contains("openSections\t1\n")
        .containsPattern("sections\\[0\\].entries\t\\d+\n")
        .containsPattern("stores\\d+:\\d+\\[\\d+\\].root\tstock\n");
    assertThat(run("info", "--last-crash", file).out()).containsPattern("\nstores \\d+:\\d+\n");
    CommandRun.of("recover", file);
    assertThat(run("info", "--last-crash", file).err())
        .contains("the region is closed; its last crash was recovered at ");
  }

  @Test
  void theBlackBoxOfASectionThatWasOpenForLong() throws Exception {
    Path held = directory.resolve("held.hf");
    Process process = KilledStore.start(held);
    try {
      // As long as the watch takes: a look a second, and a section's note at its second look.
      while (!CommandRun.of("info", "--last-crash", "--plain", held).out().contains("\tseller\n")) {
        Thread.sleep(50);
      }
    } finally {
      process.destroyForcibly().waitFor();
    }

    CommandRun run = CommandRun.of("info", "--last-crash", "--plain", held);

    assertThat(run.out())
        .contains("sections[0].thread\tseller\n")
        .containsPattern("sections\\[0\\].openForAtLeast\tPT")
        .containsPattern("stack\\d+:\\d+\\[\\d\\].frame\t.*KilledStore");
  }

  @Test
  void aStoreInUseIsLookedAtAndNotRecovered() throws IOException, InterruptedException {
    Path held = directory.resolve("held.hf");
    Process process = KilledStore.start(held);
    try {
      CommandRun log = CommandRun.of("log", held, "--plain");
      CommandRun recover = CommandRun.of("recover", held);

      assertThat(log.exitCode()).isZero();
      assertThat(log.out()).contains("undo\t2\n");
      assertThat(log.err()).contains("the store is in use (pid=" + process.pid());
      assertThat(recover.exitCode()).isEqualTo(ExitCode.IN_USE.number());
      assertThat(recover.err())
          .contains("the region is open in another process", "next: holdfast stat " + held);
    } finally {
      process.destroyForcibly().waitFor();
    }
    try (Holdfast store = Holdfast.open(held)) {
      assertThat(store.recovery().sectionsUndone()).isEqualTo(2);
    }
  }
}
