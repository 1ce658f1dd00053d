package io.holdfast.recovery.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `stat` and `top` of a store that another process has open.
final class LiveCommandsTest {
  @TempDir private Path directory;

  private Path file;
  private Process process;

  @BeforeEach
  void startAProcess() throws Exception {
    file = directory.resolve("a shop, \"quoted\".hf");
    process = KilledStore.start(file);
  }

  @AfterEach
  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  /// The bean comes a second after the opening.
  private CommandRun whenItTells(Object... arguments) throws InterruptedException {
    CommandRun run = CommandRun.of(arguments);
    while (run.exitCode() == ExitCode.REFUSED.number()) {
      assertThat(run.err()).contains("It does so from a second after the opening on", "next: ");
      Thread.sleep(50);
      run = CommandRun.of(arguments);
    }
    return run;
  }

  @Test
  void whatItIsDoing() throws InterruptedException {
    CommandRun run = whenItTells("stat", file, "--interval", "0.05", "--count", "2");

    assertThat(run.err()).isEmpty();
    assertThat(run.exitCode()).isZero();
    assertThat(run.out().lines()).hasSize(3);
    assertThat(run.out())
        .startsWith("    length     sections/s   open")
        .containsPattern("1\\.0 MiB +0 +1 +[0-9-]+ +1 +[0-9]+ +0 +0 +0 +0\n");
  }

  @Test
  void aBackup() throws InterruptedException {
    Path backup = directory.resolve("backup.hf");
    CommandRun run = whenItTells("backup", file, backup, "--rate", "100", "--plain");

    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).contains("length\t", "storesHeld\t");
    CommandRun verified = CommandRun.of("verify", backup);
    assertThat(verified.exitCode()).as(verified.err()).isEqualTo(ExitCode.SOUND.number());
    CommandRun again = CommandRun.of("backup", file, backup);
    assertThat(again.exitCode()).as(again.err()).isEqualTo(ExitCode.REFUSED.number());
    assertThat(again.err()).contains("there is a file of this name");
  }

  @Test
  void itsBusiestRootsAndLocks() throws InterruptedException {
    CommandRun run = whenItTells("top", file, "--interval", "0.05", "--json");

    assertThat(run.out()).contains("\"jobs\":[]");
    assertThat(run.out())
        .contains("{\"name\":\"stock\",\"kind\":\"hashMap\",\"entries\":2,\"changesPerSecond\":0}")
        .contains("{\"name\":\"jobs\",\"kind\":\"queue\",\"entries\":2,\"changesPerSecond\":0}")
        .contains("\"threads\":[{\"thread\":\"seller\",\"openPercent\":100}]")
        .contains("\"waiting\":[{\"sectionsWaiting\":1,")
        .contains("\"blocker\":\"seller\",\"lock\":\"io.holdfast.DurableLock\",\"waiters\":1}]");
  }

  @Test
  void aStoreThatNobodyHasOpen() throws InterruptedException {
    Path closed = directory.resolve("closed.hf");
    Holdfast.open(closed).close();

    CommandRun run = CommandRun.of("stat", closed);

    assertThat(run)
        .isEqualTo(
            new CommandRun(
                ExitCode.REFUSED.number(),
                "",
                "holdfast: %s: no process has the store open\nnext: holdfast info %1$s\n"
                    .formatted(closed)));
    Path missing = directory.resolve("missing.hf");
    for (String command : List.of("stat", "top")) {
      assertThat(CommandRun.of(command, missing).err())
          .startsWith("holdfast: %s: there is no such file\n".formatted(missing));
      assertThat(CommandRun.of(command, "--help").out())
          .contains("ends after N looks (default: 1)");
    }
  }

  @Test
  void aProcessWithoutTheAgent() throws InterruptedException {
    CommandRun run = whenItTells("agent", "report", file);
    assertThat(run).isEqualTo(new CommandRun(0, "the process runs without the agent\n", ""));
    assertThat(whenItTells("agent", "report", file, "--json").out())
        .contains("\"woven\":\"the process runs without the agent\",\"findings\":[]");
    assertThat(CommandRun.of("agent").exitCode()).isEqualTo(ExitCode.USAGE.number());
  }

  @Test
  void aStoreWhoseProcessEnds() throws Exception {
    whenItTells("stat", file, "--interval", "0.01");
    Thread killer =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    Thread.sleep(300);
                  } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                  }
                  process.destroyForcibly();
                });

    CommandRun run = CommandRun.of("stat", file, "--interval", "0.01", "--follow");

    killer.join();
    assertThat(run.exitCode()).isIn(0, ExitCode.REFUSED.number());
    assertThat(run.err()).containsAnyOf("its process ended", "no process has", "cannot attach");
  }
}
