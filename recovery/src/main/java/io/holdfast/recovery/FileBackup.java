package io.holdfast.recovery;

import io.holdfast.core.RegionAccessException;
import io.holdfast.core.RegionDamagedException;
import io.holdfast.core.memory.RegionFile;
import io.holdfast.core.memory.RegionHeader;
import io.holdfast.core.recovery.Region;
import io.holdfast.recovery.VerifyReport.Verdict;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;

/// Copies a region that is not in use, as a backup and back again. For one in use there is {@link
/// io.holdfast.Holdfast#backup}.
///
/// The copy is made as `NAME.part`; it is recovered if the region was not closed, is closed,
/// durable, and then gets its name (BACKUP-1). What is copied is not changed.
public final class FileBackup {
  private static final long PIECE_BYTES = 8L << 20;

  private FileBackup() {}

  /// Makes a backup.
  ///
  /// @param to is made
  /// @return its length in bytes
  /// @throws io.holdfast.core.RegionLockedException if the region is in use
  /// @throws RegionDamagedException if it can't be recovered; what else is wrong is copied as it is
  /// @throws RegionAccessException if the new file exists, or the system refuses
  public static long backup(Path file, Path to, Progress progress) {
    Path part = to.resolveSibling(to.getFileName() + ".part");
    Runnable release = RegionFile.hold(file);
    boolean done = false;
    try {
      for (Path each : List.of(to, part)) {
        if (Files.exists(each)) {
          throw new RegionAccessException(
              "%s: there is a file of this name. Nothing was touched; name another one, or move it away"
                  .formatted(each));
        }
      }
      try {
        copy(file, part, progress);
        try (RegionFile copy = RegionFile.open(part)) {
          Region.recoverAndClose(copy.memory());
        }
        FileCopies.force(part);
        Files.move(part, to, StandardCopyOption.ATOMIC_MOVE);
        FileCopies.force(to.toAbsolutePath().getParent());
        done = true;
      } finally {
        if (!done) {
          FileCopies.deleteQuietly(part);
        }
        FileCopies.deleteQuietly(FileCopies.companion(part));
      }
      return Files.size(to);
    } catch (IOException e) {
      throw new RegionAccessException(
          "%s: cannot be copied to %s: %s. Make room, or name another file".formatted(file, to, e),
          e);
    } finally {
      release.run();
    }
  }

  private static void copy(Path from, Path to, Progress progress) throws IOException {
    OverlayMemory memory = OverlayMemory.of(from);
    long length;
    try {
      length = RegionHeader.read(memory).length(); // LENGTH-1: what lies behind is nobody's
    } finally {
      memory.close();
    }
    try (FileChannel source = FileChannel.open(from, StandardOpenOption.READ);
        FileChannel target =
            FileChannel.open(to, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        Progress.Task task = progress.begin("copy", length, "bytes")) {
      for (long at = 0; at < length; ) {
        long count = source.transferTo(at, Math.min(PIECE_BYTES, length - at), target);
        if (count <= 0) {
          throw new IOException("it became shorter: length=%d, expected=%d".formatted(at, length));
        }
        at += count;
        task.advance(count);
      }
    }
  }

  /// Puts a backup in place: verifies it, and copies it.
  ///
  /// @param file is made
  /// @param loader as for {@link Verification#verify(Path, ClassLoader, Progress)}
  /// @return what the verification found
  /// @throws RegionDamagedException if the backup is damaged; nothing was made
  /// @throws RegionAccessException if the file exists, or the system refuses
  public static VerifyReport restore(
      Path backup, Path file, ClassLoader loader, Progress progress) {
    VerifyReport report = Verification.verify(backup, loader, progress);
    if (report.verdict() == Verdict.DAMAGED) {
      throw new RegionDamagedException(
          "%s: the backup is damaged, and was not restored: %s. Take another one, or salvage this"
              .formatted(backup, report.faults().getFirst().message()));
    }
    backup(backup, file, progress);
    return report;
  }
}
