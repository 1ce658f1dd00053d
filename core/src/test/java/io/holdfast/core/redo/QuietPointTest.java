package io.holdfast.core.redo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.holdfast.core.Durability;
import io.holdfast.core.disk.Disk;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.memory.RegionFile;
import io.holdfast.core.memory.RegionLayout;
import io.holdfast.core.region.Region;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class QuietPointTest {
  private static final int PAGE = RegionLayout.PAGE_BYTES;

  /// So small that there are checkpoints while threads store.
  private static final int LOG_BYTES = 4 << 20;

  /// And the image is renewed.
  private static final ImageBudget BUDGET = new ImageBudget(100, Integer.MAX_VALUE);

  private static final long START = RegionFile.INITIAL_BYTES;
  private static final int PAGES = 300;
  private static final int THREADS = 3;

  @TempDir Path directory;
  private Path path;

  @BeforeEach
  void name() {
    path = directory.resolve("r.hf");
  }

  private RegionFile open(Durability acknowledged) {
    return RegionFile.openOn(
        path, file -> LoggedFile.open(Disk.local(), file, LOG_BYTES, BUDGET, acknowledged));
  }

  /// Stores of all kinds, to pages that all threads have words in: each thread has its own lines,
  /// and all share the last word.
  private static void store(Memory memory, int thread, Random random) {
    long page = START + (long) random.nextInt(PAGES) * PAGE;
    long line = page + 64L * (THREADS * random.nextInt(20) + thread);
    switch (random.nextInt(8)) {
      case 0 -> memory.writePlain(line, random.nextLong());
      case 1 -> memory.writeRelease(line + 8, random.nextLong());
      case 2 -> memory.writeLoggedByte(line + random.nextInt(64), (byte) random.nextInt());
      case 3 -> memory.writeEntryRelease(line + 32, 1, 2, random.nextLong(), 4);
      case 4 -> memory.zeroPlain(line, 64);
      case 5 -> {
        byte[] bytes = new byte[random.nextInt(64)];
        random.nextBytes(bytes);
        memory.writeBytesPlain(line, bytes, 0, bytes.length);
      }
      case 6 -> {
        synchronized (memory) { // the same word as others, one after the other
          memory.writePlain(page + PAGE - 8, random.nextLong());
        }
      }
      default -> { // whole pages of its own, across their edges
        byte[] bytes = new byte[random.nextInt(3 * PAGE)];
        random.nextBytes(bytes);
        memory.writeBytesPlain(
            START + (PAGES + 4L * thread) * PAGE + random.nextInt(PAGE), bytes, 0, bytes.length);
      }
    }
    if (random.nextInt(50) == 0) {
      memory.acknowledge();
    }
  }

  private static void storeAtOnce(Memory memory, int stores, long seed)
      throws InterruptedException {
    List<Thread> all = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      int thread = i;
      all.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    Random random = new Random(seed + thread);
                    for (int n = 0; n < stores; n++) {
                      store(memory, thread, random);
                    }
                  }));
    }
    for (Thread each : all) {
      each.join();
    }
  }

  /// QUIET-1, REDO-3, CHECK-1, CHECK-4, REMAP-2: rounds of threads that store all at once, with
  /// checkpoints while they do and between; and what is opened again.
  @Test
  void quiet1TheImageIsTheFileAndItsLog() throws Exception {
    for (int opening = 0; opening < 3; opening++) {
      Durability acknowledged = Durability.values()[opening % 2];
      try (RegionFile file = open(acknowledged);
          Region _ = Region.open(file.memory(), START)) {
        RedoMemory memory = (RedoMemory) file.memory();
        assertThat(QuietPoint.difference(path)).isEmpty();
        memory.grow(START + (PAGES + 4L * THREADS) * PAGE);
        for (int round = 0; round < 6; round++) {
          storeAtOnce(memory, 1_500, 100L * opening + 10 * round);
          if (round % 3 == 1) {
            memory.log().checkpoint();
          }
          assertThat(QuietPoint.difference(path)).isEmpty();
        }
      }
    }
  }

  /// What the log lacks, and the file has otherwise, is told.
  @Test
  void whatDiffersIsTold() throws IOException {
    try (RegionFile file = open(Durability.POWER_FAILURE);
        Region _ = Region.open(file.memory(), START)) {
      RedoMemory memory = (RedoMemory) file.memory();
      long offset = START / 2 + 8;
      memory.writePlain(offset, 7);
      memory.log().checkpoint();
      try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
        channel.write(ByteBuffer.wrap(new byte[] {9}), offset);
      }
      assertThat(QuietPoint.difference(path))
          .endsWith("offset=0x80008, image=0x0000000000000007, replay=0x0000000000000009");
      memory.writePlain(offset, 8);
      assertThat(QuietPoint.difference(path)).as("it is in the log again").isEmpty();
    }
  }

  @Test
  void aRegionWithoutALogIsRefused() throws IOException {
    try (RegionFile file = RegionFile.open(path);
        Region _ = Region.open(file.memory(), START)) {
      assertThatIllegalArgumentException().isThrownBy(() -> QuietPoint.difference(path));
    }
    assertThatIllegalArgumentException().isThrownBy(() -> QuietPoint.difference(path));
  }
}
