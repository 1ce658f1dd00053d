package io.holdfast;

import io.holdfast.core.RegionAccessException;
import io.holdfast.core.memory.LiveCopy;
import io.holdfast.core.memory.RegionFile;
import io.holdfast.core.recovery.Region;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;

/// Makes a copy of a region in use ({@link LiveCopy}), recovers and closes it, and gives it its
/// name.
///
/// **BACKUP-1** What has the copy's name is whole, closed and durable. Test:
/// BackupTest.backup1NothingIsLeftOfOneThatFails.
final class Backup {
  private final Region region;
  private final Path from;
  private final Path to;
  private final Path part;

  Backup(Region region, Path to) {
    this.region = region;
    this.from = Path.of(region.memory().name());
    this.to = to.toAbsolutePath();
    this.part = this.to.resolveSibling(this.to.getFileName() + ".part");
  }

  BackupReport make(long bytesPerSecond) {
    long started = System.nanoTime();
    region.sections().checkUsable();
    boolean done = false;
    try {
      if (Files.exists(to)) {
        throw new RegionAccessException(
            "%s: there is a file of this name. Nothing was touched; name another one, or move it away"
                .formatted(to));
      }
      Files.createFile(part);
      try {
        LiveCopy copy =
            new LiveCopy(region.memory(), from, bytesPerSecond, region.sections()::checkUsable);
        LiveCopy.Report report = copy.to(part);
        recover();
        name();
        done = true;
        return new BackupReport(
            to,
            Files.size(to),
            report.copied(),
            report.rounds(),
            report.held(),
            Duration.ofNanos(System.nanoTime() - started));
      } finally {
        if (!done) {
          Files.deleteIfExists(part);
        }
        Files.deleteIfExists(part.resolveSibling(part.getFileName() + ".lock"));
      }
    } catch (IOException e) {
      throw new RegionAccessException(
          "%s: cannot make a backup as %s: %s. The store is as it was; make room or name another file, and call again"
              .formatted(from, to, e),
          e);
    }
  }

  private void recover() {
    try (RegionFile file = RegionFile.open(part)) {
      Region.recoverAndClose(file.memory());
    }
  }

  private void name() throws IOException {
    force(part, StandardOpenOption.WRITE);
    Files.move(part, to, StandardCopyOption.ATOMIC_MOVE);
    force(to.getParent(), StandardOpenOption.READ);
  }

  private static void force(Path path, StandardOpenOption access) throws IOException {
    try (FileChannel channel = FileChannel.open(path, access)) {
      channel.force(true);
    }
  }
}
