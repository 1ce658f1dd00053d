package io.holdfast.core.memory;

import io.holdfast.core.RegionAccessException;
import io.holdfast.core.RegionLockedException;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

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
/// - OWNER-1: among processes where the kernel lock was lost: a note in the region ({@link
///   RegionOwner}). It is read before the companion is opened, and again with the lock held.
///
/// The companion locks a name, the other two the file itself: a file that is renamed while it is
/// open, or seen through a second mount, is open all the same. Links are followed first, and a file
/// with a second hard link is refused ({@link RegionFile}).
final class RegionLock {
  /// By their companions, the locks of this class loader's openers: a companion may be held for a
  /// file that had its name before.
  private static final Map<Path, RegionLock> HELD_HERE = new HashMap<>();

  /// Where no file has a byte.
  private static final long JVM_BYTE = 1L << 62;

  /// A millisecond apart: a look ({@link #holder}) by another class loader takes some microseconds.
  private static final int ATTEMPTS = 3;

  private final Path path;
  private final LockFile companion;

  /// LOCK-1. The JDK's table forgets a lock that nobody refers to.
  private FileChannel region;

  private FileLock inJvm;

  /// The region's, which ends before the lock does, or its threads could store to what is the next
  /// one's. `null` if there is none.
  private Memory memory;

  /// Has the note; `null` as the memory is.
  private Supplier<MappedMemory> noted;

  /// **LOCK-5** A lock that nobody wants any more is let go of, if not by its holder, then by the
  /// next opener of this class loader. So one store to this field is enough where memory or the
  /// stack has run out, and letting go has failed too. Tests: FailuresTest.whatCanNotOpenLetsGo,
  /// RegionLockTest.lock5AnAbandonedLockIsNobodys.
  volatile boolean abandoned;

  private RegionLock(Path path) {
    this.path = path;
    this.companion = new LockFile(path);
  }

  /// Locks a region that exists, at its real path.
  ///
  /// @param access how the region is opened
  /// @throws RegionLockedException if it is open elsewhere, or here
  static RegionLock acquire(Path path, OpenOption... access) {
    RegionLock lock = new RegionLock(path);
    boolean isAcquired = false;
    try {
      lock.acquireAll(access);
      isAcquired = true;
      return lock;
    } finally {
      if (!isAcquired) {
        lock.abandoned = true;
        lock.release();
      }
    }
  }

  private void acquireAll(OpenOption... access) {
    synchronized (HELD_HERE) {
      if (isHeldHere(companion.path())) {
        throw openHere(path);
      }
      HELD_HERE.put(companion.path(), this);
      Uninterrupted.run("lock", path, () -> tryAcquire(access));
    }
    // It may wait for an answer, and keeps no other region waiting.
    Uninterrupted.run("read the owner of", path, () -> RegionOwner.refuse(path));
  }

  /// With the table's monitor held.
  private static boolean isHeldHere(Path companion) {
    RegionLock held = HELD_HERE.get(companion);
    if (held != null && held.abandoned) {
      held.release(); // LOCK-5
    }
    return HELD_HERE.containsKey(companion);
  }

  private void tryAcquire(OpenOption... access) throws IOException {
    closeChannels(); // of an attempt that an interrupt has ended
    region = FileChannel.open(path, access);
    try {
      inJvm = lockInJvm(region);
      RegionOwner living = RegionOwner.living(path);
      if (living != null) {
        throw living.locked(path);
      }
      companion.lock();
    } catch (OverlappingFileLockException e) {
      throw openHere(path);
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
      if (isHeldHere(companion)) {
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

  /// The memory of a region that is open here; `null` if it is not.
  static Memory memoryHere(Path path) {
    synchronized (HELD_HERE) {
      RegionLock held = HELD_HERE.get(LockFile.of(path));
      return held == null ? null : held.memory;
    }
  }

  /// A memory, to be closed before the lock is let go of; its note is taken away.
  void protect(Memory opened, Supplier<MappedMemory> note) {
    noted = note;
    memory = opened;
  }

  /// Lets go. Idempotent, and to be repeated if it was cut off: by then the region may be another
  /// store's, whose entry in the table is not this one's to remove.
  void release() {
    abandoned = true;
    synchronized (HELD_HERE) {
      if (memory != null) {
        memory.close();
      }
      // The note before the locks, or it could be the next one's.
      try {
        takeAwayNote();
      } finally {
        closeOrTell();
        HELD_HERE.remove(companion.path(), this);
      }
    }
  }

  private void takeAwayNote() {
    MappedMemory mapped = memory == null ? null : noted.get();
    memory = null;
    RegionOwner note = mapped == null ? null : mapped.owner();
    if (note == null) {
      return;
    }
    try {
      Uninterrupted.run("take the owner's note from", path, () -> clear(note));
    } catch (RegionAccessException e) {
      tell(e);
    }
  }

  private void closeOrTell() {
    try {
      closeChannels();
    } catch (IOException e) {
      tell(e); // what can't be closed goes with the process
    }
  }

  /// Both channels' locks go with them.
  private void closeChannels() throws IOException {
    try (companion;
        FileChannel _ = region) {
      // nothing but closing
    }
  }

  private void tell(Exception e) {
    System.getLogger("io.holdfast")
        .log(
            Level.WARNING,
            "%s: cannot take the owner's note away, or close the lock file. Other processes may be refused the region until this one ends"
                .formatted(path),
            e);
  }

  /// In the file that was opened, whatever name it has by now, unless an interrupt has closed that.
  private void clear(RegionOwner note) throws IOException {
    if (region.isOpen()) {
      note.clear(region);
      return;
    }
    try (FileChannel again =
        FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      note.clear(again);
    }
  }
}
