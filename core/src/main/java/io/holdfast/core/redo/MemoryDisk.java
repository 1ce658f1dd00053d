package io.holdfast.core.redo;

import io.holdfast.core.disk.Disk;
import io.holdfast.core.disk.DiskFile;
import io.holdfast.core.memory.Uninterrupted;
import io.holdfast.core.persistence.PersistenceDomain;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// The files of persistent memory, as a disk.
///
/// **LINES-1** What a call writes has left the processor's caches when it returns: so calls become
/// durable in their order, and a loss of power in the middle of one leaves any of its lines, of 64
/// bytes each, where a disk would leave sectors. A log and a region's file bear that, since what
/// counts there has a checksum, and a file's word for its log is written by a call before the one
/// that says that it needs it. Tests: MemoryDiskTest.lines1WhatIsWrittenIsWrittenBack,
/// DiskCrashTest.lines1ALossOfPowerOfPersistentMemory.
///
/// What a file had before it was opened here has left them when a sync returns (FOUND-2).
final class MemoryDisk implements Disk {
  private final Disk files = Disk.local();
  private final PersistenceDomain lines;

  /// @param lines in which flush and fence mean something
  MemoryDisk(PersistenceDomain lines) {
    this.lines = lines;
  }

  @Override
  public DiskFile open(Path file) throws IOException {
    return new File(files.open(file), file, false);
  }

  @Override
  public DiskFile create(Path file) throws IOException {
    return new File(files.create(file), file, true);
  }

  @Override
  public boolean exists(Path file) throws IOException {
    return files.exists(file);
  }

  @Override
  public void delete(Path file) throws IOException {
    files.delete(file);
  }

  @Override
  public void forceNames(Path directory) throws IOException {
    files.forceNames(directory);
  }

  private final class File implements DiskFile {
    private final DiskFile file;
    private final Path path;

    /// Of the file's beginning, as far as it was written to.
    private MemorySegment mapping = MemorySegment.NULL;

    /// Whether all that the file has was written back: what was found in it, too.
    private boolean isWrittenBack;

    File(DiskFile file, Path path, boolean isNew) {
      this.file = file;
      this.path = path;
      this.isWrittenBack = isNew;
    }

    @Override
    public void write(long at, ByteBuffer from) throws IOException {
      int length = from.remaining();
      file.write(at, from);
      writeBack(at, length);
    }

    /// No sync: that would wait for a device which, by LINES-1, nobody waits for.
    @Override
    public void writeDurably(long at, ByteBuffer from) throws IOException {
      write(at, from);
    }

    private synchronized void writeBack(long at, int length) {
      if (at + length > mapping.byteSize()) {
        Uninterrupted.run("map", path, this::map);
      }
      lines.flush(mapping, at, length);
      lines.fence();
    }

    private void map() throws IOException {
      try (FileChannel channel =
          FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
        mapping = lines.map(channel, 0, channel.size(), Arena.ofAuto());
      }
    }

    @Override
    public long length() throws IOException {
      return file.length();
    }

    @Override
    public void read(long at, ByteBuffer into) throws IOException {
      file.read(at, into);
    }

    @Override
    public void force() throws IOException {
      file.force();
      makeFoundDurable();
    }

    /// FOUND-2, at the first sync: whatever is written since is written back by its call.
    private synchronized void makeFoundDurable() {
      if (!isWrittenBack) {
        Uninterrupted.run("map", path, this::map);
        lines.writeFoundBack(mapping);
        isWrittenBack = true;
      }
    }

    @Override
    public void setLength(long length) throws IOException {
      file.setLength(length);
    }

    /// What a process that was killed has written may be in the caches alone.
    @Override
    public boolean readsTheDevice() {
      return false;
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }
}
