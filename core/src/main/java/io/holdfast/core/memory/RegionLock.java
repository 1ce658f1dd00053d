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

/// One process at a time: a kernel lock, which dies with its owner, on a companion file
/// `NAME.lock`.
///
/// The companion is a file of its own because POSIX drops a process's lock as soon as it closes any
/// stream on the locked file (FACTS 6), and a user may copy or checksum the region at any time. For
/// the same reason this process's own regions are looked up in a table before the companion is
/// opened: a second attempt that opened and closed it would release the first one's lock.
///
/// The companion holds the holder's process id and start time, for the message to the second
/// opener. It stays when the region is closed: removing it could remove a lock that somebody has
/// just taken.
final class RegionLock {
  private static final Set<Object> OPEN_HERE = new HashSet<>();

  /// Room for the holder's note, which takes some 60.
  private static final int HOLDER_BYTES_MAX = 256;

  private final Object key;
  private final FileChannel channel;
  private final FileLock lock;
  private boolean released;

  private RegionLock(Object key, FileChannel channel, FileLock lock) {
    this.key = key;
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
      OPEN_HERE.add(acquired[0].key);
    }
    return acquired[0];
  }

  private static RegionLock tryAcquire(Path path) throws IOException {
    Object fileKey = Files.readAttributes(path, BasicFileAttributes.class).fileKey();
    Object key = fileKey != null ? fileKey : path;
    if (OPEN_HERE.contains(key)) {
      throw new RegionLockedException(
          "%s: the region is already open in this process: pid=%d. Use the store that is open, or close it first"
              .formatted(path, ProcessHandle.current().pid()));
    }
    Path companion = path.resolveSibling(path.getFileName() + ".lock");
    checkCompanion(path, companion);
    FileChannel channel =
        FileChannel.open(
            companion,
            StandardOpenOption.CREATE,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE);
    FileLock lock = null;
    try {
      lock = channel.tryLock();
      if (lock == null) {
        throw new RegionLockedException(
            "%s: the region is open in another process: holder=[%s]. Wait for it to end, or end it"
                .formatted(path, readHolder(channel)));
      }
      writeHolder(channel, path);
      return new RegionLock(key, channel, lock);
    } finally {
      if (lock == null) {
        channel.close();
      }
    }
  }

  /// What has the companion's name and is no lock file is somebody's: a pipe, a link to elsewhere,
  /// a text.
  private static void checkCompanion(Path path, Path companion) throws IOException {
    if (Files.exists(companion, LinkOption.NOFOLLOW_LINKS)
        && (!Files.isRegularFile(companion, LinkOption.NOFOLLOW_LINKS)
            || Files.size(companion) > HOLDER_BYTES_MAX)) {
      throw new RegionAccessException(
          "%s: cannot lock the region: what is beside it is no lock file: %s. Nothing was touched; move that file away"
              .formatted(path, companion));
    }
  }

  private static String readHolder(FileChannel channel) throws IOException {
    ByteBuffer text = ByteBuffer.allocate(HOLDER_BYTES_MAX);
    channel.read(text, 0);
    return StandardCharsets.UTF_8.decode(text.flip()).toString().trim();
  }

  private static void writeHolder(FileChannel channel, Path path) throws IOException {
    ProcessHandle self = ProcessHandle.current();
    String started = self.info().startInstant().map(Instant::toString).orElse("unknown");
    ByteBuffer text =
        StandardCharsets.UTF_8.encode("pid=%d, started=%s\n".formatted(self.pid(), started));
    try {
      channel.truncate(0);
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
        OPEN_HERE.remove(key);
      }
    }
  }
}
