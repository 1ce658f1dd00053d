package io.holdfast.core.redo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.holdfast.core.Durability;
import io.holdfast.core.RegionAccessException;
import io.holdfast.core.disk.Disk;
import io.holdfast.core.fixture.FaultyDisk;
import io.holdfast.core.fixture.Words;
import io.holdfast.core.memory.Medium;
import io.holdfast.core.memory.RegionFile;
import io.holdfast.core.memory.Uninterrupted;
import io.holdfast.core.region.Region;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A thread that is interrupted again and again while it opens and closes a region.
class InterruptedOpeningTest {
  /// More calls of the disk than two attempts of each operation here make.
  private static final int CALLS_MAX = 1_000;

  @TempDir Path directory;

  private final Thread own = Thread.currentThread();
  private final AtomicInteger calls = new AtomicInteger();

  /// An operation that opens a channel, and is interrupted before.
  private void readInterrupted(Path path) throws IOException {
    calls.incrementAndGet();
    if (calls.get() > CALLS_MAX) {
      throw new IllegalStateException("it begins again and again");
    }
    own.interrupt();
    try (FileChannel channel = FileChannel.open(path)) {
      assertThat(channel.size()).isZero();
    }
  }

  @Test
  void interrupt1AnOperationIsRepeatedOnce() throws IOException {
    Path path = Files.createFile(directory.resolve("f"));
    Uninterrupted.run("read", path, () -> readInterrupted(path));
    assertThat(Thread.interrupted()).isTrue();
    assertThat(calls).hasValue(2);
    assertThatExceptionOfType(RegionAccessException.class)
        .isThrownBy(
            () ->
                Uninterrupted.run(
                    "read",
                    path,
                    () -> {
                      readInterrupted(path);
                      throw new IOException("Input/output error");
                    }))
        .withMessageContaining("cannot read the file: IOException: Input/output error");
    assertThat(Thread.interrupted()).isTrue();
    assertThat(calls).hasValue(4);
  }

  /// On a disk, at each of its calls that change something.
  @Test
  void interrupt1ARegionIsOpenedAndClosed() {
    FaultyDisk disk = new FaultyDisk(Disk.local());
    disk.beforeEach(
        _ -> {
          if (calls.incrementAndGet() > CALLS_MAX) {
            throw new IllegalStateException("it begins again and again");
          }
          own.interrupt();
        });
    Path path = directory.resolve("r.hf");
    Medium medium = Disks.logged(disk, 4 << 20, Durability.POWER_FAILURE);
    for (long opening = 0; opening < 3; opening++) {
      try (RegionFile file = RegionFile.openOn(path, medium);
          Region region = Words.open(file.memory())) {
        assertThat(Thread.interrupted()).as("set after opening").isTrue();
        if (opening == 0) {
          Words.create(region, 1);
        }
        assertThat(Words.read(region, 0)).isEqualTo(opening);
        Words.atomically(() -> Words.write(region, 0, Words.read(region, 0) + 1));
      }
      assertThat(Thread.interrupted()).as("set after closing").isTrue();
    }
  }
}
