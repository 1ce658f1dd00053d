package io.holdfast.core.disk;

import java.io.IOException;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/// The disk of the operating system.
final class LocalDisk implements Disk {
  /// A new file is its owner's alone, until somebody gives it other rights.
  private static final FileAttribute<?>[] OWNERS = {
    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
  };

  /// For what files are opened.
  private final Set<OpenOption> access;

  LocalDisk(OpenOption... access) {
    this.access = Set.of(access);
  }

  @Override
  public DiskFile open(Path file) throws IOException {
    return LocalFile.open(file, access);
  }

  @Override
  public DiskFile create(Path file) throws IOException {
    boolean isPosix = file.getFileSystem().supportedFileAttributeViews().contains("posix");
    Files.createFile(file, isPosix ? OWNERS : new FileAttribute<?>[0]);
    return LocalFile.open(file, access);
  }

  @Override
  public boolean exists(Path file) {
    return Files.exists(file);
  }

  @Override
  public void delete(Path file) throws IOException {
    Files.delete(file);
  }

  @Override
  public void forceNames(Path directory) throws IOException {
    try (AsynchronousFileChannel channel = channel(directory, Set.of(StandardOpenOption.READ))) {
      channel.force(true);
    }
  }

  /// A channel that an interrupt does not close, and whose calls are made by the calling thread.
  static AsynchronousFileChannel channel(Path file, Set<OpenOption> options) throws IOException {
    return AsynchronousFileChannel.open(file, options, new CallingThread());
  }
}
