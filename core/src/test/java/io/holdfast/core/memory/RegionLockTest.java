package io.holdfast.core.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.core.RegionLockedException;
import io.holdfast.core.StoreClosedException;
import io.holdfast.core.persistence.PageCache;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Threads of one process at one file, whose kernel lock would not keep them apart.
class RegionLockTest {
  @TempDir Path directory;

  private Path file() throws IOException {
    return Files.createFile(directory.resolve("file.hf")).toRealPath();
  }

  @Test
  void oneOfManyOpensIt() throws Exception {
    int threads = 4;
    Path path = file();
    CyclicBarrier start = new CyclicBarrier(threads);
    for (int round = 0; round < 50; round++) {
      List<FutureTask<RegionLock>> tasks = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        tasks.add(
            new FutureTask<>(
                () -> {
                  start.await();
                  return acquire(path);
                }));
      }
      tasks.forEach(task -> Thread.ofPlatform().daemon().start(task));
      List<RegionLock> acquired = new ArrayList<>();
      for (FutureTask<RegionLock> task : tasks) {
        RegionLock lock = task.get();
        if (lock != null) {
          acquired.add(lock);
        }
      }
      assertThat(acquired).hasSize(1);
      acquired.getFirst().release();
    }
  }

  private static RegionLock acquire(Path path) {
    try {
      return RegionLock.acquire(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
    } catch (RegionLockedException e) {
      assertThat(e).hasMessageContaining("already open in this process");
      return null;
    }
  }

  @Test
  void lock5AnAbandonedLockIsNobodys() throws Exception {
    Path path = file();
    RegionLock abandoned = acquire(path);
    MappedMemory memory = new MappedMemory(path, 0, new PageCache());
    memory.grow(RegionFile.INITIAL_BYTES);
    abandoned.protect(memory, () -> memory);
    assertThat(acquire(path)).isNull();
    memory.writePlain(0, 1);
    abandoned.abandoned = true; // all that its holder came to
    assertThat(RegionLock.holder(path)).isNull();
    assertThatThrownBy(() -> memory.writePlain(0, 2)).isInstanceOf(StoreClosedException.class);
    RegionLock next = acquire(path);
    assertThat(next).isNotNull();
    abandoned.release();
    assertThat(acquire(path)).as("the next one's is its own").isNull();
    next.release();
  }

  /// Who looks whether somebody has the file open hinders nobody, and sees him or nobody.
  @Test
  void whoLooksDoesNotHinder() throws Exception {
    Path path = file();
    AtomicBoolean done = new AtomicBoolean();
    FutureTask<Void> looks =
        new FutureTask<>(
            () -> {
              while (!done.get()) {
                assertThat(RegionLock.holder(path))
                    .isIn(null, "pid=" + ProcessHandle.current().pid());
              }
              return null;
            });
    Thread.ofPlatform().daemon().start(looks);
    for (int i = 0; i < 2_000 && !looks.isDone(); i++) {
      RegionLock.acquire(path, StandardOpenOption.READ, StandardOpenOption.WRITE).release();
    }
    done.set(true);
    looks.get();
  }
}
