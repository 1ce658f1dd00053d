package io.holdfast;

import io.holdfast.core.RegionAccessException;
import io.holdfast.core.memory.CopyPace;
import io.holdfast.core.memory.MappedMemory;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.memory.NewFile;
import io.holdfast.core.memory.PrivateThread;
import io.holdfast.core.memory.RegionCopy;
import io.holdfast.core.memory.RegionHeader;
import io.holdfast.core.persistence.PageCache;
import io.holdfast.core.region.Region;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/// Makes a copy of a region in use ({@link RegionCopy}), recovers and closes it, and gives it its
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

  /// Not by the calling thread, which may be interrupted. Test:
  /// InterruptsTest.aBackupIsMadeInSpiteOfThem.
  BackupReport make(long bytesPerSecond) {
    region.sections().checkUsable();
    return PrivateThread.call("holdfast-backup", () -> copy(bytesPerSecond));
  }

  private BackupReport copy(long bytesPerSecond) {
    long started = System.nanoTime();
    try (NewFile file = NewFile.of(to, from)) {
      CopyPace pace = new CopyPace(bytesPerSecond, region.sections()::checkUsable);
      RegionCopy.Report report = region.memory().copy(from, pace).to(file.part());
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
      if (RegionHeader.isWithLog(memory)) {
        RegionHeader.rewrite(memory); // its log has been replayed
      }
      Region.recoverAndClose(memory);
    } finally {
      memory.close();
    }
  }
}
