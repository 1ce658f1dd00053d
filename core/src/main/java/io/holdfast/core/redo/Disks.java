package io.holdfast.core.redo;

import io.holdfast.core.Durability;
import io.holdfast.core.disk.Disk;
import io.holdfast.core.disk.RemoteFileSystems;
import io.holdfast.core.memory.FlushMode;
import io.holdfast.core.memory.Medium;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.memory.RegionFile;
import io.holdfast.core.memory.RegionHeader;
import io.holdfast.core.persistence.PersistentMemory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// The media of regions on disks and on persistent memory, by the failure to survive.
///
/// Persistent memory needs no log: what was stored is durable a write-back and a fence later. But a
/// store whose operations may return before that has a log there, too: then no thread of the
/// program waits for the medium at all, and the thread of the log waits once for all of some 50 ms.
/// It is what Gogte and others call decoupled (section 5), without an undo entry that is flushed
/// before its store.
public final class Disks {
  private Disks() {}

  /// For crashes of the process: the page cache. What was left in a log comes to be in the file.
  public static Medium processCrash() {
    return file -> {
      LoggedFile.complete(Disk.local(), file);
      return Medium.pageCache().open(file);
    };
  }

  /// A disk with a log: the test kit's way in.
  ///
  /// @param logBytes of a new log, at least 4 MiB
  /// @param acknowledged what is survived when an operation returns
  public static Medium logged(Disk disk, int logBytes, Durability acknowledged) {
    return file -> LoggedFile.open(disk, file, logBytes, ImageBudget.OF_MEMORY, acknowledged);
  }

  /// Completes a memory that has the bytes of a region's file, if that needs its log. Writes
  /// nothing to either file.
  ///
  /// @return whether it was completed
  /// @throws io.holdfast.core.RegionFormatException if the log is missing, or is another one's; or
  ///   if there is nothing in the file, and its log has been used
  /// @throws io.holdfast.core.RegionDamagedException if it is damaged
  public static boolean complete(Path file, Memory memory) throws IOException {
    boolean isWithLog = RegionHeader.isWithLog(memory);
    if (isWithLog) {
      LoggedFile.replay(file.toRealPath(), memory);
    } else if (RegionHeader.isUnfinishedCreation(memory, RegionFile.INITIAL_BYTES)) {
      LoggedFile.requireUnused(Disk.localToRead(), file.toRealPath());
    }
    return isWithLog;
  }

  /// For losses of power: on persistent memory its write-backs, if operations are to survive one
  /// when they return; else a log.
  ///
  /// @param isDeclared whether the caller vouches for it that what has left the processor's caches
  ///   survives, though the file is not on persistent memory
  /// @param acknowledged what is survived at least when an operation returns
  public static Medium powerFailure(boolean isDeclared, Durability acknowledged) {
    return file -> {
      boolean isDisk = !isDeclared && !PersistentMemory.isDax(file);
      if (isDisk && RemoteFileSystems.hold(file)) {
        throw new UnsupportedOperationException(
            "%s: durability=POWER_FAILURE on a network file system: type=%s. Whether a write is durable there, its server alone knows. Have the store on a disk of this machine, or use PROCESS_CRASH. The file was not touched"
                .formatted(file, Files.getFileStore(file).type()));
      }
      Disk disk = isDisk ? Disk.local() : new MemoryDisk(PersistentMemory.domainOf(file));
      if (isDisk || acknowledged != Durability.POWER_FAILURE) {
        return logged(disk, LoggedFile.LOG_BYTES, acknowledged).open(file);
      }
      LoggedFile.complete(disk, file);
      return Medium.of(PersistentMemory::domainOf, FlushMode.POSTED).open(file);
    };
  }
}
