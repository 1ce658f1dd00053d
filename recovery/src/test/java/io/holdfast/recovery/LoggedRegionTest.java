package io.holdfast.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Holdfast;
import io.holdfast.core.Durability;
import io.holdfast.core.PersistenceCounts;
import io.holdfast.core.RegionDamagedException;
import io.holdfast.core.disk.Disk;
import io.holdfast.core.disk.DiskFile;
import io.holdfast.core.memory.RegionHeader;
import io.holdfast.recovery.VerifyReport.Verdict;
import io.holdfast.verification.OverlayMemory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.NonWritableChannelException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The tools know the log of a store on a disk that was not closed.
class LoggedRegionTest {
  @TempDir Path directory;
  private Path crashed;
  private int added;

  @BeforeEach
  void crash() throws IOException {
    Path file = directory.resolve("s.hf");
    crashed = directory.resolve("crashed.hf");
    try (Holdfast store =
        Holdfast.open(file, Holdfast.Options.defaults().durability(Durability.POWER_FAILURE))) {
      store.queue("queue", String.class).add("x");
      PersistenceCounts before;
      do {
        store.relaxed(() -> store.queue("queue", String.class).add("y")); // as a rule in no batch
        before = store.persistence();
        for (String end : List.of("", ".log", ".live")) {
          Files.copy(
              directory.resolve("s.hf" + end),
              directory.resolve("crashed.hf" + end),
              StandardCopyOption.REPLACE_EXISTING);
        }
      } while (!store.persistence().equals(before));
      added = store.queue("queue", String.class).size();
    }
  }

  /// The files of another user, or on a medium that can't be written. Who may write whatever the
  /// permissions say, as root may, is told from others by what is open.
  @Test
  void whoLooksNeedNotBeAbleToWrite() throws IOException {
    List<Path> files =
        Stream.of("", ".log", ".live").map(end -> directory.resolve("crashed.hf" + end)).toList();
    for (Path each : files) {
      Files.setPosixFilePermissions(each, PosixFilePermissions.fromString("r--r--r--"));
    }
    OverlayMemory.of(crashed).close();
    try (DiskFile log = Disk.localToRead().open(files.get(1))) {
      log.read(0, ByteBuffer.allocate(8));
      assertThatThrownBy(() -> log.write(0, ByteBuffer.allocate(8)))
          .isInstanceOf(NonWritableChannelException.class);
    }
  }

  /// The log may be damaged, before batches that were durable, or what is on the way to it: then
  /// nothing opens the region, and what can be read is what comes before.
  @Test
  void salvageUsesALogUpToWhereItIsDamaged() throws IOException {
    try (Holdfast store =
        Holdfast.open(
            directory.resolve("t.hf"),
            Holdfast.Options.defaults().durability(Durability.POWER_FAILURE))) {
      for (int i = 0; i < 20; i++) {
        store.queue("queue", Integer.class).add(i); // a batch each
      }
      for (String end : List.of("", ".log", ".live")) {
        Files.copy(directory.resolve("t.hf" + end), directory.resolve("damaged.hf" + end));
      }
    }
    Path log = directory.resolve("damaged.hf.log");
    byte[] bytes = Files.readAllBytes(log);
    int last = bytes.length - 1;
    while (bytes[last] == 0) {
      last--;
    }
    bytes[(last & -4096) - 5 * 4096 + 70] ^= 1;
    Files.write(log, bytes);
    Path damaged = directory.resolve("damaged.hf");
    assertThatThrownBy(() -> Verification.verify(damaged, null, Progress.NONE))
        .isInstanceOf(RegionDamagedException.class)
        .hasMessageContaining("of the redo log is damaged");

    Path salvaged = directory.resolve("salvaged.hf");
    SalvageReport report = Salvage.salvage(damaged, salvaged, null, Progress.NONE);
    assertThat(report.losses())
        .singleElement()
        .satisfies(
            loss -> {
              assertThat(loss.path()).isEqualTo("log");
              assertThat(loss.message()).contains("of the redo log is damaged");
            });
    assertThat(log).hasBinaryContent(bytes);
    try (Holdfast store = Holdfast.open(salvaged)) {
      List<Integer> found = List.copyOf(store.queue("queue", Integer.class));
      assertThat(found)
          .hasSizeBetween(10, 19)
          .isEqualTo(IntStream.range(0, found.size()).boxed().toList());
    }
  }

  @Test
  void itIsLookedAtWithItsLogAndLeftAsItIs() throws IOException {
    byte[] before = Files.readAllBytes(crashed);
    byte[] log = Files.readAllBytes(directory.resolve("crashed.hf.log"));
    VerifyReport report =
        Verification.verify(crashed, LoggedRegionTest.class.getClassLoader(), Progress.NONE);
    assertThat(report.verdict()).isEqualTo(Verdict.RECOVERABLE);
    OverlayMemory memory = OverlayMemory.of(crashed);
    assertThat(RegionHeader.read(memory).state()).isEqualTo(RegionHeader.State.OPEN);
    memory.close();
    assertThat(crashed).hasBinaryContent(before);
    assertThat(directory.resolve("crashed.hf.log")).hasBinaryContent(log);
  }

  @Test
  void aBackupOfItIsOneFile() {
    Path backup = directory.resolve("backup.hf");
    FileBackup.backup(crashed, backup, Progress.NONE);
    try (Holdfast store = Holdfast.open(backup)) {
      assertThat(store.queue("queue", String.class)).hasSize(added).startsWith("x").endsWith("y");
    }
  }
}
