package io.holdfast.core.disk;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/// The unit of direct I/O: offset, length and address of a transfer are multiples of a block.
public final class Blocks {
  /// What every disk that direct I/O is used on divides: sectors have 512 or 4,096 bytes.
  public static final int BYTES = 4096;

  /// A direct buffer of zeros at an address that is a multiple of a block.
  ///
  /// @param bytes a multiple of a block
  public static ByteBuffer allocate(int bytes) {
    requireWhole(bytes);
    return ByteBuffer.allocateDirect(bytes + BYTES)
        .alignedSlice(BYTES)
        .limit(bytes)
        .slice()
        .order(ByteOrder.LITTLE_ENDIAN);
  }

  /// The least number of bytes in whole blocks that holds so many.
  public static int roundUp(int bytes) {
    return Math.addExact(bytes, BYTES - 1) & -BYTES;
  }

  public static boolean areWhole(long bytes) {
    return (bytes & (BYTES - 1)) == 0;
  }

  private static void requireWhole(long bytes) {
    if (!areWhole(bytes)) {
      throw new IllegalArgumentException(
          "a multiple of a block is required: bytes=%d, block=%d".formatted(bytes, BYTES));
    }
  }

  /// Whether the remaining bytes of a buffer can be written to, or read from, so far into a file by
  /// direct I/O.
  static boolean areWhole(long at, ByteBuffer buffer) {
    return buffer.isDirect()
        && areWhole(at | buffer.remaining())
        && buffer.alignmentOffset(buffer.position(), BYTES) == 0;
  }

  private Blocks() {}
}
