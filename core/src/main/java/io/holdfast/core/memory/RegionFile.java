package io.holdfast.core.memory;

import io.holdfast.core.RegionAccessException;
import io.holdfast.core.RegionFormatException;
import io.holdfast.core.persistence.PageCache;
import io.holdfast.core.persistence.PersistenceDomain;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;

/// A region's file: created if it is missing, locked, and mapped.
public final class RegionFile implements AutoCloseable {
  /// The length of a new region: one mebibyte, which is filled in about half a millisecond.
  public static final long INITIAL_BYTES = 1 << 20;

  private final Memory memory;
  private final RegionLock lock;

  private RegionFile(Memory memory, RegionLock lock) {
    this.memory = memory;
    this.lock = lock;
  }

  /// Opens a file as memory that survives a crash of the process; an existing file is not changed.
  ///
  /// @see #open(Path, PersistenceDomain)
  public static RegionFile open(Path path) {
    return open(path, new PageCache());
  }

  /// Opens a file as memory; an existing file is not changed.
  ///
  /// @throws io.holdfast.core.RegionLockedException if it is in use
  /// @throws RegionFormatException if the path names something that is not a file
  /// @throws RegionAccessException if the system refuses
  public static RegionFile open(Path path, PersistenceDomain domain) {
    Path real = realFile(path);
    RegionLock lock = RegionLock.acquire(real);
    try {
      return new RegionFile(new MappedMemory(real, Files.size(real), domain), lock);
    } catch (IOException e) {
      lock.release();
      throw Uninterrupted.refused("open", path, e);
    } catch (RuntimeException | Error e) {
      lock.release();
      throw e;
    }
  }

  private static Path realFile(Path path) {
    try {
      try {
        Files.createFile(path);
      } catch (FileAlreadyExistsException e) {
        // The usual case: a region that exists.
      }
      Path real = path.toRealPath();
      if (!Files.isRegularFile(real)) {
        throw new RegionFormatException(
            "%s: not a file but a %s. Nothing was touched; open another path"
                .formatted(path, Files.isDirectory(real) ? "directory" : "device or pipe"));
      }
      return real;
    } catch (IOException e) {
      throw Uninterrupted.refused("open", path, e);
    }
  }

  public Memory memory() {
    return memory;
  }

  @Override
  public void close() {
    memory.close();
    lock.release();
  }
}
