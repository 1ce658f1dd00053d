package io.holdfast;

import io.holdfast.core.RegionAccessException;
import io.holdfast.core.memory.LiveCopy;
import io.holdfast.core.memory.MappedMemory;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.memory.NewFile;
import io.holdfast.core.persistence.PageCache;
import io.holdfast.core.recovery.Region;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/// Makes a copy of a region in use ({@link LiveCopy}), recovers and closes it, and gives it its
/// name.
///
/// **BACKUP-1** What has the copy's name is whole, closed and durable ({@link NewFile}). Test:
/// BackupTest.backup1NothingIsLeftOfOneThatFails.
final class Backup {
  private final Region region;
  private final Path from;
  private final Path to;

  Backup(Region region, Path to) {
    this.region = region;
    this.from = Path.of(region.memory().name());
    this.to = to.toAbsolutePath();
  }

  /// In a thread of its own, which nobody else knows: an interrupt would close the files that its
  /// thread copies. The calling thread's is kept. Test: InterruptsTest.aBackupIsMadeInSpiteOfThem.
  BackupReport make(long bytesPerSecond) {
    region.sections().checkUsable();
    FutureTask<BackupReport> copying = new FutureTask<>(() -> copy(bytesPerSecond));
    Thread.ofPlatform().daemon().name("holdfast-backup").start(copying);
    boolean isInterrupted = false;
    try {
      while (true) {
        try {
          return copying.get();
        } catch (InterruptedException e) {
          isInterrupted = true;
        }
      }
    } catch (ExecutionException e) {
      throw thrown(e.getCause());
    } finally {
      if (isInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static RuntimeException thrown(Throwable cause) {
    if (cause instanceof Error error) {
      throw error;
    }
    return (RuntimeException) cause; // copy declares no other
  }

  private BackupReport copy(long bytesPerSecond) {
    long started = System.nanoTime();
    try (NewFile file = NewFile.of(to, from)) {
      LiveCopy copy =
          new LiveCopy(region.memory(), from, bytesPerSecond, region.sections()::checkUsable);
      LiveCopy.Report report = copy.to(file.part());
      recover(file.part());
      file.publish();
      return new BackupReport(
          to,
          Files.size(to),
          report.copied(),
          report.rounds(),
          report.held(),
          Duration.ofNanos(System.nanoTime() - started));
    } catch (IOException e) {
      throw new RegionAccessException(
          "%s: cannot make a backup as %s: %s. The store is as it was; make room or name another file, and call again"
              .formatted(from, to, e),
          e);
    }
  }

  private static void recover(Path part) throws IOException {
    Memory memory = new MappedMemory(part, Files.size(part), new PageCache());
    try {
      Region.recoverAndClose(memory);
    } finally {
      memory.close();
    }
  }
}
