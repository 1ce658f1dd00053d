package io.holdfast.recovery.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What the tools do with a file that the system went down under.
final class SystemCrashToolsTest {
  /// Where a region says in which run of the system it is open, and one that no machine has had.
  private static final long RUN_OFFSET = 0x100, ANOTHER_RUN = 0x0BAD_B007L;

  @TempDir private Path directory;
  private Path file;

  @BeforeEach
  void makeAStore() throws IOException {
    file = directory.resolve("shop.hf");
    Path used = directory.resolve("used.hf");
    try (Holdfast store = Holdfast.open(used)) {
      store.queue("jobs", Long.class).add(1L);
      Files.copy(used, file); // as a kill leaves it
    }
    overwrite(RUN_OFFSET, ANOTHER_RUN);
  }

  private void overwrite(long offset, long word) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.allocate(Long.BYTES).putLong(0, word), offset);
    }
  }

  @Test
  void infoSaysWhatItIsWorth() {
    assertThat(CommandRun.of("info", file).err())
        .contains("the system went down while the region was open, or the file is a copy")
        .contains("its pages may be of different moments, and what is shown may be wrong");
  }

  @Test
  void aSoundOneIsCopied() {
    Path to = directory.resolve("copy.hf");
    assertThat(CommandRun.of("backup", file, to).exitCode()).isZero();
    assertThat(CommandRun.of("info", to).err()).isEmpty();
  }

  @Test
  void aMixedOneIsNotCopiedAsAGoodOne() throws IOException {
    overwrite(0x2000, 0x20000); // the newest root is elsewhere
    byte[] before = Files.readAllBytes(file);
    for (String command : new String[] {"backup", "compact"}) {
      Path to = directory.resolve(command);
      CommandRun run = CommandRun.of(command, file, to);
      assertThat(run.exitCode()).as(command).isEqualTo(ExitCode.DAMAGED.ordinal());
      assertThat(run.err()).as(command).contains("its pages are of different moments");
      assertThat(to).doesNotExist();
    }
    assertThat(CommandRun.of("export", file).exitCode()).isEqualTo(ExitCode.DAMAGED.ordinal());
    assertThat(file).hasBinaryContent(before);
  }
}
