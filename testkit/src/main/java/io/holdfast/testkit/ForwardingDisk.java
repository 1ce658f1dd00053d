package io.holdfast.testkit;

import io.holdfast.core.disk.Disk;
import io.holdfast.core.disk.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/// A disk over another one. Each call that changes something goes through {@link #call}, which
/// makes it, or does something else.
public abstract class ForwardingDisk implements Disk {
  private static final ByteBuffer NONE = ByteBuffer.allocate(0);

  private final Disk disk;

  protected ForwardingDisk(Disk disk) {
    this.disk = disk;
  }

  /// What changes something.
  public enum Change {
    CREATE,
    DELETE,
    FORCE_NAMES,
    WRITE,
    WRITE_DURABLY,
    FORCE,
    SET_LENGTH
  }

  /// A call.
  protected interface Call {
    /// Makes it.
    ///
    /// @param from what is written of it: the buffer that {@link ForwardingDisk#call} got, or a
    ///   part
    void make(ByteBuffer from) throws IOException;
  }

  /// Instead of a call.
  ///
  /// @param at where it writes, or the new length
  /// @param from what it writes; empty if it does not write
  protected abstract void call(Change change, Path file, long at, ByteBuffer from, Call call)
      throws IOException;

  /// What comes before each read.
  ///
  /// @throws IOException instead of it
  protected void beforeRead() throws IOException {}

  @Override
  public DiskFile open(Path file) throws IOException {
    return new File(disk.open(file), file);
  }

  @Override
  public DiskFile create(Path file) throws IOException {
    DiskFile[] made = new DiskFile[1];
    call(Change.CREATE, file, 0, NONE, _ -> made[0] = disk.create(file));
    return new File(made[0], file);
  }

  @Override
  public boolean exists(Path file) throws IOException {
    return disk.exists(file);
  }

  @Override
  public void delete(Path file) throws IOException {
    call(Change.DELETE, file, 0, NONE, _ -> disk.delete(file));
  }

  @Override
  public void forceNames(Path directory) throws IOException {
    call(Change.FORCE_NAMES, directory, 0, NONE, _ -> disk.forceNames(directory));
  }

  private final class File implements DiskFile {
    private final DiskFile file;
    private final Path path;

    File(DiskFile file, Path path) {
      this.file = file;
      this.path = path;
    }

    @Override
    public long length() throws IOException {
      return file.length();
    }

    @Override
    public void read(long at, ByteBuffer into) throws IOException {
      beforeRead();
      file.read(at, into);
    }

    @Override
    public void write(long at, ByteBuffer from) throws IOException {
      call(Change.WRITE, path, at, from, bytes -> file.write(at, bytes));
    }

    @Override
    public void writeDurably(long at, ByteBuffer from) throws IOException {
      call(Change.WRITE_DURABLY, path, at, from, bytes -> file.writeDurably(at, bytes));
    }

    @Override
    public void force() throws IOException {
      call(Change.FORCE, path, 0, NONE, _ -> file.force());
    }

    @Override
    public void setLength(long length) throws IOException {
      call(Change.SET_LENGTH, path, length, NONE, _ -> file.setLength(length));
    }

    @Override
    public boolean readsTheDevice() {
      return file.readsTheDevice();
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }
}
