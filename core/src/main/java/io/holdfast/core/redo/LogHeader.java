package io.holdfast.core.redo;

import io.holdfast.core.RegionDamagedException;
import io.holdfast.core.RegionFormatException;
import io.holdfast.core.disk.Blocks;
import io.holdfast.core.disk.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.zip.CRC32C;

/// The header of a log: one copy in each of the file's first two blocks, little-endian.
///
/// | offset | bytes | content |
/// |---|---|---|
/// | 0 | 8 | magic, the bytes `HFREDO_1` |
/// | 8 | 4 | format version: 2, or 1 if the region's file does not say how far the log must reach |
/// | 12 | 4 | CRC32C of the block but these four bytes |
/// | 16 | 8 | identity: a random number, which the region's file has too |
/// | 24 | 8 | salt, random for each log |
/// | 32 | 8 | sequence number of this copy |
/// | 40 | 8 | bytes of the ring, which begins at the third block |
/// | 48 | 8 | START: position |
/// | 56 | 8 | START: number |
/// | 64 | 4 | START: CRC of the batch before it |
/// | 68 | | zeros |
///
/// **LOG-W4** The copies are written in turn, each durably: sequence n to block n mod 2. So the
/// valid copy of the highest sequence counts, and a crash while one is written leaves the other.
///
/// Everything that is not zero is in one sector: of a new file's first header a crash leaves all or
/// nothing.
record LogHeader(int version, long identity, long salt, long sequence, int ringBytes, Mark start) {
  static final int FORMAT_VERSION = 2;

  private static final int WITHOUT_REACH = 1;

  /// Where the ring begins.
  static final int RING = 2 * Blocks.BYTES;

  private static final long MAGIC = 0x315F4F4445524648L;
  private static final int VERSION = 8, CRC = 12, IDENTITY = 16, SALT = 24;
  private static final int SEQUENCE = 32, RING_BYTES = 40;
  private static final int START_POSITION = 48, START_NUMBER = 56, START_CRC = 64;

  /// The end of the ring.
  long end() {
    return RING + (long) ringBytes;
  }

  LogHeader withStart(Mark newStart) {
    return new LogHeader(version, identity, salt, sequence + 1, ringBytes, newStart);
  }

  LogHeader withRingBytes(int newRingBytes) {
    return new LogHeader(version, identity, salt, sequence + 1, newRingBytes, start);
  }

  /// Whether the region's file says how far the log must reach (REACH-1).
  boolean hasReach() {
    return version > WITHOUT_REACH;
  }

  /// LOG-W4. Test: BatchLogCrashTest.startMoves.
  void write(DiskFile file) throws IOException {
    ByteBuffer block = Blocks.allocate(Blocks.BYTES);
    block.putLong(0, MAGIC).putInt(VERSION, version);
    block.putLong(IDENTITY, identity).putLong(SALT, salt).putLong(SEQUENCE, sequence);
    block.putLong(RING_BYTES, ringBytes).putLong(START_POSITION, start.position());
    block.putLong(START_NUMBER, start.number()).putInt(START_CRC, start.crc());
    block.putInt(CRC, crc(block));
    file.writeDurably((sequence & 1) * Blocks.BYTES, block);
  }

  /// Reads the header that counts, writing nothing.
  ///
  /// @throws RegionFormatException if this is no log, or one of a newer version
  /// @throws RegionDamagedException if no copy is valid, or what they say can't be
  static LogHeader read(DiskFile file, Path path) throws IOException {
    long length = file.length();
    if (length < RING) {
      throw notALog(path, "length=%d bytes, min=%d bytes".formatted(length, RING + Blocks.BYTES));
    }
    ByteBuffer both = Blocks.allocate(RING);
    file.read(0, both);
    ByteBuffer a = block(both, 0);
    ByteBuffer b = block(both, 1);
    LogHeader first = valid(a, path, 0);
    LogHeader second = valid(b, path, 1);
    if (first == null && second == null) {
      if (a.getLong(0) != MAGIC && b.getLong(0) != MAGIC) {
        throw notALog(
            path, "found=0x%016X, expected=0x%016X at offset 0x0".formatted(a.getLong(0), MAGIC));
      }
      throw new RegionDamagedException(
          "%s: both copies of the redo log's header are damaged, at offsets 0x0 and 0x%X. The file was not touched; restore the region and its log from a backup"
              .formatted(path, Blocks.BYTES));
    }
    if (first != null && second != null && !first.isOfOneLogWith(second)) {
      throw new RegionDamagedException(
          "%s: the two copies of the redo log's header contradict each other: identity=0x%016X and 0x%016X. The file was not touched; restore the region and its log from a backup"
              .formatted(path, first.identity, second.identity));
    }
    LogHeader header =
        first == null || second != null && second.sequence > first.sequence ? second : first;
    if (!header.canBe() || header.end() > length) {
      throw new RegionDamagedException(
          "%s: the redo log was cut off, or its header says what none has: length=%d bytes, ring=%d bytes, start=%s. The file was not touched; restore the region and its log from a backup"
              .formatted(path, length, header.ringBytes, header.start));
    }
    return header;
  }

  /// Whether a file is a log, or, by its zeros, the beginning of one (CREATE-1).
  static boolean isIn(DiskFile file) throws IOException {
    ByteBuffer begin = begin(file);
    return hasMagic(begin) || begin.equals(ByteBuffer.allocate(begin.limit()));
  }

  /// Whether a file is a log, whatever became of it.
  static boolean hasMagic(DiskFile file) throws IOException {
    return hasMagic(begin(file));
  }

  private static boolean hasMagic(ByteBuffer begin) {
    return begin.limit() == RING
        && (begin.getLong(0) == MAGIC || begin.getLong(Blocks.BYTES) == MAGIC);
  }

  private static ByteBuffer begin(DiskFile file) throws IOException {
    ByteBuffer begin =
        ByteBuffer.allocate((int) Math.min(file.length(), RING)).order(ByteOrder.LITTLE_ENDIAN);
    file.read(0, begin);
    return begin.flip();
  }

  private static RegionFormatException notALog(Path path, String why) {
    return new RegionFormatException(
        "%s: not a redo log of Holdfast, or its creation was cut off: %s. The file was not touched; a region that was not yet opened with it can have a new one"
            .formatted(path, why));
  }

  private static ByteBuffer block(ByteBuffer both, int copy) {
    return both.slice(copy * Blocks.BYTES, Blocks.BYTES).order(both.order());
  }

  private static LogHeader valid(ByteBuffer block, Path path, int copy) {
    if (block.getLong(0) != MAGIC || block.getInt(CRC) != crc(block)) {
      return null;
    }
    int version = block.getInt(VERSION);
    if (version < WITHOUT_REACH || version > FORMAT_VERSION) {
      throw new RegionFormatException(
          "%s: the redo log was written by another version of Holdfast: format=%d, supported=%d. The file was not touched; use the version that wrote it"
              .formatted(path, version, FORMAT_VERSION));
    }
    LogHeader header =
        new LogHeader(
            version,
            block.getLong(IDENTITY),
            block.getLong(SALT),
            block.getLong(SEQUENCE),
            (int) block.getLong(RING_BYTES),
            new Mark(
                block.getLong(START_POSITION),
                block.getLong(START_NUMBER),
                block.getInt(START_CRC)));
    return (header.sequence & 1) == copy ? header : null;
  }

  private boolean isOfOneLogWith(LogHeader other) {
    return version == other.version
        && identity == other.identity
        && salt == other.salt
        && sequence != other.sequence;
  }

  private boolean canBe() {
    return ringBytes > 0
        && Blocks.areWhole(ringBytes)
        && Blocks.areWhole(start.position())
        && start.position() >= RING
        && start.position() <= end()
        && start.number() > 0;
  }

  private static int crc(ByteBuffer block) {
    CRC32C crc = new CRC32C();
    crc.update(block.duplicate().limit(CRC).position(0));
    crc.update(block.duplicate().limit(Blocks.BYTES).position(CRC + Integer.BYTES));
    return (int) crc.getValue();
  }
}
