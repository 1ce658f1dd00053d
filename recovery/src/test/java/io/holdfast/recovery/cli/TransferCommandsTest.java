package io.holdfast.recovery.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Export, import and compaction by the command line.
final class TransferCommandsTest {
  @TempDir Path directory;
  private Path file;
  private Path text;
  private Path made;

  @BeforeEach
  void make() {
    file = directory.resolve("shop.hf");
    text = directory.resolve("shop.jsonl");
    made = directory.resolve("new.hf");
    try (Holdfast store = Holdfast.open(file)) {
      store.hashMap("prices", String.class, Long.class).put("apple", 3L);
    }
  }

  private void checkMade() {
    try (Holdfast store = Holdfast.open(made)) {
      assertThat(store.hashMap("prices", String.class, Long.class)).containsEntry("apple", 3L);
    }
  }

  @Test
  void exportAndImport() {
    assertThat(CommandRun.of("export", file, "--to", text).exitCode()).isZero();
    CommandRun run = CommandRun.of("import", made, "--from", text);
    assertThat(run.exitCode()).isZero();
    assertThat(run.err()).contains("entries imported: 1; next: holdfast verify " + made);
    checkMade();
  }

  @Test
  void exportToStandardOutput() {
    assertThat(CommandRun.of("export", file).out())
        .startsWith("{\"holdfast\":\"export\"")
        .contains("{\"root\":\"prices\",\"kind\":\"hashMap\",\"codec\":\"Map<String,Long>\"")
        .endsWith("{\"holdfast\":\"end\",\"roots\":1}\n");
  }

  @Test
  void compact() {
    CommandRun run = CommandRun.of("compact", file, made);
    assertThat(run.exitCode()).isZero();
    checkMade();
  }

  @Test
  void backupAndRestore() throws Exception {
    Path backup = directory.resolve("shop.backup");
    Path killed = directory.resolve("killed.hf");
    try (Holdfast store = Holdfast.open(file)) {
      store.hashMap("prices", String.class, Long.class).put("pear", 2L);
      Files.copy(file, killed);
      // A process can't attach to itself.
      assertThat(CommandRun.of("backup", file, backup).exitCode())
          .isEqualTo(ExitCode.REFUSED.number());
    }
    assertThat(CommandRun.of("backup", killed, backup).exitCode()).isZero();
    assertThat(CommandRun.of("verify", backup).exitCode()).isEqualTo(ExitCode.SOUND.number());
    assertThat(CommandRun.of("restore", backup, made).exitCode()).isZero();
    checkMade();
    assertThat(CommandRun.of("restore", backup, made).exitCode())
        .isEqualTo(ExitCode.REFUSED.number());
  }

  @Test
  void aDamagedBackupIsNotRestored() throws Exception {
    byte[] bytes = Files.readAllBytes(file);
    bytes[0x2000 + 1] ^= 1; // the anchor of the roots
    Files.write(file, bytes);
    CommandRun run = CommandRun.of("restore", file, made);
    assertThat(run.exitCode()).isEqualTo(ExitCode.DAMAGED.number());
    assertThat(made).doesNotExist();
  }

  @Test
  void salvage() {
    CommandRun run = CommandRun.of("salvage", "--plain", file, made);
    assertThat(run.exitCode()).isZero();
    assertThat(run.err()).contains("roots=1, entries=1, losses=0; next: holdfast verify " + made);
    checkMade();
  }

  @Test
  void whatIsThereIsRefused() {
    assertThat(CommandRun.of("export", file, "--to", file).exitCode())
        .isEqualTo(ExitCode.REFUSED.number());
    assertThat(CommandRun.of("compact", file, file).exitCode())
        .isEqualTo(ExitCode.REFUSED.number());
  }
}
