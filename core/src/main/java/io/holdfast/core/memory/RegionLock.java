package io.holdfast.core.memory;

import io.holdfast.core.RegionAccessException;
import io.holdfast.core.RegionLockedException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

/// One process at a time: a kernel lock, which dies with its owner, on a companion file
/// `NAME.lock`.
///
/// The companion is a file of its own because POSIX drops a process's lock as soon as it closes any
/// stream on the locked file (FACTS 6), and a user may copy or checksum the region at any time. For
/// the same reason this process's own regions are looked up in a table before the companion is
/// opened: a second attempt that opened and closed it would release the first one's lock.
///
/// What is locked is a name: of a file that is renamed while it is open, or seen through a second
/// mount of it alone, the lock does not know. Links are followed first, and a file with a second
/// hard link is refused ({@link RegionFile}).
///
/// The companion's first line is the holder's process id and start time, for the message to the
/// second opener and for nothing else: the kernel alone says whether there is a holder, so neither
/// a killed one nor another process that has its number blocks the next. It stays when the region
/// is closed: removing it could remove a lock that somebody has just taken.
final class RegionLock {
  private static final Set<Object> OPEN_HERE = new HashSet<>();

  /// Room for the holder's note, which takes some 60.
  private static final int HOLDER_BYTES_MAX = 256;

  private static final String PID = "pid=";
  private static final String STARTED = ", started=";

  /// A millisecond apart: who only looks ({@link #holder}) holds the lock for a few microseconds.
  private static final int ATTEMPTS = 3;

  /// Its entries in the table: the file, by what the system knows it by, and the companion.
  private final Set<Object> keys;

  private final FileChannel channel;
  private final FileLock lock;
  private boolean released;

  private RegionLock(Set<Object> keys, FileChannel channel, FileLock lock) {
    this.keys = keys;
    this.channel = channel;
    this.lock = lock;
  }

  /// Locks a region that exists, at its real path.
  ///
  /// @throws RegionLockedException if it is open elsewhere, or here
  static RegionLock acquire(Path path) {
    RegionLock[] acquired = new RegionLock[1];
    synchronized (OPEN_HERE) {
      Uninterrupted.run("lock", path, () -> acquired[0] = tryAcquire(path));
      OPEN_HERE.addAll(acquired[0].keys);
    }
    return acquired[0];
  }

  /// Who has a region open, as the note says; `null` if nobody has.
  ///
  /// To see a kernel lock one has to try it. The try takes a shared lock, for some microseconds, if
  /// nobody has the region open: who opens it at that moment is told to try again ({@link
  /// #ATTEMPTS}). So it is for regions that were not closed, whose lock is as a rule held, or not
  /// about to be.
  ///
  /// @param path the region's real path
  static String holder(Path path) throws IOException {
    synchronized (OPEN_HERE) {
      Path companion = companion(path);
      if (OPEN_HERE.contains(key(path)) || OPEN_HERE.contains(companion)) {
        return PID + ProcessHandle.current().pid(); // opening the companion would let go of it
      }
      if (!Files.isRegularFile(companion, LinkOption.NOFOLLOW_LINKS)) {
        return null;
      }
      try (FileChannel channel =
          FileChannel.open(companion, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
        FileLock probe = channel.tryLock(0, Long.MAX_VALUE, true);
        if (probe != null) {
          probe.release();
          return null;
        }
        return readHolder(channel);
      }
    }
  }

  private static Path companion(Path path) {
    return path.resolveSibling(path.getFileName() + ".lock");
  }

  private static Object key(Path path) throws IOException {
    Object fileKey = Files.readAttributes(path, BasicFileAttributes.class).fileKey();
    return fileKey != null ? fileKey : path;
  }

  private static FileLock tryLock(FileChannel channel) throws IOException {
    FileLock lock = channel.tryLock();
    for (int i = 1; lock == null && i < ATTEMPTS; i++) {
      LockSupport.parkNanos(1_000_000);
      lock = channel.tryLock();
    }
    return lock;
  }

  private static RegionLock tryAcquire(Path path) throws IOException {
    Object key = key(path);
    Path companion = companion(path);
    // The companion too: it may be held for a file that had this name before.
    if (OPEN_HERE.contains(key) || OPEN_HERE.contains(companion)) {
      throw new RegionLockedException(
          "%s: the region is already open in this process: pid=%d. Use the store that is open, or close it first"
              .formatted(path, ProcessHandle.current().pid()));
    }
    checkCompanion(path, companion);
    FileChannel channel =
        FileChannel.open(
            companion,
            StandardOpenOption.CREATE,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE,
            LinkOption.NOFOLLOW_LINKS);
    RegionLock acquired = null;
    try {
      FileLock lock = tryLock(channel);
      if (lock == null) {
        throw new RegionLockedException(
            "%s: the region is open in another process: holder=[%s]. Wait for it to end, or end it"
                .formatted(path, readHolder(channel)));
      }
      if (!isNote(channel)) {
        throw noLockFile(path, companion);
      }
      writeHolder(channel, path);
      acquired = new RegionLock(Set.of(key, companion), channel, lock);
      return acquired;
    } finally {
      if (acquired == null) {
        channel.close();
      }
    }
  }

  /// What has the companion's name and is no lock file is somebody's: a pipe, a link to elsewhere,
  /// a text.
  private static void checkCompanion(Path path, Path companion) throws IOException {
    if (Files.exists(companion, LinkOption.NOFOLLOW_LINKS)
        && !Files.isRegularFile(companion, LinkOption.NOFOLLOW_LINKS)) {
      throw noLockFile(path, companion);
    }
  }

  private static RegionAccessException noLockFile(Path path, Path companion) {
    return new RegionAccessException(
        "%s: cannot lock the region: what is beside it is no lock file: %s. Nothing was touched; move that file away"
            .formatted(path, companion));
  }

  /// An empty one is a holder's that had no time, or no room, for a note.
  private static boolean isNote(FileChannel channel) throws IOException {
    ByteBuffer text = ByteBuffer.allocate(HOLDER_BYTES_MAX);
    channel.read(text, 0);
    return channel.size() == 0
        || channel.size() <= HOLDER_BYTES_MAX
            && StandardCharsets.ISO_8859_1.decode(text.flip()).toString().startsWith(PID);
  }

  private static String readHolder(FileChannel channel) throws IOException {
    ByteBuffer text = ByteBuffer.allocate(HOLDER_BYTES_MAX);
    channel.read(text, 0);
    String note = StandardCharsets.UTF_8.decode(text.flip()).toString();
    return note.lines()
        .findFirst()
        .filter(holder -> !holder.isBlank())
        .map(RegionLock::readable)
        .orElse("unknown");
  }

  /// With the time as people write it.
  private static String readable(String holder) {
    String[] parts = holder.split(STARTED, 2);
    try {
      return parts[0] + STARTED + Instant.ofEpochMilli(Long.parseLong(parts[1]));
    } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
      return holder; // unknown, or another program's
    }
  }

  private static void writeHolder(FileChannel channel, Path path) throws IOException {
    ProcessHandle self = ProcessHandle.current();
    // Not formatted before somebody reads it: locale and time formats would be a new process's
    // first, and it waits for the lock.
    String started = self.info().startInstant().map(i -> "" + i.toEpochMilli()).orElse("unknown");
    ByteBuffer text = StandardCharsets.UTF_8.encode(PID + self.pid() + STARTED + started + "\n");
    try {
      // Over what was there, which may be longer: to empty a file first takes ext4 milliseconds.
      channel.write(text, 0);
    } catch (ClosedByInterruptException e) {
      throw e; // and with the channel the lock is gone: once more
    } catch (IOException e) {
      // A full device, above all. The lock is held; only the message to a second opener says less.
      System.getLogger("io.holdfast")
          .log(System.Logger.Level.WARNING, path + ": cannot note the holder in the lock file", e);
    }
  }

  /// Lets go. Idempotent: by the second call the region may be another store's, whose entry in the
  /// table is not this one's to remove.
  void release() {
    synchronized (OPEN_HERE) {
      if (released) {
        return;
      }
      released = true;
      try {
        lock.release();
        channel.close();
      } catch (IOException e) {
        // The kernel lets go of the lock with the descriptor, and of that with the process. The
        // region itself has been let go of before, so there is nothing left to protect.
        System.getLogger("io.holdfast")
            .log(System.Logger.Level.WARNING, "closing the lock file failed", e);
      } finally {
        OPEN_HERE.removeAll(keys);
      }
    }
  }
}
