package io.holdfast.core.persistence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assumptions.assumeThatThrownBy;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// Images that are longer than memory and swap.
@EnabledOnOs(OS.LINUX)
class LoggedDiskTest {
  private static final ValueLayout.OfLong WORD = ValueLayout.JAVA_LONG;

  @TempDir Path directory;
  private Path file;
  private FileChannel channel;
  private long bytes;

  /// Without blocks.
  @BeforeEach
  void makeALongFile() throws IOException {
    OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    bytes = Long.highestOneBit(system.getTotalMemorySize() + system.getTotalSwapSpaceSize()) << 2;
    file = directory.resolve("long.hf");
    channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
    channel.truncate(0);
    channel.write(ByteBuffer.allocate(8), bytes - 8);
  }

  @AfterEach
  void close() throws IOException {
    channel.close();
  }

  private void assumeItIsCounted() {
    assumeThatThrownBy(() -> channel.map(MapMode.PRIVATE, 0, bytes, Arena.ofAuto()))
        .as("vm.overcommit_memory=0")
        .hasCauseInstanceOf(OutOfMemoryError.class);
  }

  @Test
  void whatTheKernelWouldCountIsMapped() throws IOException {
    assumeItIsCounted();
    MemorySegment mapped;
    try (Arena arena = Arena.ofShared()) {
      mapped = new LoggedDisk(file).map(channel, 0, bytes, arena);
      mapped.set(WORD, bytes - 8, 7);
      assertThat(mapped.get(WORD, bytes - 8)).isEqualTo(7);
      assertThat(mapped.get(WORD, bytes / 2)).isZero();
      ByteBuffer stored = ByteBuffer.allocate(8);
      channel.read(stored, bytes - 8);
      assertThat(stored.getLong(0)).as("it is this process's own").isZero();
      assertThat(Files.readString(Path.of("/proc/self/maps"))).contains(file.toString());
    }
    assertThatIllegalStateException().isThrownBy(() -> mapped.get(WORD, 0));
    assertThat(Files.readString(Path.of("/proc/self/maps"))).doesNotContain(file.toString());
  }

  /// FAULT-1: it does not end the process.
  @Test
  void aPageThatIsCutOffIsAnError() throws IOException {
    assumeItIsCounted();
    try (Arena arena = Arena.ofShared()) {
      MemorySegment mapped = new LoggedDisk(file).map(channel, 0, bytes, arena);
      channel.truncate(bytes / 2);
      assertThatExceptionOfType(InternalError.class)
          .isThrownBy(() -> mapped.get(WORD, bytes - 8))
          .withMessageContaining("unsafe memory access");
      assertThatExceptionOfType(InternalError.class)
          .isThrownBy(() -> MemorySegment.copy(mapped, WORD, bytes - 4_096, new long[512], 0, 512));
      assertThat(mapped.get(WORD, bytes / 2 - 8)).isZero();
    }
  }

  @Test
  void itsPagesHaveNumbers() {
    assertThatIOException()
        .isThrownBy(() -> new LoggedDisk(file).map(channel, 0, 1L << 43, Arena.ofAuto()))
        .withMessageStartingWith("an image is at most 8796093018112 bytes long");
  }

  @Test
  void aFileThatIsGoneIsTold() throws IOException {
    assumeItIsCounted();
    Files.delete(file);
    assertThatIOException()
        .isThrownBy(() -> new LoggedDisk(file).map(channel, 0, bytes, Arena.ofAuto()))
        .withMessageContaining("run it with --enable-native-access=ALL-UNNAMED")
        .havingCause()
        .withMessage("cannot be opened to be mapped");
  }
}
