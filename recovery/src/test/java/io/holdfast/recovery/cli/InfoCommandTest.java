package io.holdfast.recovery.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.holdfast.Holdfast;
import io.holdfast.Job;
import io.holdfast.Resumable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `info` of real regions.
final class InfoCommandTest {
  @TempDir private Path directory;

  private Path file;

  @BeforeEach
  void makeAStore() {
    file = directory.resolve("shop.hf");
    try (Holdfast store = Holdfast.open(file)) {
      for (int i = 0; i < 1000; i++) {
        store.hashMap("stock", String.class, Long.class).put("item" + i, (long) i);
      }
      store.queue("jobs", Long.class).add(1L);
      store.treeMap("byDate", Long.class, String.class).put(1L, "one");
    }
  }

  @Test
  void aClosedRegion() throws IOException {
    byte[] before = Files.readAllBytes(file);

    CommandRun run = CommandRun.of("info", file);

    assertThat(run.err()).isEmpty();
    assertThat(run.exitCode()).isZero();
    assertThat(run.out())
        .containsPattern("state +closed\n")
        .containsPattern("format +1\n")
        .containsPattern("durability +PROCESS_CRASH\n")
        .containsPattern("stock +hashMap +1000 ")
        .containsPattern("jobs +queue +1 ")
        .containsPattern("byDate +treeMap ");
    assertThat(file).hasBinaryContent(before);
  }

  @Test
  void aNameThatWouldBreakALineOrClearTheScreen() {
    try (Holdfast store = Holdfast.open(file)) {
      store.queue("two\nlines\r\u001b[2J\u009b2J", Long.class);
    }
    String shown = "lines\\u000d\\u001b[2J\\u009b2J";
    for (String command : List.of("info", "ls")) {
      assertThat(CommandRun.of(command, file).out().lines())
          .anyMatch(line -> line.contains("two\\u000a" + shown));
      assertThat(CommandRun.of(command, "--plain", file).out().lines())
          .anyMatch(line -> line.endsWith("\ttwo\\n" + shown));
    }
  }

  record Transfer(long from, long to) {}

  /// Also that a resumable is a region's like others: it is sound, dumped, compacted and exported.
  @Test
  void callsThatAreNotFinished() {
    try (Holdfast store = Holdfast.open(file)) {
      Resumable<Transfer, Void> transfer =
          store.resumable(
              "transfer",
              Transfer.class,
              Resumable.Options.<Transfer>defaults().retryFailed(),
              each -> {
                if (each.from() == 1) {
                  throw new IllegalStateException("not now");
                }
              });
      transfer.run("done", new Transfer(3, 4));
      assertThatThrownBy(() -> transfer.run("order-1", new Transfer(1, 2))).hasMessage("not now");
      assertThatThrownBy(() -> transfer.run(new Transfer(1, 5))).hasMessage("not now");
    }
    Path compacted = directory.resolve("compacted.hf");
    assertThat(CommandRun.of("compact", file, compacted).exitCode()).isZero();
    for (Path each : List.of(file, compacted)) {
      for (String command : List.of("ls", "info")) {
        assertThat(CommandRun.of(command, each).out())
            .containsPattern("transfer +resumable +2 ")
            .containsPattern("transfer +order-1 +20.*Z +\\{\"from\":1,\"to\":2}\n")
            .containsPattern("transfer +- +20.*Z +\\{\"from\":1,\"to\":5}\n");
      }
      assertThat(CommandRun.of("ls", "--json", each).out())
          .contains("\"argument\":\"{\\\"from\\\":1,\\\"to\\\":2}\"");
      assertThat(CommandRun.of("dump", each, "transfer").out())
          .contains("\"argument\":{\"from\":1,\"to\":2}");
      assertThat(CommandRun.of("verify", each).exitCode()).isZero();
      try (Holdfast store = Holdfast.open(each)) {
        assertThat(store.unfinished()).hasSize(2);
        Resumable<Transfer, Void> transfer =
            store.resumable("transfer", Transfer.class, Objects::requireNonNull);
        assertThat(store.unfinished()).isEmpty();
        assertThat(transfer.outcome("done")).isPresent();
      }
      assertThat(CommandRun.of("ls", each).out()).doesNotContain("unfinished");
    }
  }

  /// Also that a job is a region's like others: it is sound, dumped and compacted, and goes on.
  @Test
  void jobs() {
    AtomicLong stop = new AtomicLong(3);
    BiConsumer<Transfer, Job<Transfer>> body =
        (from, job) -> {
          for (long i = from.from(); i < 5; i++) {
            if (i == stop.get()) {
              throw new IllegalStateException("stopped");
            }
            job.at(new Transfer(i + 1, 0));
          }
        };
    Job.Options each = Job.Options.defaults().atMost(Duration.ofNanos(1));
    try (Holdfast store = Holdfast.open(file)) {
      assertThatThrownBy(() -> store.job("load", Transfer.class, new Transfer(0, 0), each, body))
          .hasMessage("stopped");
    }
    Path compacted = directory.resolve("compacted.hf");
    assertThat(CommandRun.of("compact", file, compacted).exitCode()).isZero();
    stop.set(-1);
    for (Path copy : List.of(file, compacted)) {
      for (String command : List.of("ls", "info")) {
        assertThat(CommandRun.of(command, copy).out())
            .containsPattern("load +job +1 ")
            .containsPattern("load +no +3 +0 +20.*Z +20.*Z +\\{\"from\":3,\"to\":0}\n");
      }
      assertThat(CommandRun.of("dump", copy, "load").out()).contains("\"from\":3");
      assertThat(CommandRun.of("verify", copy).exitCode()).isZero();
      try (Holdfast store = Holdfast.open(copy)) {
        assertThat(store.job("load", Transfer.class, new Transfer(0, 0), each, body))
            .isEqualTo(new Transfer(5, 0));
      }
      assertThat(CommandRun.of("ls", copy).out()).containsPattern("load +yes +6 ");
    }
  }

  @Test
  void asJson() {
    CommandRun run = CommandRun.of("info", "--json", file);

    assertThat(run.out())
        .startsWith("{\"file\":\"" + file + "\",\"state\":\"closed\",\"holder\":null,")
        .contains("\"nextOpening\":{\"outcome\":\"clean\",")
        .contains("{\"name\":\"stock\",\"kind\":\"hashMap\",\"entries\":1000,")
        .endsWith("}]}\n");
  }

  @Test
  void asLines() {
    CommandRun run = CommandRun.of("info", "--plain", file);

    assertThat(run.out())
        .contains("state\tclosed\n", "roots[0].name\tstock\n", "roots[0].entries\t1000\n");
  }

  @Test
  void aStoreInUse() throws IOException {
    try (Holdfast store = Holdfast.open(file)) {
      store.queue("jobs", Long.class).add(2L);

      CommandRun run = CommandRun.of("info", file);

      assertThat(run.exitCode()).isZero();
      assertThat(run.out()).contains("in use", "pid=").containsPattern("jobs +queue +2 ");
      assertThat(run.err())
          .contains("the store is in use (pid=", "what is shown may be of different moments");
      store.queue("jobs", Long.class).add(3L); // and is not hindered
    }
    assertThat(CommandRun.of("info", file).out()).containsPattern("jobs +queue +3 ");
  }

  @Test
  void noSuchFile() {
    Path missing = directory.resolve("missing.hf");

    CommandRun run = CommandRun.of("info", missing);

    assertThat(run)
        .isEqualTo(
            new CommandRun(
                ExitCode.REFUSED.number(),
                "",
                "holdfast: %s: there is no such file\nnext: ls -l %s\n"
                    .formatted(missing, directory)));
    assertThat(missing).doesNotExist();
  }

  /// An administrator may read everything.
  @Test
  void aFileThatMayNotBeRead() throws IOException {
    Files.setPosixFilePermissions(file, Set.of());
    assumeThat(Files.isReadable(file)).isFalse();

    for (String command : List.of("info", "recover")) {
      CommandRun run = CommandRun.of(command, file);

      assertThat(run.exitCode()).isEqualTo(ExitCode.REFUSED.number());
      assertThat(run.err()).contains(file + ": cannot read the file: permission denied. Check");
    }
  }

  @Test
  void noRegion() throws IOException {
    Path text = Files.writeString(directory.resolve("a text"), "x".repeat(10_000));

    CommandRun run = CommandRun.of("info", text);

    assertThat(run.exitCode()).isEqualTo(ExitCode.REFUSED.number());
    assertThat(run.err()).contains("not a Holdfast region", "next: file '" + text + "'");
  }

  @Test
  void oneCopyOfTheHeaderIsDamaged() throws IOException {
    byte[] content = Files.readAllBytes(file);
    content[40] ^= 1;
    Files.write(file, content);

    CommandRun run = CommandRun.of("info", "--plain", file);

    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).contains("headers[0].valid\tfalse\n", "headers[1].valid\ttrue\n");
  }

  @Test
  void bothCopiesOfTheHeaderAreDamaged() throws IOException {
    byte[] content = Files.readAllBytes(file);
    content[40] ^= 1;
    content[4096 + 40] ^= 1;
    Files.write(file, content);

    CommandRun run = CommandRun.of("info", file);

    assertThat(run.exitCode()).isEqualTo(ExitCode.DAMAGED.number());
    assertThat(run.err())
        .contains("both copies of the region's header are damaged")
        .contains("next: holdfast salvage %s %1$s.salvaged\n".formatted(file));
  }

  @Test
  void aWrongCommandLineSaysWhatThereIs() {
    CommandRun run = CommandRun.of("info");

    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE.number());
    assertThat(run.err())
        .contains("Missing required parameter: 'FILE'", "next: holdfast info --help");
  }

  @Test
  void anUnknownCommandSaysWhichWasMeant() {
    CommandRun run = CommandRun.of("verfy", "shop.hf");

    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE.number());
    assertThat(run.err()).contains("'verfy'", "Did you mean", "verify", "next: holdfast --help");
  }

  @Test
  void eachHelpListsTheExitCodes() {
    for (String command : List.of("info", "ls", "dump", "verify", "stat", "backup", "import")) {
      assertThat(CommandRun.of(command, "--help").out())
          .as(command)
          .contains("Exit codes:", "6   " + ExitCode.IN_USE.meaning());
    }
    assertThat(CommandRun.of("--help").out()).contains("Exit codes:");
    assertThat(CommandRun.of("verify", "--help").out()).contains("   3   of `verify` alone");
    assertThat(CommandRun.of("info", "--help").out()).doesNotContain("   3   ");
  }
}
