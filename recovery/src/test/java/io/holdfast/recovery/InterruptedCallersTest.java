package io.holdfast.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.recovery.VerifyReport.Verdict;
import java.io.BufferedReader;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What an interrupted thread asks for is done, and the thread stays interrupted.
final class InterruptedCallersTest {
  private static final int ENTRIES = 500;

  @TempDir Path directory;

  private interface Call {
    void run() throws Exception;
  }

  private static void interrupted(Call call) throws Exception {
    Thread.currentThread().interrupt();
    try {
      call.run();
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
  }

  @Test
  void eachToolDoesItsWork() throws Exception {
    Path file = Stores.make(directory.resolve("region.hf"), ENTRIES);
    Path backup = directory.resolve("backup.hf");
    StringWriter text = new StringWriter();
    interrupted(() -> FileBackup.backup(file, backup, Progress.NONE));
    interrupted(() -> FileBackup.restore(backup, path("restored"), null, Progress.NONE));
    interrupted(() -> Compaction.compact(file, path("compacted"), null, Progress.NONE));
    interrupted(() -> Salvage.salvage(file, path("salvaged"), null, Progress.NONE));
    interrupted(() -> TextExport.export(file, text, Progress.NONE));
    BufferedReader in = new BufferedReader(new StringReader(text.toString()));
    interrupted(() -> TextImport.read(in, path("imported"), null, Progress.NONE));
    interrupted(() -> RegionView.open(file).close());
    for (String made : new String[] {"restored", "compacted", "salvaged", "imported"}) {
      interrupted(
          () ->
              assertThat(Verification.verify(path(made), null, Progress.NONE).verdict())
                  .as(made)
                  .isEqualTo(Verdict.SOUND));
    }
  }

  private Path path(String name) {
    return directory.resolve(name + ".hf");
  }
}
