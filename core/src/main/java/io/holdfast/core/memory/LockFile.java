package io.holdfast.core.memory;

import io.holdfast.core.RegionAccessException;
import io.holdfast.core.RegionLockedException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

/// The companion `NAME.lock` of a region, on which its opener has a kernel lock. It is a file of
/// its own because POSIX drops a process's lock as soon as it closes any stream on the locked file
/// (FACTS 6), and a user may copy or checksum the region at any time.
///
/// Its first line is the holder's process id and start time, for the message to the second opener
/// and for nothing else. It stays when the region is closed: removing it could remove a lock that
/// somebody has just taken.
///
/// **LOCK-3** A program that may only read the region keeps nobody from opening it. A shared lock
/// needs no more than the permission to read. So only those have the companion's permissions who
/// may write the region; and a companion of which somebody has a shared lock nevertheless is
/// replaced by another one.
///
/// Replacing it takes the lock on `NAME.lock.next` first, which nobody but writers could ever open,
/// then looks whether the companion is still the one that was found, and then renames. Whoever
/// locks a companion sees to it that it still has its name. Test:
/// LostLockTest.lock3AReaderKeepsNobodyOut.
final class LockFile implements AutoCloseable {
  /// Room for the holder's note, which takes some 60.
  private static final int NOTE_BYTES_MAX = 256;

  private static final String PID = "pid=";
  private static final String STARTED = ", started=";

  /// A millisecond apart: a process that only looks ({@link #holder}) holds the lock for a few
  /// microseconds.
  private static final int ATTEMPTS = 3;

  /// Channels that must not be closed, because another store of this process holds a lock on their
  /// file by another class loader: of a file that had the region's name before.
  private static final List<FileChannel> KEPT = new ArrayList<>();

  private final Path region;
  private final Path companion;

  /// What is open: the companion, and what is to replace it. Kept from the moment of opening, so
  /// that {@link #close} can be repeated if it was cut off.
  private FileChannel channel, next;

  /// The JDK forgets a lock that nobody refers to.
  private FileLock held;

  LockFile(Path region) {
    this.region = region;
    this.companion = of(region);
  }

  static Path of(Path region) {
    return region.resolveSibling(region.getFileName() + ".lock");
  }

  Path path() {
    return companion;
  }

  /// Locks the companion. If that fails, it is to be closed.
  ///
  /// @throws RegionLockedException if another process has it
  /// @throws OverlappingFileLockException if this process has it
  void lock() throws IOException {
    for (int i = 0; i < ATTEMPTS; i++) {
      try {
        held = tryLock();
        if (held != null) {
          return;
        }
      } catch (NoSuchFileException e) {
        // Renamed or deleted meanwhile.
      }
      close();
    }
    throw locked("unknown");
  }

  /// @return `null` if it was replaced meanwhile
  private FileLock tryLock() throws IOException {
    createIfMissing(companion);
    Object key = key(companion);
    channel = open(companion);
    try {
      FileLock lock = tryLock(channel);
      if (lock != null) {
        return noted(lock, companion, key);
      }
      // Held while the companion is replaced, or its holder could have let go since, and another
      // opener could lock it before it is another file.
      if (channel.tryLock(0, Long.MAX_VALUE, true) == null) {
        throw locked(readHolder(channel));
      }
    } catch (OverlappingFileLockException e) {
      FileChannel kept = channel;
      channel = null;
      KEPT.add(kept);
      throw e;
    }
    return replace(key);
  }

  /// LOCK-3.
  ///
  /// @param found what the companion was
  /// @return `null` if it was replaced meanwhile
  private FileLock replace(Object found) throws IOException {
    Path file = companion.resolveSibling(companion.getFileName() + ".next");
    createIfMissing(file);
    Object key = key(file);
    next = open(file);
    FileLock lock;
    try {
      lock = tryLock(next);
    } catch (OverlappingFileLockException e) {
      FileChannel kept = next;
      next = null;
      KEPT.add(kept);
      throw e;
    }
    if (lock == null) {
      throw locked(readHolder(next));
    }
    if (noted(lock, file, key) == null || !Objects.equals(found, key(companion))) {
      return null;
    }
    Files.move(file, companion, StandardCopyOption.ATOMIC_MOVE);
    channel.close();
    return lock;
  }

  /// @return the lock, or `null` if the file that is locked has its name no more
  private FileLock noted(FileLock lock, Path file, Object key) throws IOException {
    if (!Objects.equals(key, key(file))) {
      return null;
    }
    FileChannel locked = lock.channel();
    if (!isNote(locked)) {
      throw noLockFile();
    }
    writeHolder(locked);
    return lock;
  }

  /// Lets go. Idempotent.
  @Override
  public void close() throws IOException {
    try (FileChannel _ = next;
        FileChannel _ = channel) {
      // nothing but closing
    }
  }

  private static FileChannel open(Path file) throws IOException {
    return FileChannel.open(
        file, StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
  }

  /// @return `null` if there is no such file
  private static BasicFileAttributes attributes(Path file) throws IOException {
    try {
      return Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    } catch (NoSuchFileException e) {
      return null;
    }
  }

  private static Object key(Path file) throws IOException {
    BasicFileAttributes attributes = attributes(file);
    return attributes == null ? "" : attributes.fileKey(); // no file's
  }

  /// What has the companion's name and is no lock file is somebody's: a pipe, a link to elsewhere,
  /// a text.
  private void createIfMissing(Path file) throws IOException {
    Set<PosixFilePermission> permissions = permissions();
    BasicFileAttributes there = attributes(file); // one look, since others may rename it
    if (there != null && !there.isRegularFile()) {
      throw noLockFile();
    }
    if (there == null) {
      try {
        Files.createFile(
            file,
            permissions == null
                ? new FileAttribute<?>[0]
                : new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(permissions)});
      } catch (FileAlreadyExistsException e) {
        // Another opener was faster: the lock decides.
      }
    }
    permit(file, permissions);
  }

  /// LOCK-3: those of the region, without them who may only read it.
  ///
  /// @return `null` where files have none
  private Set<PosixFilePermission> permissions() throws IOException {
    PosixFileAttributeView view = Files.getFileAttributeView(region, PosixFileAttributeView.class);
    if (view == null) {
      return null;
    }
    Set<PosixFilePermission> own = view.readAttributes().permissions();
    Set<PosixFilePermission> permissions =
        EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);
    Set<PosixFilePermission> group =
        EnumSet.of(PosixFilePermission.GROUP_READ, PosixFilePermission.GROUP_WRITE);
    Set<PosixFilePermission> others =
        EnumSet.of(PosixFilePermission.OTHERS_READ, PosixFilePermission.OTHERS_WRITE);
    if (own.containsAll(group)) {
      permissions.addAll(group);
    }
    if (own.containsAll(others)) {
      permissions.addAll(others);
    }
    return permissions;
  }

  private static void permit(Path file, Set<PosixFilePermission> permissions) throws IOException {
    if (permissions != null
        && !Files.getPosixFilePermissions(file, LinkOption.NOFOLLOW_LINKS).equals(permissions)) {
      try {
        Files.setPosixFilePermissions(file, permissions);
      } catch (FileSystemException e) {
        // It is another user's: then he has to, and until he does a reader's lock is got round.
        System.getLogger("io.holdfast")
            .log(
                System.Logger.Level.DEBUG,
                () -> file + ": cannot keep those from locking it who may only read the region",
                e);
      }
    }
  }

  private RegionAccessException noLockFile() {
    return new RegionAccessException(
        "%s: cannot lock the region: what is beside it is no lock file: %s. Nothing was touched; move that file away"
            .formatted(region, companion));
  }

  private RegionLockedException locked(String holder) {
    return new RegionLockedException(
        "%s: the region is open in another process: holder=[%s]. Wait for it to end, or end it"
            .formatted(region, holder));
  }

  private static FileLock tryLock(FileChannel channel) throws IOException {
    FileLock lock = channel.tryLock();
    for (int i = 1; lock == null && i < ATTEMPTS; i++) {
      LockSupport.parkNanos(1_000_000);
      lock = channel.tryLock();
    }
    return lock;
  }

  /// The process that holds a companion, as its note says; `null` if nobody does.
  ///
  /// To see a kernel lock one has to try it. The try takes a shared lock, for some microseconds, if
  /// nobody has the region open: a process that opens it at that moment is told to try again
  /// ({@link #ATTEMPTS}).
  static String holder(Path companion) throws IOException {
    FileChannel channel =
        FileChannel.open(companion, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
    try (channel) {
      FileLock probe = channel.tryLock(0, Long.MAX_VALUE, true);
      if (probe != null) {
        probe.release();
        return null;
      }
      return readHolder(channel);
    }
  }

  /// An empty one is a holder's that had no time, or no room, for a note.
  private static boolean isNote(FileChannel channel) throws IOException {
    ByteBuffer text = ByteBuffer.allocate(NOTE_BYTES_MAX);
    channel.read(text, 0);
    return channel.size() == 0
        || channel.size() <= NOTE_BYTES_MAX
            && StandardCharsets.ISO_8859_1.decode(text.flip()).toString().startsWith(PID);
  }

  private static String readHolder(FileChannel channel) throws IOException {
    ByteBuffer text = ByteBuffer.allocate(NOTE_BYTES_MAX);
    channel.read(text, 0);
    String note = StandardCharsets.UTF_8.decode(text.flip()).toString();
    return note.lines()
        .findFirst()
        .filter(holder -> !holder.isBlank())
        .map(LockFile::readable)
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

  private void writeHolder(FileChannel channel) throws IOException {
    ProcessHandle self = ProcessHandle.current();
    // Not formatted before somebody reads it: locale and time formats would be a new process's
    // first, and it waits for the lock.
    Instant start = self.info().startInstant().orElse(null);
    String started = start == null ? "unknown" : Long.toString(start.toEpochMilli());
    ByteBuffer text = StandardCharsets.UTF_8.encode(PID + self.pid() + STARTED + started + "\n");
    try {
      // Over what was there, which may be longer: to empty a file first takes ext4 milliseconds.
      channel.write(text, 0);
    } catch (ClosedByInterruptException e) {
      throw e; // and with the channel the lock is gone: once more
    } catch (IOException e) {
      // A full device, above all. The lock is held; only the message to a second opener says less.
      System.getLogger("io.holdfast")
          .log(
              System.Logger.Level.WARNING, region + ": cannot note the holder in the lock file", e);
    }
  }
}
