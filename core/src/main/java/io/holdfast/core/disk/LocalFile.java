package io.holdfast.core.disk;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.stream.Stream;

/// A file of the operating system, behind two descriptors.
///
/// One goes through the page cache. The other is for what must be durable at once: `O_DIRECT` and
/// `O_DSYNC`, so that {@link #writeDurably} is one system call. Where the file system refuses
/// direct I/O, or has blocks that are longer than ours, it is a write and `force(false)`; on macOS
/// too, since there a sync alone (`F_FULLFSYNC`, by the JDK) empties the device's cache. It is a
/// descriptor of its own even then: the kernel tells of a failed write-back once for each, so a
/// {@link #force} beside it can't take away the error that is its own.
///
/// An interrupt would close a `FileChannel`. An `AsynchronousFileChannel` it does not close, and on
/// Linux that is no more than `pread` and `pwrite` in a thread of the executor, here the calling
/// one.
final class LocalFile implements DiskFile {
  private static final OpenOption DIRECT = direct();

  private final Path path;
  private final AsynchronousFileChannel cached;
  private final AsynchronousFileChannel durable;
  private final boolean isDirect;

  private LocalFile(
      Path path,
      AsynchronousFileChannel cached,
      AsynchronousFileChannel durable,
      boolean isDirect) {
    this.path = path;
    this.cached = cached;
    this.durable = durable;
    this.isDirect = isDirect;
  }

  static LocalFile open(Path path, Set<OpenOption> access) throws IOException {
    AsynchronousFileChannel cached = LocalDisk.channel(path, access);
    try {
      AsynchronousFileChannel direct = openDirect(path, access);
      return direct != null
          ? new LocalFile(path, cached, direct, true)
          : new LocalFile(path, cached, LocalDisk.channel(path, access), false);
    } catch (Throwable e) {
      cached.close();
      throw e;
    }
  }

  /// By its name, because javac warns of each mention of the class, and can't be told not to.
  ///
  /// @return `null` if this JDK has none, or the system's is no promise
  private static OpenOption direct() {
    if (!System.getProperty("os.name").equals("Linux")) {
      return null;
    }
    try {
      Object[] options = Class.forName("com.sun.nio.file.ExtendedOpenOption").getEnumConstants();
      return Stream.of(options)
          .filter(each -> each.toString().equals("DIRECT"))
          .map(OpenOption.class::cast)
          .findFirst()
          .orElse(null);
    } catch (ClassNotFoundException e) {
      return null;
    }
  }

  /// `null` if there is no direct I/O here by blocks of our length. What else is wrong with the
  /// file the other descriptor has told.
  private static AsynchronousFileChannel openDirect(Path path, Set<OpenOption> access)
      throws IOException {
    if (DIRECT == null || Blocks.BYTES % Files.getFileStore(path).getBlockSize() != 0) {
      return null;
    }
    try {
      Set<OpenOption> options = new HashSet<>(access);
      options.addAll(Set.of(StandardOpenOption.DSYNC, DIRECT));
      return LocalDisk.channel(path, options);
    } catch (IOException | UnsupportedOperationException e) {
      return null; // EINVAL of a file system without it
    }
  }

  @Override
  public long length() throws IOException {
    return cached.size();
  }

  @Override
  public void read(long at, ByteBuffer into) throws IOException {
    boolean goesDirect = isDirect && Blocks.areWhole(at, into);
    AsynchronousFileChannel channel = goesDirect ? durable : cached;
    while (into.hasRemaining()) {
      int count = result(channel.read(into, at));
      if (count < 0) {
        throw new EOFException("%s: ends at %d".formatted(path, at));
      }
      at += count;
      if (!Blocks.areWhole(at, into)) {
        channel = cached; // the end of a file that does not end with a block
      }
    }
  }

  /// A short write to the page cache has no reason of its own: the next one says it.
  @Override
  public void write(long at, ByteBuffer from) throws IOException {
    while (from.hasRemaining()) {
      int count = result(cached.write(from, at));
      if (count <= 0) {
        throw new IOException(
            "nothing of %d bytes was written at %d".formatted(from.remaining(), at));
      }
      at += count;
    }
  }

  @Override
  public void writeDurably(long at, ByteBuffer from) throws IOException {
    if (!Blocks.areWhole(at, from)) {
      throw new IllegalArgumentException(
          "whole blocks are required: at=%d, buffer=%s".formatted(at, from));
    }
    if (isDirect) {
      writeAtOnce(at, from);
    } else {
      // One at a time: the error of one must not be told to the other that syncs beside it.
      synchronized (durable) {
        writeAtOnce(at, from);
        durable.force(false);
      }
    }
  }

  private void writeAtOnce(long at, ByteBuffer from) throws IOException {
    int length = from.remaining();
    int count = result(durable.write(from, at));
    if (count != length) {
      throw new IOException("%d of %d bytes were written at %d".formatted(count, length, at));
    }
  }

  @Override
  public void force() throws IOException {
    cached.force(true);
  }

  @Override
  public void setLength(long length) throws IOException {
    if (length > length()) {
      write(length - 1, ByteBuffer.allocate(1));
    } else {
      cached.truncate(length);
    }
  }

  @Override
  public boolean readsTheDevice() {
    return isDirect;
  }

  @Override
  public void close() throws IOException {
    try (durable;
        cached) {
      // both are closed, whatever the first says
    }
  }

  /// What an operation returned that is done already, because the calling thread has done it.
  private static int result(Future<Integer> done) throws IOException {
    return switch (done.state()) {
      case SUCCESS -> done.resultNow();
      case FAILED -> throw asIOException(done.exceptionNow());
      case RUNNING, CANCELLED -> throw new IllegalStateException("not done by its thread: " + done);
    };
  }

  private static IOException asIOException(Throwable e) {
    return e instanceof IOException io ? io : new IOException(e);
  }

  @Override
  public String toString() {
    return path.toString();
  }
}
