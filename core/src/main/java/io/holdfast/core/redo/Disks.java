package io.holdfast.core.redo;

import io.holdfast.core.disk.Disk;
import io.holdfast.core.memory.FlushMode;
import io.holdfast.core.memory.Medium;
import io.holdfast.core.persistence.PersistentMemory;

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
  public static Medium logged(Disk disk) {
    return file -> LoggedFile.open(disk, file);
  }

  /// For losses of power: on persistent memory its write-backs, on a disk a log.
  ///
  /// @param isDeclared whether the caller vouches for it that what has left the processor's caches
  ///   survives, though the file is not on persistent memory
  public static Medium powerFailure(boolean isDeclared) {
    return file -> {
      if (!isDeclared && !PersistentMemory.isDax(file)) {
        return LoggedFile.open(Disk.local(), file);
      }
      LoggedFile.complete(file);
      return Medium.of(PersistentMemory::domainOf, FlushMode.HYBRID).open(file);
    };
  }
}
