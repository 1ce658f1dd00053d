package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.core.Durability;
import io.holdfast.core.disk.Disk;
import io.holdfast.core.fixture.InMemory;
import io.holdfast.core.memory.RegionFile;
import io.holdfast.core.redo.Disks;
import io.holdfast.testkit.CutDisk;
import io.holdfast.testkit.ForwardingDisk;
import io.holdfast.testkit.TestForm;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Cuts the power in the middle of each call by which a store on a disk changes its files, and
/// opens what it left: P1, P6 and P7 on a disk. The promises of the redo log that this shows:
/// WAL-1, CHECK-1, CHECK-2, CHECK-3, CUT-2, BEGIN-1, END-1, NOTE-1.
class DiskCrashTest {
  private static final Holdfast.Options ON_DISK =
      Holdfast.Options.defaults().durability(Durability.POWER_FAILURE);

  @TempDir(factory = InMemory.class)
  Path directory;

  private Path path;
  private Path images;

  /// What a cut leaves is looked at in a thread that is in no section.
  private final ExecutorService looker = Executors.newSingleThreadExecutor();

  private final List<Throwable> violations = new ArrayList<>();
  private volatile long begun;
  private volatile long acknowledged;

  @BeforeEach
  void prepare() throws IOException {
    images = Files.createDirectory(directory.resolve("images"));
    path = directory.toRealPath().resolve("s.hf");
    Holdfast.open(path).close();
  }

  @AfterEach
  void end() {
    looker.shutdown();
  }

  private CutDisk disk(int imagesEach, long seed, boolean isMemory) throws IOException {
    CutDisk disk = new CutDisk(images, imagesEach, seed, this::lookAt, isMemory);
    disk.knows(path);
    return disk;
  }

  private void lookAt(Path image) {
    long least = acknowledged;
    long most = begun;
    try {
      looker.submit(() -> check(image, least, most)).get();
    } catch (Exception e) {
      violations.add(e);
    }
  }

  private static void check(Path image, long least, long most) {
    try (Holdfast store = Holdfast.open(image.resolve("s.hf"), ON_DISK)) {
      ChangedTogether things = new ChangedTogether(store);
      long last = things.check();
      assertThat(last).as("the last change").isBetween(least, most);
      things.change(last + 1); // it is used on
      assertThat(things.check()).isEqualTo(last + 1);
    }
  }

  private void run(Disk disk, int changes) {
    try (RegionFile file =
            RegionFile.openOn(path, Disks.logged(disk, 4 << 20, Durability.POWER_FAILURE));
        Holdfast store = Holdfast.over(file.memory())) {
      ChangedTogether things = new ChangedTogether(store);
      for (long i = acknowledged + 1; i <= changes; i++) {
        begun = i;
        things.change(i);
        acknowledged = i;
      }
    }
    if (!violations.isEmpty()) {
      throw new AssertionError(violations.size() + " violations", violations.getFirst());
    }
  }

  @Test
  void p6WhatReturnedIsThere() throws IOException {
    CutDisk disk = disk(3, 1, false);
    run(disk, TestForm.count(16, 40));
    assertThat(disk.images()).isGreaterThan(100);
  }

  @Test
  void lines1ALossOfPowerOfPersistentMemory() throws IOException {
    CutDisk disk = disk(3, 1, true);
    run(disk, TestForm.count(16, 40));
    assertThat(disk.images()).isGreaterThan(100);
  }

  /// Of an opening three, of the checkpoint of a closing one, and its end's two.
  static IntStream syncs() {
    return IntStream.rangeClosed(1, 6);
  }

  /// A process ends at each of its syncs of the file in turn, and the next one goes on.
  @ParameterizedTest
  @MethodSource("syncs")
  void found1WhatAnEarlierOpeningHasWritten(int failing) throws IOException {
    CutDisk disk = disk(TestForm.count(1, 3), failing, false);
    AtomicInteger forces = new AtomicInteger();
    Disk ending =
        new ForwardingDisk(disk) {
          @Override
          protected void call(Change change, Path file, long at, ByteBuffer from, Call call)
              throws IOException {
            if (change == Change.FORCE
                && file.getFileName().equals(path.getFileName())
                && forces.incrementAndGet() >= failing) {
              throw new IOException("the end");
            }
            call.make(from);
          }
        };
    assertThatThrownBy(() -> run(ending, 1)).hasMessageContaining("the end");
    run(disk, 3);
  }
}
