package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.Durability;
import io.holdfast.core.RegionAccessException;
import io.holdfast.core.RegionFullException;
import io.holdfast.core.disk.Disk;
import io.holdfast.core.fixture.FaultyDisk;
import io.holdfast.core.fixture.FaultyDisk.Fault;
import io.holdfast.core.fixture.InMemory;
import io.holdfast.core.memory.RegionFile;
import io.holdfast.core.redo.Disks;
import io.holdfast.testkit.ForwardingDisk;
import io.holdfast.testkit.ForwardingDisk.Change;
import io.holdfast.testkit.TestForm;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A store on a disk changes its files by some hundred calls. Each of them fails once, in one of
/// four ways (FAIL-1). The exception names the file. When the store is opened again, it has all
/// changes that had returned, and none after the one that failed.
@Timeout(600)
class DiskFailureTest {
  private static final Holdfast.Options ON_DISK =
      Holdfast.Options.defaults().durability(Durability.POWER_FAILURE);

  /// So many that checkpoints are made.
  private static final int CHANGES = 100;

  private static final int LOG_BYTES = 4 << 20;

  @TempDir(factory = InMemory.class)
  Path directory;

  private long begun;
  private long acknowledged;

  private Path newStore(String name) throws IOException {
    Path path = Files.createDirectory(directory.resolve(name)).resolve("s.hf");
    Holdfast.open(path).close();
    begun = 0;
    acknowledged = 0;
    return path;
  }

  /// @return whether nothing has failed
  private boolean run(Path path, Disk disk) {
    try (RegionFile file =
            RegionFile.openOn(path, Disks.logged(disk, LOG_BYTES, Durability.POWER_FAILURE));
        Holdfast store = Holdfast.over(file.memory())) {
      ChangedTogether things = new ChangedTogether(store);
      for (long i = acknowledged + 1; i <= CHANGES; i++) {
        begun = i;
        things.change(i);
        acknowledged = i;
      }
      return true;
    } catch (RegionAccessException | RegionFullException e) {
      assertThat(e).hasMessageContaining(path.getFileName().toString());
      return false;
    }
  }

  private void check(Path path) {
    try (Holdfast store = Holdfast.open(path, ON_DISK)) {
      ChangedTogether things = new ChangedTogether(store);
      long last = things.check();
      assertThat(last).as("the last change").isBetween(acknowledged, begun);
      things.change(last + 1);
      assertThat(things.check()).isEqualTo(last + 1);
    }
  }

  private static Fault fault(int call) {
    return Fault.values()[call % Fault.values().length];
  }

  @Test
  void whatReturnedIsThereBehindEachFailedCall() throws IOException {
    FaultyDisk sound = new FaultyDisk(Disk.local());
    assertThat(run(newStore("sound"), sound)).isTrue();
    int calls = sound.calls().size();
    int failed = 0;
    for (int call = 1; call <= calls; call += TestForm.count(23, 2)) {
      FaultyDisk disk = new FaultyDisk(Disk.local());
      disk.fail(call, fault(call));
      Path path = newStore("call" + call);
      failed += run(path, disk) ? 0 : 1;
      check(path);
    }
    assertThat(failed).isGreaterThan(TestForm.count(3, 45));
  }

  /// A creation whose log has a batch already when it fails leaves both files.
  @Test
  void logN1ACreationThatHasFailedIsRepeated() throws IOException {
    boolean hasFailed = true;
    for (int call = 1; hasFailed; call++) {
      Path path = Files.createDirectory(directory.resolve("creation" + call)).resolve("s.hf");
      FaultyDisk disk = new FaultyDisk(Disk.local());
      disk.fail(call, fault(call));
      try (RegionFile file =
          RegionFile.openOn(path, Disks.logged(disk, LOG_BYTES, Durability.POWER_FAILURE))) {
        create(file);
      } catch (RegionAccessException | RegionFullException e) {
        assertThat(e).hasMessageContaining(path.getFileName().toString());
      }
      hasFailed = disk.hasFailed();
      try (Holdfast store = Holdfast.open(path, ON_DISK)) {
        new ChangedTogether(store).change(1);
      }
    }
  }

  /// As `Holdfast.open`.
  private static void create(RegionFile file) {
    Holdfast store;
    try {
      store = Holdfast.over(file.memory());
    } catch (RuntimeException e) {
      file.abandon();
      throw e;
    }
    store.close();
  }

  /// BEGIN-1: what the store was open for before may have left its pages to the system.
  @Test
  void begin1TheFileIsSyncedFirst() throws IOException {
    Path path = newStore("begun").toRealPath();
    List<Change> calls = Collections.synchronizedList(new ArrayList<>());
    Disk disk =
        new ForwardingDisk(Disk.local()) {
          @Override
          protected void call(Change change, Path file, long at, ByteBuffer from, Call call)
              throws IOException {
            if (file.equals(path)) {
              calls.add(change);
            }
            call.make(from);
          }
        };
    assertThat(run(path, disk)).isTrue();
    assertThat(calls).startsWith(Change.FORCE, Change.WRITE);
  }

  @Test
  void whatReturnedIsThereBehindEachFailedCallOfRecovery() throws IOException {
    recoveryFails(
        (disk, call) -> {
          disk.fail(call, fault(call));
          return disk::hasFailed;
        });
  }

  @Test
  void whatReturnedIsThereBehindEachFailedReadOfRecovery() throws IOException {
    int reads =
        recoveryFails(
            (disk, read) -> {
              disk.failRead(read);
              return disk::hasFailedRead;
            });
    assertThat(reads).as("the log, its batches, the streams").isGreaterThan(3);
  }

  private interface Failure {
    /// @return whether it has failed
    BooleanSupplier prepare(FaultyDisk disk, int call);
  }

  /// @return how many times it has failed
  private int recoveryFails(Failure failure) throws IOException {
    Path crashed = newStore("crashed");
    FaultyDisk first = new FaultyDisk(Disk.local());
    first.fail(60, Fault.SHORT);
    assertThat(run(crashed, first)).isFalse();
    long left = acknowledged;
    long most = begun;
    boolean hasFailed = true;
    int call = 0;
    while (hasFailed) {
      call++;
      Path path = newStore("recovery" + call);
      Files.copy(crashed, path, StandardCopyOption.REPLACE_EXISTING);
      for (String beside : List.of("s.hf.log", "s.hf.live")) {
        Files.copy(crashed.resolveSibling(beside), path.resolveSibling(beside));
      }
      acknowledged = left;
      begun = most;
      FaultyDisk disk = new FaultyDisk(Disk.local());
      BooleanSupplier failed = failure.prepare(disk, call);
      try (RegionFile file =
              RegionFile.openOn(path, Disks.logged(disk, LOG_BYTES, Durability.POWER_FAILURE));
          Holdfast store = Holdfast.over(file.memory())) {
        assertThat(new ChangedTogether(store).check()).isBetween(left, most);
      } catch (RegionAccessException | RegionFullException e) {
        assertThat(e).hasMessageContaining(path.getFileName().toString());
      }
      hasFailed = failed.getAsBoolean();
      check(path);
    }
    return call - 1;
  }
}
