package io.holdfast.testkit;

import io.holdfast.core.disk.Disk;
import io.holdfast.core.disk.DiskFile;
import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/// A disk of real files that writes down what a process has it do, for {@link PowerCuts}. Each call
/// is written down before it is made, and no other one is made meanwhile: so the last one of a
/// beginning of the trace is the one that the cut strikes.
public final class TracedDisk implements Disk, AutoCloseable {
  /// What a trace consists of.
  enum Call {
    /// A file that was there, durably: its bytes.
    KNOWN,
    CREATE,
    DELETE,
    FORCE_NAMES,
    WRITE,
    WRITE_DURABLY,
    FORCE,
    SET_LENGTH,
    /// A file was found longer: by zeros, which are durable.
    LENGTHENED,
    /// What the program has told: nothing that a disk does.
    TOLD
  }

  private static final byte[] NOTHING = {};

  private final DataOutputStream trace;
  private final Map<Path, Long> lengths = new HashMap<>();

  /// @param trace is made
  public TracedDisk(Path trace) throws IOException {
    this.trace = new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(trace)));
  }

  /// Has the disk know of a file that is there, durably.
  public synchronized void knows(Path file) throws IOException {
    Path real = file.toRealPath();
    lengths.put(real, Files.size(real));
    write(Call.KNOWN, real, 0, Files.readAllBytes(real));
  }

  /// Writes down what the program says now: of a cut behind this, it is known.
  ///
  /// @param channel whose word it is
  public synchronized void told(int channel, long number) {
    try {
      write(
          Call.TOLD,
          Path.of(String.valueOf(channel)),
          0,
          ByteBuffer.allocate(Long.BYTES).putLong(number).array());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void write(Call call, Path file, long at, byte[] bytes) throws IOException {
    trace.writeByte(call.ordinal());
    trace.writeUTF(file.getFileName().toString());
    trace.writeLong(at);
    trace.writeInt(bytes.length);
    trace.write(bytes);
  }

  /// Before a call. A file that grows gets its zeros, durably, by other ways.
  private void call(Call call, Path file, long at, byte[] bytes) throws IOException {
    for (Map.Entry<Path, Long> each : lengths.entrySet()) {
      long length = Files.size(each.getKey());
      // What is longer is so for a moment, while it is mapped.
      if (length > each.getValue() && length < CutDisk.LENGTH_MAX) {
        each.setValue(length);
        write(Call.LENGTHENED, each.getKey(), length, NOTHING);
      }
    }
    write(call, file, at, bytes);
  }

  @Override
  public synchronized DiskFile open(Path file) throws IOException {
    return new Traced(Disk.local().open(file), file);
  }

  @Override
  public synchronized DiskFile create(Path file) throws IOException {
    call(Call.CREATE, file, 0, NOTHING);
    return new Traced(Disk.local().create(file), file);
  }

  @Override
  public boolean exists(Path file) throws IOException {
    return Disk.local().exists(file);
  }

  @Override
  public synchronized void delete(Path file) throws IOException {
    call(Call.DELETE, file, 0, NOTHING);
    Disk.local().delete(file);
  }

  @Override
  public synchronized void forceNames(Path directory) throws IOException {
    call(Call.FORCE_NAMES, directory, 0, NOTHING);
    Disk.local().forceNames(directory);
  }

  @Override
  public synchronized void close() throws IOException {
    trace.close();
  }

  private final class Traced implements DiskFile {
    private final DiskFile file;
    private final Path path;

    Traced(DiskFile file, Path path) {
      this.file = file;
      this.path = path;
    }

    private static byte[] rest(ByteBuffer from) {
      byte[] bytes = new byte[from.remaining()];
      from.duplicate().get(bytes);
      return bytes;
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
    public void write(long at, ByteBuffer from) throws IOException {
      synchronized (TracedDisk.this) {
        call(Call.WRITE, path, at, rest(from));
        file.write(at, from);
      }
    }

    @Override
    public void writeDurably(long at, ByteBuffer from) throws IOException {
      synchronized (TracedDisk.this) {
        call(Call.WRITE_DURABLY, path, at, rest(from));
        file.writeDurably(at, from);
      }
    }

    @Override
    public void force() throws IOException {
      synchronized (TracedDisk.this) {
        call(Call.FORCE, path, 0, NOTHING);
        file.force();
      }
    }

    @Override
    public void setLength(long length) throws IOException {
      synchronized (TracedDisk.this) {
        call(Call.SET_LENGTH, path, length, NOTHING);
        lengths.replace(path, length);
        file.setLength(length);
      }
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
