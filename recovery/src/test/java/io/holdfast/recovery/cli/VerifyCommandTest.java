package io.holdfast.recovery.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The verdict as an exit code.
final class VerifyCommandTest {
  @TempDir Path directory;
  private Path file;

  @BeforeEach
  void make() {
    file = directory.resolve("shop.hf");
    try (Holdfast store = Holdfast.open(file)) {
      store.hashMap("prices", String.class, Long.class).put("apple", 3L);
    }
  }

  @Test
  void soundIsZero() {
    CommandRun run = CommandRun.of("verify", "--plain", file);
    assertThat(run.exitCode()).isEqualTo(ExitCode.SOUND.number());
    assertThat(run.out()).contains("verdict\tsound");
    assertThat(run.err()).contains(": sound: roots=1, entries=1,");
  }

  @Test
  void aStoreThatWasKilledIsRecoverable() throws Exception {
    Path killed = directory.resolve("killed.hf");
    try (Holdfast store = Holdfast.open(file)) {
      Map<String, Long> prices = store.hashMap("prices", String.class, Long.class);
      prices.put("pear", 2L);
      Files.copy(file, killed);
    }
    CommandRun run = CommandRun.of("verify", "--json", killed);
    assertThat(run.exitCode()).isEqualTo(ExitCode.RECOVERABLE.number());
    assertThat(run.err()).contains("holdfast recover " + killed);
  }

  @Test
  void damageIsNamed() throws Exception {
    byte[] bytes = Files.readAllBytes(file);
    bytes[0x2000 + 1] ^= 1; // the anchor of the roots
    Files.write(file, bytes);
    CommandRun run = CommandRun.of("verify", "--plain", file);
    assertThat(run.exitCode()).isEqualTo(ExitCode.DAMAGED.number());
    assertThat(run.err()).contains("holdfast salvage " + file);
  }

  @Test
  void anEmptyFileIsANewStore() throws Exception {
    Path empty = Files.createFile(directory.resolve("empty.hf"));
    CommandRun run = CommandRun.of("verify", empty);
    assertThat(run)
        .isEqualTo(
            new CommandRun(
                ExitCode.REFUSED.number(),
                "",
                "holdfast: %s: the file is empty: its opening makes a new store, and there is nothing to verify\nnext: file %1$s\n"
                    .formatted(empty)));
    assertThat(CommandRun.of("info", empty).exitCode()).isEqualTo(run.exitCode());
  }

  @Test
  void aStoreInUseIsRefused() {
    try (Holdfast store = Holdfast.open(file)) {
      CommandRun run = CommandRun.of("verify", store.path());
      assertThat(run.exitCode()).isEqualTo(ExitCode.IN_USE.number());
    }
  }
}
