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
public final class Disks {
  private Disks() {}

  /// For crashes of the process: the page cache. What was left in a log comes to be in the file.
  public static Medium processCrash() {
    return file -> {
      LoggedFile.complete(file);
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
      LoggedFile.requireUnused(Disk.local(), file.toRealPath());
    }
    return isWithLog;
  }

  /// For losses of power: on persistent memory its write-backs, on a disk a log.
  ///
  /// @param isDeclared whether the caller vouches for it that what has left the processor's caches
  ///   survives, though the file is not on persistent memory
  /// @param acknowledged what is survived at least when an operation returns
  public static Medium powerFailure(boolean isDeclared, Durability acknowledged) {
    return file -> {
      if (!isDeclared && !PersistentMemory.isDax(file)) {
        if (RemoteFileSystems.hold(file)) {
          throw new UnsupportedOperationException(
              "%s: durability=POWER_FAILURE on a network file system: type=%s. Whether a write is durable there, its server alone knows. Have the store on a disk of this machine, or use PROCESS_CRASH. The file was not touched"
                  .formatted(file, Files.getFileStore(file).type()));
        }
        return logged(Disk.local(), LoggedFile.LOG_BYTES, acknowledged).open(file);
      }
      LoggedFile.complete(file);
      return Medium.of(PersistentMemory::domainOf, FlushMode.POSTED).open(file);
    };
  }
}
