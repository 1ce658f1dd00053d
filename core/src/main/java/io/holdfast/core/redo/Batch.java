package io.holdfast.core.redo;

import io.holdfast.core.disk.Blocks;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/// The format of a batch: whole blocks, little-endian.
///
/// | offset | bytes | content |
/// |---|---|---|
/// | 0 | 8 | magic, the bytes `HFBATCH1` |
/// | 8 | 8 | salt of the log |
/// | 16 | 8 | number: one more than that of the batch before |
/// | 24 | 8 | epoch |
/// | 32 | 8 | position in the file |
/// | 40 | 4 | flags: 1 if it is the last batch of its epoch |
/// | 44 | 4 | bytes of the payload |
/// | 48 | 4 | CRC of the batch before |
/// | 52 | 8 | 0 |
/// | 60 | 4 | CRC32C of all of its blocks but these four bytes |
/// | 64 | | payload, then zeros to the block's end |
///
/// @param payload the bytes of the payload
record Batch(long number, long epoch, boolean isComplete, int payload, int crc) {
  static final int HEADER_BYTES = 64;
  static final int MAX_PAYLOAD = 1 << 20;
  static final int MAX_BYTES = Blocks.roundUp(HEADER_BYTES + MAX_PAYLOAD);

  private static final long MAGIC = 0x3148435441424648L;
  private static final int SALT = 8, NUMBER = 16, EPOCH = 24, POSITION = 32, FLAGS = 40;
  private static final int PAYLOAD = 44, PREVIOUS = 48, RESERVED = 52, CRC = 60;
  private static final int COMPLETE = 1;

  /// Bytes of a batch in whole blocks.
  static int bytes(int payload) {
    return Blocks.roundUp(HEADER_BYTES + payload);
  }

  int bytes() {
    return bytes(payload);
  }

  /// Completes a batch in a buffer that has the payload in its place: the header before it, zeros
  /// behind it, which the checksum covers.
  static Batch seal(
      ByteBuffer blocks, long salt, Mark at, long epoch, boolean isComplete, int payload) {
    int bytes = bytes(payload);
    int end = HEADER_BYTES + payload;
    MemorySegment.ofBuffer(blocks.slice(end, bytes - end)).fill((byte) 0);
    blocks.putLong(0, MAGIC).putLong(SALT, salt).putLong(NUMBER, at.number());
    blocks.putLong(EPOCH, epoch).putLong(POSITION, at.position());
    blocks.putInt(FLAGS, isComplete ? COMPLETE : 0).putInt(PAYLOAD, payload);
    blocks.putInt(PREVIOUS, at.crc()).putLong(RESERVED, 0);
    int crc = crc(blocks, bytes);
    blocks.putInt(CRC, crc);
    return new Batch(at.number(), epoch, isComplete, payload, crc);
  }

  /// Whether a block begins like a batch of this log, and how long that would be: 0 if not.
  ///
  /// @param room bytes up to the end of what may hold it
  static int claimedBytes(ByteBuffer block, long salt, long position, long room) {
    int payload = block.getInt(PAYLOAD);
    boolean claims =
        block.getLong(0) == MAGIC
            // LOG-W3. Test: BatchLogTest.aFormerLifesBatchIsNotTaken.
            && block.getLong(SALT) == salt
            && block.getLong(POSITION) == position
            && payload >= 0
            && payload <= MAX_PAYLOAD
            && bytes(payload) <= room;
    return claims ? bytes(payload) : 0;
  }

  /// Whether a block begins like the batch of a number, whatever else it is.
  static boolean claims(ByteBuffer block, long salt, long number) {
    return block.getLong(0) == MAGIC
        && block.getLong(SALT) == salt
        && block.getLong(NUMBER) == number;
  }

  static long claimedNumber(ByteBuffer block) {
    return block.getLong(NUMBER);
  }

  /// CRC of the batch before the one that these blocks claim to be.
  static int claimedPrevious(ByteBuffer block) {
    return block.getInt(PREVIOUS);
  }

  /// The batch that these blocks claim to be, or `null` if its checksum is wrong.
  static Batch read(ByteBuffer blocks, int bytes) {
    int crc = blocks.getInt(CRC);
    return crc == crc(blocks, bytes)
        ? new Batch(
            blocks.getLong(NUMBER),
            blocks.getLong(EPOCH),
            (blocks.getInt(FLAGS) & COMPLETE) != 0,
            blocks.getInt(PAYLOAD),
            crc)
        : null;
  }

  private static int crc(ByteBuffer blocks, int bytes) {
    CRC32C crc = new CRC32C();
    crc.update(blocks.duplicate().limit(CRC).position(0));
    crc.update(blocks.duplicate().limit(bytes).position(CRC + Integer.BYTES));
    return (int) crc.getValue();
  }
}
