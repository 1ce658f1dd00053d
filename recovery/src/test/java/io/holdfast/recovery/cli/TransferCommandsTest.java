package io.holdfast.recovery.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.holdfast.Holdfast;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
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
  void anExportIsAsPrivateAsItsStore() throws Exception {
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    assertThat(CommandRun.of("export", file, "--to", text).exitCode()).isZero();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(text)))
        .isEqualTo("rw-------");
  }

  @Test
  void anExportThatWasKilledIsInNobodysWay() throws Exception {
    Path part = directory.resolve("shop.jsonl.part");
    Path lock = directory.resolve("shop.jsonl.part.lock");
    Files.writeString(part, "{\"holdfast\":\"export\",");
    Files.writeString(lock, "Holdfast makes this file: pid=1\n");
    assertThat(CommandRun.of("export", file, "--to", text).exitCode()).isZero();
    assertThat(part).doesNotExist();
    assertThat(lock).doesNotExist();
    assertThat(Files.readString(text)).endsWith("{\"holdfast\":\"end\",\"roots\":1}\n");
  }

  @Test
  void outputThatHasNoRoomIsNoSuccess() throws Exception {
    Path full = Path.of("/dev/full");
    assumeTrue(Files.exists(full));
    for (String name : List.of("export", "info", "verify")) {
      Path err = directory.resolve("err");
      Process process =
          command(name, file.toString())
              .redirectOutput(full.toFile())
              .redirectError(err.toFile())
              .start();
      assertThat(process.waitFor()).as(name).isEqualTo(ExitCode.INCOMPLETE.number());
      assertThat(err).content().contains("standard output: not all could be written: ", "next: ");
    }
  }

  @Test
  void outputThatNobodyReadsIsToldByTheExitCodeAlone() throws Exception {
    Process process = command("export", file.toString()).start();
    process.getInputStream().close();
    assertThat(process.waitFor()).isEqualTo(ExitCode.INCOMPLETE.number());
    assertThat(process.errorReader().readAllAsString()).doesNotContain("standard output", "next: ");
  }

  /// What stands in for the full disk is the shell's limit to the length of files.
  @Test
  void anExportThatHasNoRoomSaysWhichAndLeavesNothing() throws Exception {
    try (Holdfast store = Holdfast.open(file)) {
      store.queue("photos", byte[].class).add(new byte[200_000]);
    }
    List<String> command =
        new ArrayList<>(List.of("/bin/bash", "-c", "ulimit -f 64; exec \"$@\"", "bash"));
    command.addAll(command("export", file.toString(), "--to", text.toString()).command());
    command.add(5, "-XX:-UsePerfData"); // or its file has no room
    Process process = new ProcessBuilder(command).start();

    String err = process.errorReader().readAllAsString();

    assertThat(process.waitFor()).isEqualTo(ExitCode.REFUSED.number());
    assertThat(err)
        .contains(file + ": cannot be exported to " + text + ": ")
        .contains(". Make room, or name another file\nnext: ls -l " + directory);
    assertThat(directory.resolve("shop.jsonl.part")).doesNotExist();
    assertThat(text).doesNotExist();
  }

  private static ProcessBuilder command(String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx64m", "-cp", System.getProperty("java.class.path")));
    command.add(HoldfastCommand.class.getName());
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command);
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

  @Test
  void whatIsMissingIsNamed() {
    Path missing = directory.resolve("missing");
    Path inIt = missing.resolve("shop.backup");
    assertThat(CommandRun.of("backup", file, inIt).err())
        .startsWith(
            "holdfast: %s: cannot be made: there is no such directory: %s. Make it"
                .formatted(inIt, missing));
    assertThat(CommandRun.of("import", made, "--from", missing).err())
        .startsWith(
            "holdfast: %s: cannot be imported: there is no such file. Name a text that export wrote"
                .formatted(missing));
  }

  @Test
  void whatIsNoExportIsNamed() throws Exception {
    Path text = Files.writeString(directory.resolve("a.txt"), "{\"x\":1}\n");
    assertThat(CommandRun.of("import", made, "--from", text).err())
        .startsWith("holdfast: %s: the text can't be imported: line 1: ".formatted(text));
    assertThat(CommandRun.of("import", made, "--from", directory).err())
        .contains("%s: cannot be imported: it is a directory".formatted(directory));
    Files.write(text, new byte[] {(byte) 0xFF, (byte) 0xFE});
    assertThat(CommandRun.of("import", made, "--from", text).err())
        .contains("%s: cannot be imported: it is not UTF-8".formatted(text));
    assertThat(made).doesNotExist();
  }
}
