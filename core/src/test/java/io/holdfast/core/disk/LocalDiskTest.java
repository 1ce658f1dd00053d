package io.holdfast.core.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalDiskTest {
  private static final Path WRITES = Path.of("/proc/thread-self/io");

  @TempDir Path directory;

  private final Disk disk = Disk.local();

  private static ByteBuffer blocks(int count, int value) {
    ByteBuffer blocks = Blocks.allocate(count * Blocks.BYTES);
    for (int i = 0; i < blocks.limit(); i++) {
      blocks.put(i, (byte) value);
    }
    return blocks;
  }

  private static byte[] bytes(DiskFile file, long at, int length) throws IOException {
    ByteBuffer buffer = Blocks.allocate(Blocks.roundUp(length)).limit(length);
    file.read(at, buffer);
    byte[] bytes = new byte[length];
    buffer.get(0, bytes);
    return bytes;
  }

  @Test
  void whatIsWrittenIsRead() throws IOException {
    Path path = directory.resolve("file");
    try (DiskFile file = disk.create(path)) {
      disk.forceNames(directory);
      file.write(0, blocks(3, 1));
      file.force();
      file.writeDurably(Blocks.BYTES, blocks(1, 2));
      assertThat(bytes(file, 0, 2 * Blocks.BYTES))
          .startsWith(1, 1)
          .endsWith(2, 2)
          .isEqualTo(Arrays.copyOf(Files.readAllBytes(path), 2 * Blocks.BYTES));
      file.setLength(2 * Blocks.BYTES + 3);
      assertThat(file.length()).isEqualTo(2 * Blocks.BYTES + 3);
      assertThat(bytes(file, Blocks.BYTES + 1, 3)).containsExactly(2, 2, 2);
      assertThatExceptionOfType(EOFException.class)
          .isThrownBy(() -> bytes(file, 0, 3 * Blocks.BYTES));
      file.setLength(3 * Blocks.BYTES);
      assertThat(bytes(file, 2 * Blocks.BYTES, Blocks.BYTES)).startsWith(1, 1, 1, 0).endsWith(0);
    }
    assertThatExceptionOfType(FileAlreadyExistsException.class).isThrownBy(() -> disk.create(path));
    assertThat(disk.exists(path)).isTrue();
    disk.delete(path);
    assertThat(disk.exists(path)).isFalse();
    assertThatExceptionOfType(IOException.class).isThrownBy(() -> disk.open(path));
  }

  /// An interrupt neither closes the file nor loses a write, and is still there for the caller.
  @Test
  void interruptsAreNothing() throws IOException {
    try (DiskFile file = disk.create(directory.resolve("file"))) {
      Thread.currentThread().interrupt();
      file.write(0, blocks(2, 1));
      file.writeDurably(0, blocks(1, 2));
      file.force();
      disk.forceNames(directory);
      assertThat(bytes(file, 0, 1)).containsExactly(2);
      assertThat(Thread.interrupted()).isTrue();
      assertThat(bytes(file, 0, Blocks.BYTES)).containsOnly(2);
    }
  }

  @Test
  void aDurableWriteIsOneSystemCall() throws IOException {
    assumeThat(WRITES).exists();
    try (DiskFile file = disk.create(directory.resolve("file"))) {
      assumeThat(file.readsTheDevice()).isTrue(); // no direct I/O here
      file.write(0, blocks(64, 1));
      file.force();
      file.writeDurably(0, blocks(1, 2));
      long before = writes();
      file.writeDurably(0, blocks(64, 3));
      assertThat(writes() - before).isEqualTo(1);
    }
  }

  private static long writes() throws IOException {
    return Files.readAllLines(WRITES).stream()
        .filter(line -> line.startsWith("syscw: "))
        .mapToLong(line -> Long.parseLong(line.substring("syscw: ".length())))
        .sum();
  }

  /// A file system in memory, which has no direct I/O or only seems to.
  @Test
  void memoryIsADiskToo() throws IOException {
    Path memory = Path.of("/dev/shm");
    assumeThat(memory).isDirectory().isWritable();
    Path path = Files.createTempFile(memory, "holdfast", "");
    try (DiskFile file = disk.open(path)) {
      file.writeDurably(0, blocks(2, 4));
      assertThat(bytes(file, Blocks.BYTES, Blocks.BYTES)).containsOnly(4);
    } finally {
      Files.delete(path);
    }
  }

  @Test
  void onlyWholeBlocksAreWrittenDurably() throws IOException {
    try (DiskFile file = disk.create(directory.resolve("file"))) {
      List<ByteBuffer> unfit =
          List.of(
              blocks(1, 1).limit(512),
              blocks(2, 1).position(512).limit(512 + Blocks.BYTES),
              ByteBuffer.allocate(Blocks.BYTES));
      for (ByteBuffer each : unfit) {
        assertThatExceptionOfType(IllegalArgumentException.class)
            .isThrownBy(() -> file.writeDurably(0, each));
      }
      assertThatExceptionOfType(IllegalArgumentException.class)
          .isThrownBy(() -> file.writeDurably(512, blocks(1, 1)));
    }
  }
}
