package io.holdfast.core.memory;

import io.holdfast.core.HoldfastException;
import io.holdfast.core.PersistenceCounts;
import io.holdfast.core.RegionAccessException;
import io.holdfast.core.RegionFormatException;
import io.holdfast.core.StoreClosedException;
import io.holdfast.core.memory.Medium.Opened;
import io.holdfast.core.persistence.PageCache;
import io.holdfast.core.persistence.PersistenceDomain;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// A region's file: created if it is missing, locked, and mapped.
public final class RegionFile implements AutoCloseable {
  /// The length of a new region: one mebibyte, which is filled in about half a millisecond.
  public static final long INITIAL_BYTES = 1 << 20;

  private final Opened opened;
  private final RegionLock lock;

  /// Finds the domain for a file, or refuses it. The file is there and locked.
  public interface DomainFinder {
    /// @throws UnsupportedOperationException if there is none
    PersistenceDomain domainOf(Path file) throws IOException;
  }

  /// The file, if this opening created it.
  private final Path created;

  private RegionFile(Path created, Opened opened, RegionLock lock) {
    this.created = created;
    this.opened = opened;
    this.lock = lock;
  }

  /// Opens a file as memory that survives a crash of the process; an existing file is not changed.
  ///
  /// @see #open(Path, DomainFinder)
  public static RegionFile open(Path path) {
    return openOn(path, Medium.pageCache());
  }

  /// Opens a file as memory; the content of an existing file is not changed.
  ///
  /// @see #openOn(Path, Medium)
  public static RegionFile open(Path path, DomainFinder finder) {
    return openOn(path, Medium.of(finder, FlushMode.POSTED));
  }

  /// Opens a file as memory; the content of an existing file is not changed.
  ///
  /// @throws UnsupportedOperationException if the medium refuses the file
  /// @throws io.holdfast.core.RegionLockedException if it is in use
  /// @throws RegionFormatException if the path names something that is not a file
  /// @throws RegionAccessException if the system refuses
  public static RegionFile openOn(Path path, Medium medium) {
    boolean isCreated = createIfMissing(path);
    Path real = realFile(path);
    RegionLock lock = RegionLock.acquire(real, StandardOpenOption.READ, StandardOpenOption.WRITE);
    boolean isNew = false;
    boolean isOpen = false;
    try {
      // Else another process had it open before this one had the lock.
      isNew = isCreated && real.toFile().length() == 0;
      Opened opened = opened(real, medium);
      lock.protect(opened.memory(), opened.noted());
      RegionFile file = new RegionFile(isNew ? real : null, opened, lock);
      isOpen = true;
      return file;
    } catch (UnsupportedOperationException | HoldfastException e) {
      if (isNew) {
        Uninterrupted.run("delete", real, () -> Files.deleteIfExists(real));
      }
      throw e;
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

  private static Opened opened(Path file, Medium medium) {
    Opened[] found = new Opened[1];
    Uninterrupted.run("open", file, () -> found[0] = medium.open(file));
    return found[0];
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
  /// @throws RegionAccessException if there is no such file, or the system refuses
  public static String holder(Path path) {
    try {
      return RegionLock.holder(path.toRealPath());
    } catch (NoSuchFileException e) {
      throw new RegionAccessException("%s: there is no such file".formatted(path), e);
    } catch (IOException e) {
      throw Uninterrupted.refused("look at the lock of", path, e);
    }
  }

  /// Whether a process has noted itself in a region's file that is seen to live: this one, too.
  public static boolean isInUse(Path path) throws IOException {
    return RegionOwner.isSeenAlive(path);
  }

  /// The memory of a region that was opened here, for checks of it beside the store; `null` if it
  /// is not open.
  ///
  /// @param real its real path
  public static Memory openHere(Path real) {
    return RegionLock.memoryHere(real);
  }

  public Memory memory() {
    return opened.memory();
  }

  /// What was made durable since this was opened.
  public PersistenceCounts persistence() {
    return opened.counts().get();
  }

  /// Lets go of a file in which no region could be opened; one that was created for it is deleted,
  /// so that a creation that finds no room leaves nothing. It stays if it needs a log, which may
  /// have been used: the next opening goes on with both, and would refuse the log alone (LOG-N1).
  public void abandon() {
    try {
      if (created != null) {
        Uninterrupted.run("delete", created, this::deleteUnlessLogged);
      }
    } finally {
      try {
        close();
      } finally {
        lock.abandoned = true; // LOCK-5
      }
    }
  }

  private void deleteUnlessLogged() throws IOException {
    boolean isWithLog;
    try {
      isWithLog = RegionHeader.isWithLog(opened.memory());
    } catch (StoreClosedException e) { // by a region that was open: then the file says the same
      Memory file = new MappedMemory(created, Files.size(created), new PageCache());
      isWithLog = RegionHeader.isWithLog(file);
      file.close();
    }
    if (!isWithLog) {
      Files.deleteIfExists(created);
    }
  }

  /// Idempotent, and to be repeated if it was cut off.
  @Override
  public void close() {
    try {
      opened.endReport().run();
    } finally {
      try {
        opened.memory().close();
      } finally {
        lock.abandoned = true; // LOCK-5
        lock.release();
      }
    }
  }
}
