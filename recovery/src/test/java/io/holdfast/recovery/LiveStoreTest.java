package io.holdfast.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.core.RegionAccessException;
import io.holdfast.core.memory.RegionFile;
import io.holdfast.recovery.cli.KilledStore;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

final class LiveStoreTest {
  @TempDir private Path directory;

  @Test
  @Timeout(120)
  void aProcessThatWasStoppedIsNotWaitedForWithoutEnd() throws Exception {
    Path file = directory.resolve("store.hf");
    Process process = KilledStore.start(file);
    try {
      String holder = RegionFile.holder(file);
      awaitAttached(file, holder);
      signal("STOP", process);

      assertThatThrownBy(() -> LiveStore.of(file, holder, Duration.ofSeconds(1)))
          .isInstanceOf(RegionAccessException.class)
          .hasMessageContaining("%s: the process that has the store open does not answer", file)
          .hasMessageContaining("pid=%d, waited for 1 s. If it was stopped", process.pid());

      signal("CONT", process);
      awaitAttached(file, holder);
    } finally {
      process.destroyForcibly().waitFor();
    }
  }

  private static void awaitAttached(Path file, String holder)
      throws IOException, InterruptedException {
    LiveStore store = LiveStore.of(file, holder);
    while (store == null) {
      Thread.sleep(50);
      store = LiveStore.of(file, holder);
    }
    store.close();
  }

  private static void signal(String name, Process process)
      throws IOException, InterruptedException {
    Process kill =
        new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid())).inheritIO().start();
    assertThat(kill.waitFor()).isZero();
  }
}
