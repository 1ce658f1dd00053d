package io.holdfast.core.persistence;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;

/// A file that is synced by `fsync`. Not by a channel: an interrupt would close it.
final class ForcedFile implements DeviceSync {
  private final Path path;
  private final RandomAccessFile file;

  ForcedFile(Path path) throws IOException {
    this.path = path;
    this.file = new RandomAccessFile(path.toFile(), "rw");
  }

  @Override
  public void sync() throws IOException {
    file.getFD().sync();
  }

  @Override
  public String toString() {
    return path.toString();
  }
}
