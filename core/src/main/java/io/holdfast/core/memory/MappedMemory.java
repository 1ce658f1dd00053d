package io.holdfast.core.memory;

import io.holdfast.core.RegionAccessException;
import io.holdfast.core.RegionFullException;
import io.holdfast.core.StoreClosedException;
import io.holdfast.core.persistence.PersistenceDomain;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/// A region in a file that is mapped shared: what a store has written is in the kernel's page
/// cache, and stays there when the process dies.
///
/// The file is seen through chunks of 4 MiB, each a slice of some mapping. Growing maps the new
/// bytes and publishes a longer table of chunks; nothing is ever unmapped in use, and an old table
/// stays valid for the offsets it knows (FACTS 9). Whoever learns an offset in a new chunk learns
/// it through a release that follows the table's publication.
///
/// No restricted method is called, so no flag is needed (FACTS 10). A page of the region always has
/// its block on the device before it is mapped: growth writes zeros, in writes of 4 KiB because
/// larger ones make `msync` write a mebibyte for every word (FACTS 7), and because the first store
/// to a page that was written is cheap (FACTS 16).
///
/// Growth opens its own channel, so that an interrupt, which closes the channel in use, costs a
/// retry and nothing else. The kernel lock is on another file ({@link RegionLock}, FACTS 6).
public final class MappedMemory extends Memory {
  private static final int CHUNK_SHIFT = 22;
  private static final long CHUNK_BYTES = 1L << CHUNK_SHIFT;
  private static final long CHUNK_MASK = CHUNK_BYTES - 1;

  private static final ValueLayout.OfLong WORD =
      ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle WORDS = WORD.varHandle();

  private final Path path;
  private final FileIdentity identity;
  private final PersistenceDomain domain;
  private final Arena arena = Arena.ofShared();
  private MemorySegment[] chunks = {};
  private volatile long length;
  private volatile boolean closed;

  /// Maps a file as it is.
  ///
  /// @param length the bytes to map; the file has at least as many
  ///
  /// @throws IOException if it can't be found
  public MappedMemory(Path path, long length, PersistenceDomain domain) throws IOException {
    this(FileIdentity.of(path), length, domain);
  }

  private MappedMemory(FileIdentity identity, long length, PersistenceDomain domain) {
    this.identity = identity;
    this.path = identity.path();
    this.domain = domain;
    Uninterrupted.run(
        "map",
        path,
        () -> {
          try (FileChannel channel = openChannel()) {
            map(channel, length);
          }
        });
  }

  private FileChannel openChannel() throws IOException {
    FileChannel channel = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
    try {
      identity.check(); // FILE-1. Test: TwoProcessesTest.theFileOfAnOpenStoreIsReplaced.
      return channel;
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  @Override
  public long length() {
    return length;
  }

  @Override
  public synchronized void grow(long newLength) {
    long oldLength = length;
    if (newLength <= oldLength) {
      throw new IllegalArgumentException(
          "a region only grows: length=%d, newLength=%d".formatted(oldLength, newLength));
    }
    if (closed) {
      // By now the file may be another store's, and what lies behind this length its data.
      throw new StoreClosedException(closedMessage());
    }
    try {
      Uninterrupted.run(
          "grow",
          path,
          () -> {
            try (FileChannel channel = openChannel()) {
              allocate(channel, oldLength, newLength);
              if (domain.survivesPowerFailure()) {
                // The length is durable before anything speaks of it.
                channel.force(true);
              }
              map(channel, newLength);
            }
          });
    } catch (RegionAccessException e) {
      throw new RegionFullException(
          "%s: cannot grow the region: from=%d bytes, to=%d bytes (%s). Nothing is lost; make room on the device, or raise the quota or file-size limit, and call again"
              .formatted(path, oldLength, newLength, e.getCause().getMessage()),
          e.getCause());
    }
  }

  private static void allocate(FileChannel channel, long from, long to) throws IOException {
    ByteBuffer page = ByteBuffer.allocateDirect(RegionLayout.PAGE_BYTES);
    try {
      for (long at = from; at < to; at += page.limit()) {
        page.clear().limit((int) Math.min(page.capacity(), to - at));
        while (page.hasRemaining()) {
          channel.write(page, at + page.position());
        }
      }
    } catch (ClosedByInterruptException e) {
      throw e;
    } catch (IOException e) {
      // Give back what was allocated: a full disk should not stay fuller for our attempt. These
      // bytes were never mapped, so no access can fault.
      channel.truncate(from);
      throw e;
    }
  }

  private void map(FileChannel channel, long newLength) throws IOException {
    int first = (int) (length >>> CHUNK_SHIFT);
    int count = (int) ((newLength + CHUNK_MASK) >>> CHUNK_SHIFT);
    long start = (long) first << CHUNK_SHIFT;
    MemorySegment mapping;
    try {
      mapping = domain.map(channel, start, newLength - start, arena);
    } catch (IllegalStateException e) {
      throw asClosed(e);
    }
    MemorySegment[] grown = Arrays.copyOf(chunks, count);
    for (int i = first; i < count; i++) {
      long at = ((long) i << CHUNK_SHIFT) - start;
      grown[i] = mapping.asSlice(at, Math.min(CHUNK_BYTES, mapping.byteSize() - at));
    }
    // Orders the table's elements before the table: a thread that reads the new table through a
    // race of its own must not find null slices. Test: MappedMemoryTest.readersSeeGrowth.
    VarHandle.releaseFence();
    chunks = grown;
    length = newLength;
  }

  /// What a thread is told that finds the memory gone: the store was closed while it was on its way
  /// here.
  private RuntimeException asClosed(IllegalStateException e) {
    return closed ? new StoreClosedException(closedMessage(), e) : e;
  }

  private String closedMessage() {
    return "%s: the store is closed. Open it again".formatted(path);
  }

  private MemorySegment chunk(long offset) {
    return chunks[(int) (offset >>> CHUNK_SHIFT)];
  }

  @Override
  public long readPlain(long offset) {
    try {
      return (long) WORDS.get(chunk(offset), offset & CHUNK_MASK);
    } catch (IllegalStateException e) {
      throw asClosed(e);
    }
  }

  @Override
  public long readAcquire(long offset) {
    try {
      return (long) WORDS.getAcquire(chunk(offset), offset & CHUNK_MASK);
    } catch (IllegalStateException e) {
      throw asClosed(e);
    }
  }

  @Override
  public void writePlain(long offset, long value) {
    try {
      WORDS.set(chunk(offset), offset & CHUNK_MASK, value);
    } catch (IllegalStateException e) {
      throw asClosed(e);
    }
  }

  @Override
  public void writeRelease(long offset, long value) {
    try {
      WORDS.setRelease(chunk(offset), offset & CHUNK_MASK, value);
    } catch (IllegalStateException e) {
      throw asClosed(e);
    }
  }

  @Override
  public void writeEntryRelease(long offset, long w0, long w1, long w2, long last) {
    try {
      MemorySegment chunk = chunk(offset);
      long at = offset & CHUNK_MASK;
      WORDS.set(chunk, at, w0);
      WORDS.set(chunk, at + 8, w1);
      WORDS.set(chunk, at + 16, w2);
      WORDS.setRelease(chunk, at + 24, last);
    } catch (IllegalStateException e) {
      throw asClosed(e);
    }
  }

  @Override
  public void readBytes(long offset, byte[] into, int at, int count) {
    try {
      for (int done = 0; done < count; ) {
        MemorySegment chunk = chunk(offset + done);
        long local = (offset + done) & CHUNK_MASK;
        int part = (int) Math.min(count - done, CHUNK_BYTES - local);
        MemorySegment.copy(chunk, ValueLayout.JAVA_BYTE, local, into, at + done, part);
        done += part;
      }
    } catch (IllegalStateException e) {
      throw asClosed(e);
    }
  }

  @Override
  public void writeBytesPlain(long offset, byte[] from, int at, int count) {
    try {
      for (int done = 0; done < count; ) {
        MemorySegment chunk = chunk(offset + done);
        long local = (offset + done) & CHUNK_MASK;
        int part = (int) Math.min(count - done, CHUNK_BYTES - local);
        MemorySegment.copy(from, at + done, chunk, ValueLayout.JAVA_BYTE, local, part);
        done += part;
      }
    } catch (IllegalStateException e) {
      throw asClosed(e);
    }
  }

  @Override
  public void zeroPlain(long offset, long count) {
    try {
      for (long done = 0; done < count; ) {
        long local = (offset + done) & CHUNK_MASK;
        long part = Math.min(count - done, CHUNK_BYTES - local);
        chunk(offset + done).asSlice(local, part).fill((byte) 0);
        done += part;
      }
    } catch (IllegalStateException e) {
      throw asClosed(e);
    }
  }

  @Override
  public void releaseFence() {
    VarHandle.releaseFence();
  }

  @Override
  public void flush(long offset, long count) {
    if (!domain.survivesPowerFailure()) {
      return; // An append to the page cache took 6.8 ns with the search for its chunk, now 6.0.
    }
    try {
      for (long done = 0; done < count; ) {
        MemorySegment chunk = chunk(offset + done);
        long local = (offset + done) & CHUNK_MASK;
        long part = Math.min(count - done, CHUNK_BYTES - local);
        domain.flush(chunk, local, part);
        done += part;
      }
    } catch (IllegalStateException e) {
      throw asClosed(e);
    }
  }

  @Override
  public void fence() {
    domain.fence();
  }

  @Override
  public String name() {
    return path.toString();
  }

  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      arena.close();
    }
  }

  @Override
  public Memory reopen() {
    return new MappedMemory(identity, length, domain);
  }

  @Override
  public String toString() {
    return "%s (%d bytes%s)".formatted(path, length, closed ? ", closed" : "");
  }
}
