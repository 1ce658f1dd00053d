package io.holdfast.core.disk;

import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// The files of one file system.
///
/// **DISK-1** A name that was made or deleted is durable only after {@link #forceNames} of its
/// directory has returned. Until then a loss of power may leave the file there or not.
public interface Disk {
  /// The disk of the operating system.
  static Disk local() {
    return new LocalDisk(StandardOpenOption.READ, StandardOpenOption.WRITE);
  }

  /// The same to look at files, which need not be writable, nor their medium.
  static Disk localToRead() {
    return new LocalDisk(StandardOpenOption.READ);
  }

  /// Opens a file that exists, to read and write.
  DiskFile open(Path file) throws IOException;

  /// Makes an empty file.
  ///
  /// @throws IOException if there is one
  DiskFile create(Path file) throws IOException;

  boolean exists(Path file) throws IOException;

  /// Deletes a file that exists.
  void delete(Path file) throws IOException;

  /// Makes the names in a directory durable.
  void forceNames(Path directory) throws IOException;
}
