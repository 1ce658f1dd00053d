package io.holdfast.recovery;

import io.holdfast.core.RegionAccessException;
import io.holdfast.core.RegionDamagedException;
import io.holdfast.core.memory.MappedMemory;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.memory.NewFile;
import io.holdfast.core.memory.PrivateThread;
import io.holdfast.core.memory.RegionFile;
import io.holdfast.core.memory.RegionHeader;
import io.holdfast.core.persistence.PageCache;
import io.holdfast.core.redo.Disks;
import io.holdfast.core.region.Region;
import io.holdfast.recovery.VerifyReport.Verdict;
import io.holdfast.verification.AfterSystemCrash;
import io.holdfast.verification.OverlayMemory;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// Copies a region that is not in use, as a backup and back again. For one in use there is {@link
/// io.holdfast.Holdfast#backup}.
///
/// The copy is recovered if the region was not closed, is closed, durable, and then gets its name
/// (BACKUP-1, {@link NewFile}). What is copied is not changed.
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
    return PrivateThread.call("holdfast-copy", () -> make(file, to, progress));
  }

  private static long make(Path file, Path to, Progress progress) {
    Runnable release = RegionFile.hold(file);
    try (NewFile made = NewFile.of(to, file)) {
      copy(file, made.part(), progress);
      recover(made.part(), file);
      made.publish();
      return Files.size(to);
    } catch (IOException e) {
      throw new RegionAccessException(
          "%s: cannot be copied to %s: %s. Make room, or name another file".formatted(file, to, e),
          e);
    } finally {
      release.run();
    }
  }

  /// Takes what is not closed back to its last consistent cut, and closes it.
  ///
  /// @param origin the file that it is a copy of: its log may have something more
  static void recover(Path part, Path origin) throws IOException {
    Memory memory = new MappedMemory(part, Files.size(part), new PageCache());
    try {
      if (Disks.complete(origin, memory)) {
        RegionHeader.rewrite(memory);
      }
      Region.recoverAndClose(memory);
    } finally {
      memory.close();
    }
  }

  private static void copy(Path from, Path to, Progress progress) throws IOException {
    OverlayMemory memory = OverlayMemory.of(from);
    long length;
    try {
      AfterSystemCrash.verifyIfNeeded(from, memory, false); // the copy says that it was closed
      length = RegionHeader.read(memory).length(); // LENGTH-1: what lies behind is nobody's
    } finally {
      memory.close();
    }
    try (FileChannel source = FileChannel.open(from, StandardOpenOption.READ);
        FileChannel target = FileChannel.open(to, StandardOpenOption.WRITE);
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
