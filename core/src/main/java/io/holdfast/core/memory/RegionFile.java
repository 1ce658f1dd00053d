package io.holdfast.core.memory;

import io.holdfast.core.PersistenceCounts;
import io.holdfast.core.RegionAccessException;
import io.holdfast.core.RegionFormatException;
import io.holdfast.core.persistence.PageCache;
import io.holdfast.core.persistence.PersistenceDomain;
import io.holdfast.core.persistence.PersistenceEvent;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// A region's file: created if it is missing, locked, and mapped.
public final class RegionFile implements AutoCloseable {
  /// The length of a new region: one mebibyte, which is filled in about half a millisecond.
  public static final long INITIAL_BYTES = 1 << 20;

  private final PersistenceDomain domain;
  private final Memory memory;
  private final RegionLock lock;
  private final Runnable endReport;

  /// Finds the domain for a file, or refuses it. The file is there and locked.
  public interface DomainFinder {
    /// @throws UnsupportedOperationException if there is none
    PersistenceDomain domainOf(Path file) throws IOException;
  }

  /// The file, if this opening created it.
  private final Path created;

  private RegionFile(
      Path file, boolean isNew, PersistenceDomain domain, FlushMode mode, RegionLock lock)
      throws IOException {
    this.created = isNew ? file : null;
    this.domain = domain;
    this.lock = lock;
    MappedMemory mapped = new MappedMemory(file, Files.size(file), domain);
    lock.protect(mapped);
    if (domain.survivesPowerFailure()) {
      memory = new OrderedMemory(mapped, mode);
      endReport = PersistenceEvent.report(file, domain);
    } else {
      memory = mapped;
      endReport = () -> {};
    }
  }

  /// Opens a file as memory that survives a crash of the process; an existing file is not changed.
  ///
  /// @see #open(Path, DomainFinder)
  public static RegionFile open(Path path) {
    return open(path, file -> new PageCache());
  }

  /// Opens a file as memory; the content of an existing file is not changed.
  ///
  /// In a domain that survives a loss of power, the file's name and all that was ever stored in it
  /// are durable when this returns, whatever it was opened to survive before; and the memory's
  /// stores become durable in order ({@link OrderedMemory}).
  ///
  /// @throws UnsupportedOperationException if the finder refuses the file
  /// @throws io.holdfast.core.RegionLockedException if it is in use
  /// @throws RegionFormatException if the path names something that is not a file
  /// @throws RegionAccessException if the system refuses
  public static RegionFile open(Path path, DomainFinder finder) {
    return open(path, finder, FlushMode.HYBRID);
  }

  /// The same in a mode of one's own choice, to compare them: the guarantees are the same in all.
  ///
  /// @param mode when lines of data are flushed; nothing in a domain that survives process crashes
  ///   alone
  /// @see #open(Path, DomainFinder)
  public static RegionFile open(Path path, DomainFinder finder, FlushMode mode) {
    boolean isNew = createIfMissing(path);
    Path real = realFile(path);
    RegionLock lock = RegionLock.acquire(real, StandardOpenOption.READ, StandardOpenOption.WRITE);
    boolean isOpen = false;
    try {
      PersistenceDomain domain = domainOf(real, finder);
      if (domain.survivesPowerFailure()) {
        Uninterrupted.run("make durable", real, () -> force(real));
      }
      RegionFile file = new RegionFile(real, isNew, domain, mode, lock);
      isOpen = true;
      return file;
    } catch (UnsupportedOperationException e) {
      if (isNew) {
        Uninterrupted.run("delete", real, () -> Files.deleteIfExists(real));
      }
      throw e;
    } catch (IOException e) {
      throw Uninterrupted.refused("open", path, e);
    } finally {
      if (!isOpen) {
        lock.abandoned = true; // LOCK-5: the call may fail too
        lock.release();
      }
    }
  }

  /// Keeps a file that exists from being opened, without opening it: for who only reads it. Nobody
  /// needs to be kept from what is on a file system that can only be read.
  ///
  /// @return what lets go of it
  /// @throws io.holdfast.core.RegionLockedException if it is in use
  /// @throws RegionFormatException if the path names something that is not a file
  /// @throws RegionAccessException if the system refuses
  public static Runnable hold(Path path) {
    try {
      if (Files.getFileStore(path).isReadOnly()) {
        return () -> {};
      }
    } catch (IOException e) {
      throw Uninterrupted.refused("read", path, e);
    }
    RegionLock[] held = new RegionLock[1];
    Runnable letGo =
        () -> held[0].release(); // made before: code that can't make it would hold for ever
    held[0] = RegionLock.acquire(realFile(path), StandardOpenOption.READ);
    return letGo;
  }

  /// @return whether there was no file
  private static boolean createIfMissing(Path path) {
    try {
      Files.createFile(path);
      return true;
    } catch (FileAlreadyExistsException e) {
      return false; // the usual case: a region that exists
    } catch (IOException e) {
      throw Uninterrupted.refused("open", path, e);
    }
  }

  private static PersistenceDomain domainOf(Path file, DomainFinder finder) {
    PersistenceDomain[] found = new PersistenceDomain[1];
    Uninterrupted.run("open", file, () -> found[0] = finder.domainOf(file));
    return found[0];
  }

  private static void force(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.force(true);
    }
    try (FileChannel directory = FileChannel.open(file.getParent(), StandardOpenOption.READ)) {
      directory.force(true);
    }
  }

  private static Path realFile(Path path) {
    try {
      Path real = path.toRealPath();
      if (!Files.isRegularFile(real)) {
        throw new RegionFormatException(
            "%s: not a file but a %s. Nothing was touched; open another path"
                .formatted(path, Files.isDirectory(real) ? "directory" : "device or pipe"));
      }
      if (Files.size(real) > RegionLayout.MAX_BYTES) {
        throw new RegionFormatException(
            "%s: longer than any region: length=%d bytes, max=%d bytes. Nothing was touched; open another path"
                .formatted(path, Files.size(real), RegionLayout.MAX_BYTES));
      }
      checkNames(path, real);
      return real;
    } catch (IOException e) {
      throw Uninterrupted.refused("open", path, e);
    }
  }

  /// The lock goes by the file's name ({@link RegionLock}), so it must have one only.
  private static void checkNames(Path path, Path real) throws IOException {
    int names = names(real);
    if (names == 2) {
      NewFile.endMaking(real);
      names = names(real);
    }
    if (names > 1) {
      throw new RegionAccessException(
          "%s: the file has %d names (hard links), so it could be open under another one unseen. Nothing was touched; remove the other names, or open a copy"
              .formatted(path, names));
    }
  }

  private static int names(Path real) throws IOException {
    try {
      return (int) Files.getAttribute(real, "unix:nlink");
    } catch (UnsupportedOperationException | IllegalArgumentException e) {
      return 1; // a file system without hard links, as far as Java knows
    }
  }

  /// Which process has a region open, as `pid=…, started=…`; `null` if none has. For a region that
  /// was not closed: a process that opens one at the very moment waits a millisecond.
  ///
  /// @throws RegionAccessException if the system refuses
  public static String holder(Path path) {
    try {
      return RegionLock.holder(path.toRealPath());
    } catch (IOException e) {
      throw Uninterrupted.refused("look at the lock of", path, e);
    }
  }

  public Memory memory() {
    return memory;
  }

  /// What the domain has counted since this was opened.
  public PersistenceCounts persistence() {
    return domain.counts();
  }

  /// Lets go of a file in which no region could be opened; one that was created for it is deleted,
  /// so that a creation that finds no room leaves nothing.
  public void abandon() {
    try {
      if (created != null) {
        Uninterrupted.run("delete", created, () -> Files.deleteIfExists(created));
      }
    } finally {
      try {
        close();
      } finally {
        lock.abandoned = true; // LOCK-5
      }
    }
  }

  /// Idempotent, and to be repeated if it was cut off.
  @Override
  public void close() {
    try {
      endReport.run();
    } finally {
      try {
        memory.close();
      } finally {
        lock.abandoned = true; // LOCK-5
        lock.release();
      }
    }
  }
}
