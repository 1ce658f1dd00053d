package io.holdfast.core.memory;

import io.holdfast.core.RegionAccessException;
import io.holdfast.core.RegionLockedException;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

/// One opener at a time, by three means. Each holds where another one fails.
///
/// - **LOCK-1** In one JVM, whichever class loaders there are: the JDK's table of file locks, which
///   they share. The opener keeps a lock on one byte of the region, far behind its end, and the JDK
///   refuses a second one (`OverlappingFileLockException`). It is a shared lock, so no other
///   process hinders it. That the kernel drops it when the process closes a stream on the region
///   does not matter: the JDK's table does not.
/// - **LOCK-2** Among processes: a kernel lock on a companion file ({@link LockFile}), which dies
///   with its owner. It is taken after LOCK-1, since a second attempt in this JVM that opened and
///   closed the companion would release the first one's lock (FACTS 6, 21).
/// - **OWNER-1** Among processes where the kernel lock was lost: a note in the region ({@link
///   RegionOwner}). It is read before the companion is opened, and again with the lock held.
///
/// The companion locks a name, the other two the file itself: a file that is renamed while it is
/// open, or seen through a second mount, is open all the same. Links are followed first, and a file
/// with a second hard link is refused ({@link RegionFile}).
final class RegionLock {
  private static final Logger LOG = System.getLogger("io.holdfast");

  /// Companions that this class loader's openers hold: one may be held for a file that had its name
  /// before.
  private static final Set<Path> HELD_HERE = new HashSet<>();

  /// Where no file has a byte.
  private static final long JVM_BYTE = 1L << 62;

  /// A millisecond apart: a look ({@link #holder}) by another class loader takes some microseconds.
  private static final int ATTEMPTS = 3;

  private final Path path;
  private final Path companion;
  private final FileChannel region, lockFile;

  /// LOCK-1, LOCK-2. The JDK's table forgets a lock that nobody refers to.
  private final FileLock inJvm, amongProcesses;

  private boolean released;

  private RegionLock(Path path, FileChannel region, FileLock inJvm, FileLock amongProcesses) {
    this.path = path;
    this.companion = LockFile.of(path);
    this.region = region;
    this.inJvm = inJvm;
    this.amongProcesses = amongProcesses;
    this.lockFile = amongProcesses.channel();
  }

  /// Locks a region that exists, at its real path.
  ///
  /// @param access how the region is opened
  /// @throws RegionLockedException if it is open elsewhere, or here
  static RegionLock acquire(Path path, OpenOption... access) {
    RegionLock lock;
    synchronized (HELD_HERE) {
      lock = acquireHere(path, access);
    }
    try {
      // It may wait for an answer, and keeps no other region waiting.
      Uninterrupted.run("read the owner of", path, () -> RegionOwner.refuse(path));
      return lock;
    } catch (RuntimeException | Error e) {
      lock.release();
      throw e;
    }
  }

  private static RegionLock acquireHere(Path path, OpenOption... access) {
    Path companion = LockFile.of(path);
    if (!HELD_HERE.add(companion)) {
      throw openHere(path);
    }
    RegionLock[] acquired = new RegionLock[1];
    try {
      Uninterrupted.run("lock", path, () -> acquired[0] = tryAcquire(path, access));
    } finally {
      if (acquired[0] == null) {
        HELD_HERE.remove(companion);
      }
    }
    return acquired[0];
  }

  private static RegionLock tryAcquire(Path path, OpenOption... access) throws IOException {
    FileChannel region = FileChannel.open(path, access);
    FileLock amongProcesses = null;
    RegionLock acquired = null;
    try {
      FileLock inJvm = lockInJvm(region);
      RegionOwner owner = RegionOwner.living(path);
      if (owner != null) {
        throw owner.locked(path);
      }
      amongProcesses = LockFile.lock(path);
      acquired = new RegionLock(path, region, inJvm, amongProcesses);
      return acquired;
    } catch (OverlappingFileLockException e) {
      throw openHere(path);
    } finally {
      if (acquired == null) { // also if memory has run out
        region.close();
        if (amongProcesses != null) {
          amongProcesses.channel().close();
        }
      }
    }
  }

  private static RegionLockedException openHere(Path path) {
    return new RegionLockedException(
        "%s: the region is already open in this process: pid=%d. Use the store that is open, or close it first"
            .formatted(path, ProcessHandle.current().pid()));
  }

  /// LOCK-1. Test: LostLockTest.lock1ASecondClassLoaderIsRefused.
  ///
  /// @return `null` if another program has locked the byte for itself alone; then a second opener
  ///   in this JVM is found by the companion
  /// @throws OverlappingFileLockException if somebody in this JVM has it
  private static FileLock lockInJvm(FileChannel region) throws IOException {
    for (int i = 1; ; i++) {
      try {
        return region.tryLock(JVM_BYTE, 1, true);
      } catch (OverlappingFileLockException e) {
        if (i == ATTEMPTS) {
          throw e;
        }
        LockSupport.parkNanos(1_000_000);
      }
    }
  }

  /// Which process has a region open; `null` if none has, or that can't be known.
  ///
  /// To see a kernel lock one has to try it ({@link LockFile#holder}), so it is for regions that
  /// were not closed, whose lock is as a rule held, or not about to be.
  ///
  /// @param path the region's real path
  static String holder(Path path) throws IOException {
    synchronized (HELD_HERE) {
      Path companion = LockFile.of(path);
      String own = "pid=" + ProcessHandle.current().pid();
      if (HELD_HERE.contains(companion)) {
        return own; // opening the companion would let go of it
      }
      try (FileChannel region = FileChannel.open(path, StandardOpenOption.READ)) {
        lockInJvm(region); // until the channel is closed
        RegionOwner owner = RegionOwner.living(path);
        if (owner != null) {
          return owner.process().toString();
        }
        return Files.isRegularFile(companion, LinkOption.NOFOLLOW_LINKS)
                && Files.isReadable(companion)
            ? LockFile.holder(companion)
            : null;
      } catch (OverlappingFileLockException e) {
        return own;
      }
    }
  }

  void release() {
    release(null);
  }

  /// Lets go. Idempotent: by the second call the region may be another store's, whose entry in the
  /// table is not this one's to remove.
  ///
  /// @param owner the note in the region, to be taken away; `null` if there is none
  void release(RegionOwner owner) {
    synchronized (HELD_HERE) {
      if (released) {
        return;
      }
      released = true;
      // The note before the locks, or it could be the next one's. Both channels' locks go with
      // them, and what can't be closed goes with the process.
      try (lockFile;
          region) {
        if (owner != null) {
          Uninterrupted.run("take the owner's note from", path, () -> clear(owner));
        }
      } catch (IOException | RegionAccessException e) {
        LOG.log(
            Level.WARNING,
            "%s: cannot take the owner's note away, or close the lock file. Other processes may be refused the region until this one ends"
                .formatted(path),
            e);
      } finally {
        HELD_HERE.remove(companion);
      }
    }
  }

  /// In the file that was opened, whatever name it has by now, unless an interrupt has closed that.
  private void clear(RegionOwner owner) throws IOException {
    if (region.isOpen()) {
      owner.clear(region);
      return;
    }
    try (FileChannel again =
        FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      owner.clear(again);
    }
  }
}
