package io.holdfast.collections.queue;

import static io.holdfast.core.memory.RegionLayout.LINE_BYTES;
import static io.holdfast.core.memory.RegionLayout.WORD_BYTES;

/// A queue on media, format version 1: a root block of two lines, and a chain of blocks of 127
/// lines.
///
/// Root block; each end has a line of its own:
///
/// | offset | content |
/// |---|---|
/// | 0 | HEAD: where the next element to take is: block offset above, line in the low byte |
/// | 8 | REMOVED: how many elements from there on were removed from the middle |
/// | 64 | TAIL: offset of the newest block |
///
/// Block:
///
/// | line | content |
/// |---|---|
/// | 0 | word 0: NEXT, the next newer block or 0; word 1: number of the block's first element |
/// | 1 to 126 | elements, each in lines of its own, one after the other |
///
/// Element: a meta word, then its bytes, contiguous over as many lines as they need:
///
/// | bits of the meta word | content |
/// |---|---|
/// | 0 | PRESENT: there is an element here |
/// | 1 | REMOVED: it was removed from the middle |
/// | 2 | OUTSIDE: the bytes are in a block of their own, whose offset is in the next word |
/// | 8 to 39 | length of the encoded element in bytes |
///
/// **QUEUE-1** The line after the newest element has the meta word 0, or there is no such line in
/// the block. It is stored before the element's own meta word is.
///
/// **QUEUE-2** Where the meta word is 0, or a block's lines are over, the chain goes on in NEXT, or
/// this is the tail.
///
/// **CHAIN-1** Each block's number is higher than its predecessor's, by no more than a block has
/// lines: a thread that follows the chain comes to its end.
///
/// **QUEUE-3** An element is there as soon as its meta word is; its bytes were stored before. No
/// other word says so, so an `offer` that needs no new block is one logged store.
final class QueueLayout {
  static final int ROOT_BYTES = 2 * LINE_BYTES;
  static final int HEAD = 0, REMOVED_COUNT = WORD_BYTES, TAIL = LINE_BYTES;

  /// Eight blocks fill a span: (64 KiB - a line of bitmap) / 8, in whole lines.
  static final int BLOCK_LINES = 127;

  static final int BLOCK_BYTES = BLOCK_LINES * LINE_BYTES;
  static final int NEXT = 0, FIRST_NUMBER = WORD_BYTES;
  static final int FIRST_LINE = 1;

  /// The highest number of an element that an opening accepts: 146 years of a billion a second.
  static final long NUMBER_MAX = 1L << 62;

  static final long PRESENT = 1, REMOVED = 2, OUTSIDE = 4;
  private static final int LENGTH_SHIFT = 8;

  /// The longest element that is stored in the chain itself, 30 lines less the meta word: longer
  /// ones could leave more than a quarter of a block empty at its end.
  static final int MAX_INLINE_BYTES = 30 * LINE_BYTES - WORD_BYTES;

  static long meta(int length, boolean outside) {
    return (long) length << LENGTH_SHIFT | (outside ? OUTSIDE : 0) | PRESENT;
  }

  static int length(long meta) {
    return (int) (meta >>> LENGTH_SHIFT);
  }

  static boolean isRemoved(long meta) {
    return (meta & REMOVED) != 0;
  }

  static boolean isOutside(long meta) {
    return (meta & OUTSIDE) != 0;
  }

  /// Lines that an element takes in the chain.
  static int lines(long meta) {
    return isOutside(meta) ? 1 : lines(length(meta));
  }

  static int lines(int inlineLength) {
    return (WORD_BYTES + inlineLength + LINE_BYTES - 1) / LINE_BYTES;
  }

  static long lineOffset(long block, int line) {
    return block + (long) line * LINE_BYTES;
  }

  /// The HEAD word: a block is below 2^56, a line below 2^8.
  static long position(long block, int line) {
    return block << 8 | line;
  }

  static long blockOf(long position) {
    return position >>> 8;
  }

  static int lineOf(long position) {
    return (int) (position & 0xff);
  }

  private QueueLayout() {}
}
