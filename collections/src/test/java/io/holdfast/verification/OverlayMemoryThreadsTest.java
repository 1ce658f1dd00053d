package io.holdfast.verification;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.memory.RegionLayout;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Threads that check parts of a region at once store to one overlay.
class OverlayMemoryThreadsTest {
  private static final int THREADS = 4;
  private static final int ROUNDS = 30;
  private static final int COUNT = 64;

  /// So long are the copies that the overlay makes.
  private static final int COPY_BYTES = 1 << 16;

  /// So long are the parts for which it has lists of copies.
  private static final int ROW_BYTES = 1 << 26;

  private static final long BYTES = 64L * ROW_BYTES;

  @TempDir Path directory;
  private Path path;

  @BeforeEach
  void create() throws Exception {
    path = directory.resolve("region.hf");
    try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
      file.setLength(BYTES); // without a block of the device
    }
  }

  @FunctionalInterface
  private interface Part {
    void run(OverlayMemory memory, int thread);
  }

  private void inManyThreads(int distance, Part part) throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      OverlayMemory memory = OverlayMemory.of(path);
      try {
        CyclicBarrier start = new CyclicBarrier(THREADS);
        List<FutureTask<Void>> tasks = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
          int thread = i;
          tasks.add(
              new FutureTask<>(
                  () -> {
                    start.await();
                    part.run(memory, thread);
                    return null;
                  }));
        }
        tasks.forEach(task -> Thread.ofPlatform().daemon().start(task));
        for (FutureTask<Void> task : tasks) {
          task.get();
        }
        for (int thread = 0; thread < THREADS; thread++) {
          for (int i = 0; i < COUNT; i++) {
            assertThat(memory.readPlain(wordOf(i, thread, distance))).isEqualTo(thread + 1);
          }
        }
      } finally {
        memory.close();
      }
    }
  }

  private static long wordOf(int i, int thread, int distance) {
    return (long) i * distance + thread * 8L;
  }

  private static void store(OverlayMemory memory, int thread, int distance) {
    for (int i = 0; i < COUNT; i++) {
      memory.writePlain(wordOf(i, thread, distance), thread + 1);
    }
  }

  @Test
  void eachCopyIsMadeOnce() throws Exception {
    inManyThreads(COPY_BYTES, (memory, thread) -> store(memory, thread, COPY_BYTES));
  }

  @Test
  void copiesStayWhenItGrows() throws Exception {
    inManyThreads(
        ROW_BYTES,
        (memory, thread) -> {
          if (thread == 0) {
            for (int i = 1; i <= 2_000; i++) {
              memory.grow(BYTES + (long) i * RegionLayout.SPAN_BYTES);
            }
          }
          store(memory, thread, ROW_BYTES);
        });
  }
}
