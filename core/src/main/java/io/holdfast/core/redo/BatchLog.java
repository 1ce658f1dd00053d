package io.holdfast.core.redo;

import io.holdfast.core.RegionAccessException;
import io.holdfast.core.RegionDamagedException;
import io.holdfast.core.RegionFormatException;
import io.holdfast.core.RegionFullException;
import io.holdfast.core.disk.Blocks;
import io.holdfast.core.disk.Disk;
import io.holdfast.core.disk.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.UUID;

/// A ring of batches in a file, each durable when {@link #append} returns.
///
/// What a crash leaves is a prefix of the batches: all whose `append` has returned and that START
/// has not passed, and perhaps the one that was under way.
///
/// **LOG-W1** One batch is under way at a time, so a valid batch proves that the one before it was
/// durable. If that one is not valid, it has decayed: the log is refused, not cut off. The last
/// batch alone has no such witness.
///
/// **LOG-W2** No block of a batch is written again before a header is durable whose START is behind
/// it.
///
/// **LOG-W3** A batch counts if its salt, its number and the checksum of the batch before it are
/// the right ones. So no batch of a former life of the file's blocks is taken for one of this, nor
/// of a former lap or of a copy of the log that went its own way. Numbers are never used twice in
/// the life of a file, but for a batch that no opening has found; so a ring that becomes longer
/// keeps its salt.
///
/// **LOG-W5** A batch that an opening has not found is never found again. If its header is there,
/// and other sectors are missing, a later write to its blocks that is torn in turn could bring what
/// is missing: zeros behind a payload are the same in all batches. So opening erases such a header,
/// durably, before a batch of the same number is written.
///
/// **BATCH-W1** A batch is never split. One that does not fit before the ring's end is at the
/// ring's beginning, and no word says so: a reader looks for it at its place, then there. It can't
/// find two: a second batch of one number is written only after an opening has found the first one
/// at neither of the places, and by LOG-W5 it is not found again.
///
/// **CREATE-1** Zeros over the whole file, and its length, are durable before its header, the
/// header before the names of the directory. So a header is never found before a former life's
/// blocks; and a write to the ring allocates nothing.
///
/// **FAIL-1** After a write or a sync that failed nothing is written again, and every later call
/// says so: whether those bytes are durable nobody knows, and a later success would not tell
/// (DISK-4).
///
/// One thread appends and another one may move START and grow the ring meanwhile. The monitor
/// guards the fields in memory, and is held for no I/O: each of the two threads writes to blocks
/// that are its own by LOG-W2 and LOG-W4. It takes no call to be given back, which could fail.
public final class BatchLog implements AutoCloseable {
  private static final int ZEROS_AT_A_TIME = 1 << 20;
  private static final long NOWHERE = -1;

  /// Number of the first batch.
  private static final int FIRST = 1;

  private interface DiskOperation {
    void run() throws IOException;
  }

  private final DiskFile file;
  private final Path path;

  /// The one that is durable; changed by the thread that moves START alone.
  private LogHeader header;

  private Mark next;

  /// What the log must have.
  private Mark reach;

  /// Where the blocks that are in use begin: START, or the ring's beginning if what is behind START
  /// was skipped with nothing in use.
  private long usedFrom;

  /// What {@link #bytesInUse} and {@link #ringBytes} say, without the lock: who is about to park
  /// asks them, and waiting for a lock would take away the wake-up that is meant for that (ACK-4).
  private volatile long inUse;

  private volatile int ring;

  private boolean isReady;
  private Throwable failure;

  /// The appending thread's.
  private ByteBuffer blocks = Blocks.allocate(0);

  private ByteBuffer payload;

  private BatchLog(DiskFile file, Path path, LogHeader header) {
    this.file = file;
    this.path = path;
    this.header = header;
    this.next = header.start();
    this.reach = header.start();
    this.usedFrom = next.position();
    tell();
  }

  /// Makes a log, ready to append. A file of which this made a part only is deleted again.
  ///
  /// @param identity a random number
  /// @param ringBytes a multiple of {@link Blocks#BYTES}
  /// @throws RegionFullException if the device has no room
  /// @throws RegionAccessException if there is such a file, or it can't be made
  public static BatchLog create(Disk disk, Path path, long identity, int ringBytes) {
    requireRing(ringBytes, Blocks.BYTES);
    DiskFile file = make(disk, path);
    try {
      LogHeader header =
          new LogHeader(
              LogHeader.FORMAT_VERSION,
              identity,
              salt(),
              1,
              ringBytes,
              new Mark(LogHeader.RING, FIRST, 0));
      writeZeros(file, path, 0, header.end());
      // CREATE-1. Test: BatchLogCrashTest.createIsWholeOrRefused.
      file.force();
      header.write(file);
      disk.forceNames(path.toAbsolutePath().getParent());
      BatchLog log = new BatchLog(file, path, header);
      log.isReady = true;
      return log;
    } catch (IOException e) {
      RegionAccessException refused = refused("create", path, e);
      deleteAfter(refused, disk, file, path);
      throw refused;
    } catch (RuntimeException | Error e) {
      deleteAfter(e, disk, file, path);
      throw e;
    }
  }

  private static DiskFile make(Disk disk, Path path) {
    try {
      return disk.create(path);
    } catch (IOException e) {
      throw refused("create", path, e);
    }
  }

  private static void deleteAfter(Throwable failure, Disk disk, DiskFile file, Path path) {
    try (file) {
      disk.delete(path);
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
  }

  private static long salt() {
    UUID random = UUID.randomUUID(); // 6 of its 128 bits are not random
    return random.getMostSignificantBits() ^ Long.rotateLeft(random.getLeastSignificantBits(), 32);
  }

  /// Opens a log, writing nothing. {@link #replay} comes next.
  ///
  /// @throws RegionFormatException if this is no log, or one of a newer version
  /// @throws RegionDamagedException if its header is damaged, or the file was cut off
  /// @throws RegionAccessException if it can't be read
  public static BatchLog open(Disk disk, Path path) {
    DiskFile file = null;
    try {
      file = disk.open(path);
      return new BatchLog(file, path, LogHeader.read(file, path));
    } catch (IOException e) {
      RegionAccessException refused = refused("open", path, e);
      closeAfter(refused, file);
      throw refused;
    } catch (RuntimeException | Error e) {
      closeAfter(e, file);
      throw e;
    }
  }

  /// Whether a file is a log, or the beginning of one whose creation was cut off.
  public static boolean isLog(Disk disk, Path path) throws IOException {
    try (DiskFile file = disk.open(path)) {
      return LogHeader.isIn(file);
    }
  }

  /// Whether a log of which {@link #isLog} says that it is one has, or had, a batch. Of a creation
  /// that was cut off it has none.
  ///
  /// @throws RegionFormatException if it is of a newer version
  /// @throws RegionDamagedException if it is damaged
  static boolean isUsed(Disk disk, Path path) throws IOException {
    try (DiskFile file = disk.open(path)) {
      if (!LogHeader.hasMagic(file)) {
        return false;
      }
    }
    try (BatchLog log = open(disk, path)) {
      return log.look((_, _, _) -> {}).number() > FIRST;
    }
  }

  private static void closeAfter(Throwable failure, DiskFile file) {
    try (file) {
      // nothing else
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
  }

  private static RegionAccessException refused(String what, Path path, IOException e) {
    return new RegionAccessException(
        "%s: cannot %s the redo log: %s: %s. Check the path, its permissions and the device"
            .formatted(path, what, e.getClass().getSimpleName(), e.getMessage()),
        e);
  }

  /// The number that the region's file has too.
  public long identity() {
    return header.identity();
  }

  /// Says how far the log must reach, before it is read: REACH-1. For a log of version 1, of which
  /// the region says nothing, any end will do.
  void mustReach(Mark mark) {
    if (header.hasReach()) {
      reach = mark;
    }
  }

  /// Passes all batches from START on, in order; then the log is ready to append. What was passed
  /// is durable when this has returned, not before: so the consumer does nothing that can't be
  /// undone.
  ///
  /// @return how many batches
  /// @throws RegionDamagedException if a batch has decayed (LOG-W1), or the log does not reach as
  ///   far as it must; nothing was written
  /// @throws RegionAccessException if the disk failed
  public long replay(BatchConsumer consumer) {
    requireReady(false);
    LogReader[] read = new LogReader[1];
    long count = read(consumer, read);
    LogReader reader = read[0];
    // LOG-W1 would refuse a successor of a batch that is in the device's cache alone. Test:
    // BatchLogCrashTest.whatAKilledProcessLeftIsDurableBehindReplay.
    attempt(reader::makeDurable);
    attempt(reader::eraseTornBatch);
    next = reader.next();
    usedFrom = reader.first();
    tell();
    isReady = true;
    return count;
  }

  /// Passes all batches from START on, in order, and writes nothing: for who only looks.
  ///
  /// @return where the next one will be
  /// @throws RegionDamagedException if a batch has decayed (LOG-W1), or the log does not reach as
  ///   far as it must
  /// @throws RegionAccessException if the disk failed
  public Mark look(BatchConsumer consumer) {
    LogReader[] read = new LogReader[1];
    read(consumer, read);
    return read[0].next();
  }

  /// Passes some batches on, while others append, and nobody moves START.
  ///
  /// @param start the first one's, not before START
  /// @param end number of the first one that is not passed on; those before it are durable
  void look(Mark start, long end, BatchConsumer consumer) throws IOException {
    LogHeader from;
    synchronized (this) {
      from = header.withStart(start);
    }
    long count = new LogReader(file, path, from).replay(consumer, end);
    if (count != end - start.number()) {
      throw new IOException(
          "batch %d of %s cannot be read again".formatted(start.number() + count, path));
    }
  }

  private long read(BatchConsumer consumer, LogReader[] reader) {
    try {
      reader[0] = new LogReader(file, path, header);
      return reader[0].replay(consumer, reach);
    } catch (IOException e) {
      throw refused("read", path, e);
    }
  }

  /// The buffer to fill with a payload, little-endian: empty, and the same at each call. What is
  /// before its position is appended.
  public ByteBuffer payload() {
    int most = Math.min(Batch.MAX_BYTES, ringBytes());
    if (blocks.capacity() < most) {
      blocks = Blocks.allocate(most);
      payload =
          blocks
              .slice(Batch.HEADER_BYTES, Math.min(Batch.MAX_PAYLOAD, most - Batch.HEADER_BYTES))
              .order(blocks.order());
    }
    return payload.clear();
  }

  /// Writes a batch of what is in {@link #payload}; it is durable when this returns.
  ///
  /// @param isComplete whether it is the last batch of its epoch
  /// @throws RegionAccessException if the disk has failed, now or before (FAIL-1)
  /// @throws IllegalStateException if there is no room: {@link #hasRoomFor}
  public void append(long epoch, boolean isComplete) {
    int length = payload == null ? payload().position() : payload.position();
    Mark at = place(length);
    Batch batch = Batch.seal(blocks, header.salt(), at, epoch, isComplete, length);
    attempt(
        () ->
            file.writeDurably(at.position(), blocks.duplicate().limit(batch.bytes()).position(0)));
    payload.clear();
    synchronized (this) {
      next = new Mark(at.position() + batch.bytes(), at.number() + 1, batch.crc());
      tell();
    }
  }

  private Mark place(int length) {
    synchronized (this) {
      requireSound();
      requireReady(true);
      int bytes = Batch.bytes(length);
      long position = placeOf(bytes);
      if (position == NOWHERE) {
        throw new IllegalStateException(
            "%s: the redo log has no room: needed=%d bytes, in use=%d bytes, ring=%d bytes. Move START or grow the ring first"
                .formatted(path, bytes, used(), header.ringBytes()));
      }
      if (isEmpty() && position < next.position()) {
        usedFrom = position; // the batch may be longer than what is before START
      }
      return new Mark(position, next.number(), next.crc());
    }
  }

  /// LOG-W2. Tests: BatchLogCrashTest.lapsAreKeptApart, BatchLogTest.aFullRingHasNoRoom.
  private long placeOf(int bytes) {
    long free = isWrapped() ? usedFrom : header.end();
    if (bytes <= free - next.position()) {
      return next.position();
    }
    long freeAtBeginning = isEmpty() ? header.end() : isWrapped() ? 0 : usedFrom;
    return bytes <= freeAtBeginning - LogHeader.RING ? LogHeader.RING : NOWHERE;
  }

  private boolean isEmpty() {
    return next.number() == header.start().number();
  }

  /// Whether the batches in use go on at the ring's beginning. A batch has a block at least, so
  /// what ends where it begins is full.
  private boolean isWrapped() {
    return !isEmpty() && next.position() <= usedFrom;
  }

  private void tell() {
    inUse = used();
    ring = header.ringBytes();
  }

  private long used() {
    if (isEmpty()) {
      return 0;
    }
    long used = next.position() - usedFrom;
    return isWrapped() ? used + header.ringBytes() : used;
  }

  /// Whether a payload of so many bytes can be appended now.
  public boolean hasRoomFor(int payloadBytes) {
    synchronized (this) {
      return payloadBytes <= Batch.MAX_PAYLOAD && placeOf(Batch.bytes(payloadBytes)) != NOWHERE;
    }
  }

  /// Where the next batch will be.
  public Mark mark() {
    synchronized (this) {
      return next;
    }
  }

  /// Sets START, durably: what is before the mark is not replayed, and its blocks are free.
  ///
  /// @param mark of this log, not before START
  /// @throws RegionAccessException if the disk has failed, now or before (FAIL-1)
  public void moveStart(Mark mark) {
    LogHeader moved;
    synchronized (this) {
      requireSound();
      requireReady(true);
      long least = header.start().number();
      if (mark.number() < least || mark.number() > next.number()) {
        throw new IllegalArgumentException(
            "a mark between START and the next batch is required: mark=%d, start=%d, next=%d"
                .formatted(mark.number(), least, next.number()));
      }
      if (mark.number() == least) {
        return;
      }
      moved = header.withStart(mark);
    }
    // LOG-W2: durable, then free. Test: BatchLogCrashTest.startMoves.
    attempt(() -> moved.write(file));
    synchronized (this) {
      header = moved;
      usedFrom = mark.position();
      tell();
    }
  }

  /// Bytes that can't be written before START moves.
  public long bytesInUse() {
    return inUse;
  }

  public int ringBytes() {
    return ring;
  }

  /// Makes the ring longer, unless the batches in use go on at its beginning: then what is added
  /// would be of use only a lap later. If they come to do so meanwhile, no harm is done (BATCH-W1
  /// does not depend on where the ring ends).
  ///
  /// @return whether the ring is longer
  /// @throws RegionFullException if the device has no room; the log is as it was
  /// @throws RegionAccessException if the disk has failed, now or before (FAIL-1)
  public boolean grow(int newRingBytes) {
    LogHeader longer;
    long oldEnd;
    synchronized (this) {
      requireSound();
      requireReady(true);
      requireRing(newRingBytes, header.ringBytes() + Blocks.BYTES);
      if (isWrapped()) {
        return false;
      }
      oldEnd = header.end();
      longer = header.withRingBytes(newRingBytes);
    }
    try {
      writeZeros(file, path, oldEnd, longer.end());
    } catch (RegionFullException e) {
      cutOffAfter(e, oldEnd);
      throw e;
    }
    // The zeros, then the header. Test: BatchLogCrashTest.theRingGrows.
    attempt(file::force);
    attempt(() -> longer.write(file));
    synchronized (this) {
      header = longer;
      tell();
    }
    return true;
  }

  private void cutOffAfter(RegionFullException failure, long oldEnd) {
    try {
      file.setLength(oldEnd);
    } catch (IOException e) {
      failure.addSuppressed(e); // the file is too long, which harms nobody
    }
  }

  /// Of all files that zeros are written to nobody reads the part yet, so a failure is no doubt
  /// about anything.
  private static void writeZeros(DiskFile file, Path path, long from, long to) {
    ByteBuffer zeros = ByteBuffer.allocateDirect((int) Math.min(ZEROS_AT_A_TIME, to - from));
    try {
      for (long at = from; at < to; at += zeros.limit()) {
        zeros.clear().limit((int) Math.min(zeros.capacity(), to - at));
        file.write(at, zeros);
      }
    } catch (IOException e) {
      throw new RegionFullException(
          "%s: the device has no room for the redo log: length=%d bytes, needed=%d bytes: %s. Make room and call again"
              .formatted(path, from, to, e.getMessage()),
          e);
    }
  }

  private static void requireRing(int ringBytes, int least) {
    if (ringBytes < least || !Blocks.areWhole(ringBytes)) {
      throw new IllegalArgumentException(
          "a ring of whole blocks is required: bytes=%d, min=%d, block=%d"
              .formatted(ringBytes, least, Blocks.BYTES));
    }
  }

  private void requireReady(boolean ready) {
    if (isReady != ready) {
      throw new IllegalStateException(
          "%s: the redo log is replayed once, before all else: replayed=%s"
              .formatted(path, isReady));
    }
  }

  /// FAIL-1. Test: BatchLogFailureTest.
  private void attempt(DiskOperation operation) {
    try {
      operation.run();
    } catch (Throwable e) {
      synchronized (this) {
        failure = failure == null ? e : failure;
        requireSound();
      }
    }
  }

  private void requireSound() {
    if (failure != null) {
      throw new RegionAccessException(
          "%s: the redo log failed to make data durable, and it is not known whether they are: %s. Close the store and open it again; opening recovers what was durable"
              .formatted(path, failure),
          failure);
    }
  }

  /// Closes the file; nothing is written.
  @Override
  public void close() {
    try {
      file.close();
    } catch (IOException e) {
      throw refused("close", path, e);
    }
  }

  @Override
  public String toString() {
    return path.toString();
  }
}
