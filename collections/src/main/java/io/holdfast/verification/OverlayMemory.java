package io.holdfast.verification;

import io.holdfast.core.RegionAccessException;
import io.holdfast.core.RegionDamagedException;
import io.holdfast.core.RegionFormatException;
import io.holdfast.core.RegionFullException;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.memory.PrivateThread;
import io.holdfast.core.memory.RegionLayout;
import io.holdfast.core.redo.Disks;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.function.Consumer;

/// A region's file to look at: mapped for reading alone, so that nothing done here can change it.
/// What is stored goes to copies in this process's memory, and is read from there. So a region that
/// was not closed can be recovered here, by the real recovery, and be looked at as it would be,
/// while the file stays what it was.
///
/// **OVERLAY-1** The file is opened for reading, and mapped read-only: the system itself refuses a
/// store to it. No lock is taken: the file may be in use, by a process that is not hindered. What
/// is read then may be of different moments, so who looks has to say so. Test:
/// OverlayMemoryTest.nothingReachesTheFile.
///
/// What the log of a region on a disk has is stored first, here as well.
///
/// A copy is of 64 KiB, so memory is taken for what is stored to, not for what is read: for an
/// ordinary recovery some ten copies. To grow takes memory for all that is new.
///
/// Thread-safe as memory is: a copy is found by an acquire, made under a lock, and published by a
/// release.
@SuppressWarnings("exports") // what core does not export is for Holdfast's own modules
public final class OverlayMemory extends Memory {
  private static final int COPY_SHIFT = 16;
  private static final int COPY_BYTES = 1 << COPY_SHIFT;
  private static final long COPY_MASK = COPY_BYTES - 1L;

  /// Copies of a row: 64 MiB. The longest region, 16 TiB, has 2^18 rows.
  private static final int ROW_SHIFT = 10;

  private static final int ROW_COPIES = 1 << ROW_SHIFT;

  private static final VarHandle WORDS =
      ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN).varHandle();
  private static final VarHandle ROWS =
      MethodHandles.arrayElementVarHandle(MemorySegment[][].class);
  private static final VarHandle COPIES =
      MethodHandles.arrayElementVarHandle(MemorySegment[].class);

  private final Path path;
  private final Arena arena = Arena.ofShared();
  private final MemorySegment file;

  /// How much of the file is the region's: what lies behind is not read, even if it is there.
  private volatile long fromFile;

  private volatile long length;
  private volatile MemorySegment[][] rows;

  /// Whether what the file's log has was stored here.
  private boolean hasLog;

  private OverlayMemory(Path path) throws IOException {
    this.path = path;
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      this.length = channel.size();
      this.fromFile = length;
      this.file = channel.map(MapMode.READ_ONLY, 0, length, arena);
    }
    this.rows = new MemorySegment[rowsFor(length)][];
  }

  /// Maps a file as it is.
  ///
  /// @throws RegionFormatException if the path names something that can't be a region, or one whose
  ///   log is missing
  /// @throws RegionAccessException if there is no such file, or it may not be read
  /// @throws RegionDamagedException if its log is damaged
  public static OverlayMemory of(Path path) {
    return of(
        path,
        damage -> {
          throw damage;
        });
  }

  /// The same of a file whose log may be damaged: it is completed by what comes before the damage.
  ///
  /// @param damagedLog is told of it
  static OverlayMemory of(Path path, Consumer<RegionDamagedException> damagedLog) {
    try {
      Path real = path.toRealPath();
      if (!Files.isRegularFile(real)) {
        throw new RegionFormatException(
            "%s: not a file but a %s. Name a region's file"
                .formatted(path, Files.isDirectory(real) ? "directory" : "device or pipe"));
      }
      if (Files.size(real) > RegionLayout.MAX_BYTES) {
        throw new RegionFormatException(
            "%s: longer than any region: length=%d bytes, max=%d bytes. Name a region's file"
                .formatted(path, Files.size(real), RegionLayout.MAX_BYTES));
      }
      OverlayMemory memory = PrivateThread.call("holdfast-look", () -> new OverlayMemory(real));
      try {
        memory.complete(real, damagedLog);
      } catch (IOException | RuntimeException | Error e) {
        memory.close();
        throw e;
      }
      return memory;
    } catch (NoSuchFileException e) {
      throw new RegionAccessException("%s: there is no such file".formatted(path), e);
    } catch (AccessDeniedException e) {
      throw new RegionAccessException(
          "%s: cannot read the file: permission denied. Check its permissions, and its directory's"
              .formatted(path),
          e);
    } catch (IOException e) {
      throw new RegionAccessException(
          "%s: cannot read the file: %s".formatted(path, e.getMessage()), e);
    }
  }

  private void complete(Path real, Consumer<RegionDamagedException> damagedLog) throws IOException {
    try {
      hasLog = Disks.complete(real, this);
    } catch (RegionDamagedException e) {
      damagedLog.accept(e);
      hasLog = true;
    }
  }

  @Override
  public boolean hasLog() {
    return hasLog;
  }

  /// Bytes over no file: all that is in them is in this process's memory.
  public static OverlayMemory empty() {
    return new OverlayMemory();
  }

  private OverlayMemory() {
    this.path = Path.of("in memory");
    this.file = MemorySegment.NULL;
    this.rows = new MemorySegment[rowsFor(0)][];
  }

  private static int rowsFor(long bytes) {
    return (int) ((bytes >>> (COPY_SHIFT + ROW_SHIFT)) + 1);
  }

  /// The copy that holds an offset, null if nothing was stored near it.
  private MemorySegment copy(long offset) {
    MemorySegment[] row =
        (MemorySegment[]) ROWS.getAcquire(rows, (int) (offset >>> (COPY_SHIFT + ROW_SHIFT)));
    return row == null
        ? null
        : (MemorySegment) COPIES.getAcquire(row, (int) (offset >>> COPY_SHIFT) & (ROW_COPIES - 1));
  }

  private MemorySegment copyToStore(long offset) {
    MemorySegment found = copy(offset);
    return found != null ? found : makeCopy(offset);
  }

  private synchronized MemorySegment makeCopy(long offset) {
    MemorySegment found = copy(offset);
    if (found != null) {
      return found;
    }
    int rowNumber = (int) (offset >>> (COPY_SHIFT + ROW_SHIFT));
    MemorySegment[] row = rows[rowNumber];
    if (row == null) {
      row = new MemorySegment[ROW_COPIES];
      ROWS.setRelease(rows, rowNumber, row);
    }
    // Of words, so that the heap aligns it.
    MemorySegment made = MemorySegment.ofArray(new long[COPY_BYTES / Long.BYTES]);
    long start = offset & ~COPY_MASK;
    long there = Math.min(COPY_BYTES, fromFile - start);
    if (there > 0) {
      MemorySegment.copy(file, start, made, 0, there);
    }
    COPIES.setRelease(row, (int) (offset >>> COPY_SHIFT) & (ROW_COPIES - 1), made);
    return made;
  }

  @Override
  public long length() {
    return length;
  }

  @Override
  public synchronized void grow(long newLength) {
    if (newLength > RegionLayout.MAX_BYTES) {
      throw new RegionFullException("%s: longer than any region".formatted(path));
    }
    MemorySegment[][] more = new MemorySegment[rowsFor(newLength)][];
    System.arraycopy(rows, 0, more, 0, Math.min(rows.length, more.length));
    rows = more;
    zeroPlain(length, newLength - length); // a copy may hold what was after the region's end
    length = newLength;
  }

  @Override
  public synchronized void shrink(long newLength) {
    fromFile = Math.min(fromFile, newLength);
    length = newLength;
  }

  @Override
  public void giveBack() {
    // The file is not this one's to change.
  }

  @Override
  public long readPlain(long offset) {
    MemorySegment copy = copy(offset);
    return copy == null
        ? (long) WORDS.get(file, offset)
        : (long) WORDS.get(copy, offset & COPY_MASK);
  }

  @Override
  public long readAcquire(long offset) {
    MemorySegment copy = copy(offset);
    return copy == null
        ? (long) WORDS.getAcquire(file, offset)
        : (long) WORDS.getAcquire(copy, offset & COPY_MASK);
  }

  @Override
  public void writePlain(long offset, long value) {
    WORDS.set(copyToStore(offset), offset & COPY_MASK, value);
  }

  @Override
  public void writeRelease(long offset, long value) {
    WORDS.setRelease(copyToStore(offset), offset & COPY_MASK, value);
  }

  @Override
  public void writeLoggedByte(long offset, byte value) {
    copyToStore(offset).set(ValueLayout.JAVA_BYTE, offset & COPY_MASK, value);
  }

  @Override
  public void writeEntryRelease(long offset, long w0, long w1, long w2, long last) {
    writePlain(offset, w0);
    writePlain(offset + Long.BYTES, w1);
    writePlain(offset + 2 * Long.BYTES, w2);
    writeRelease(offset + 3 * Long.BYTES, last);
  }

  private interface Piece {
    /// @param done bytes before this piece
    void run(long offset, int done, int count);
  }

  private static void pieces(long offset, long length, Piece piece) {
    for (long done = 0; done < length; ) {
      long at = offset + done;
      long count = Math.min(length - done, COPY_BYTES - (at & COPY_MASK));
      piece.run(at, (int) done, (int) count);
      done += count;
    }
  }

  @Override
  public void readBytes(long offset, byte[] into, int at, int length) {
    pieces(
        offset,
        length,
        (from, done, count) -> {
          MemorySegment copy = copy(from);
          MemorySegment.copy(
              copy == null ? file : copy,
              ValueLayout.JAVA_BYTE,
              copy == null ? from : from & COPY_MASK,
              into,
              at + done,
              count);
        });
  }

  @Override
  public void writeBytesPlain(long offset, byte[] from, int at, int length) {
    pieces(
        offset,
        length,
        (to, done, count) ->
            MemorySegment.copy(
                from, at + done, copyToStore(to), ValueLayout.JAVA_BYTE, to & COPY_MASK, count));
  }

  @Override
  public void zeroPlain(long offset, long length) {
    for (long done = 0; done < length; ) {
      long at = offset + done;
      long count = Math.min(length - done, COPY_BYTES - (at & COPY_MASK));
      copyToStore(at).asSlice(at & COPY_MASK, count).fill((byte) 0);
      done += count;
    }
  }

  @Override
  public void releaseFence() {
    VarHandle.releaseFence();
  }

  @Override
  public void flush(long offset, long length) {
    // Nothing is to outlive this process.
  }

  @Override
  public void fence() {
    // Nothing was flushed.
  }

  @Override
  public RegionAccessException faulted(InternalError fault) {
    return new RegionAccessException(
        "%s: a page of the file cannot be read (%s): the device has an error, or another program made the file shorter meanwhile"
            .formatted(path, fault.getMessage()),
        fault);
  }

  @Override
  public String name() {
    return path.toString();
  }

  @Override
  public void close() {
    if (arena.scope().isAlive()) {
      arena.close();
    }
  }

  /// The same: closing is for good here, as nothing is to be written after it.
  @Override
  public Memory reopen() {
    return this;
  }
}
