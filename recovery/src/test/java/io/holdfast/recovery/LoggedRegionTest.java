package io.holdfast.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import io.holdfast.core.Durability;
import io.holdfast.core.PersistenceCounts;
import io.holdfast.core.memory.RegionHeader;
import io.holdfast.recovery.VerifyReport.Verdict;
import io.holdfast.verification.OverlayMemory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
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
