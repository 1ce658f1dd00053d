package io.holdfast.core.redo;

import io.holdfast.core.memory.RegionLayout;
import java.nio.ByteBuffer;

/// A store to a region, as it stands in a stream and in the log.
///
/// In units of two words, little-endian. The first word is the head; it is never 0.
///
/// | bits of the head | |
/// |---|---|
/// | 0 to 40 | the offset's word |
/// | 41 to 43 | the byte in that word |
/// | 44 to 46 | the kind |
/// | 47, 48 | in a stream: its store is made; it waits (REMAP-1). In the log 0 |
/// | 49 to 63 | the epoch, by its low bits |
///
/// | kind | what follows the head | units |
/// |---|---|---|
/// | 1, a word | the word | 1 |
/// | 2, a byte | a word whose lowest byte it is | 1 |
/// | 3, four words | the four, and nothing | 3 |
/// | 4, bytes | how many, and the bytes, filled up to a unit | 2 and more |
/// | 5, zeros | how many | 1 |
/// | 7, not there yet | | as the offset's word says |
///
/// A store lies within a page, or it is several.
final class RedoRecord {
  static final int UNIT_BYTES = 16;

  static final int WORD = 1, BYTE = 2, ENTRY = 3, BYTES = 4, ZEROS = 5;
  private static final int HOLE = 7;

  /// Of the four words of an entry.
  static final int ENTRY_UNITS = 3;

  /// The longest record: the bytes of a page.
  static final int UNITS_MAX = units(RegionLayout.PAGE_BYTES);

  private static final int BYTE_SHIFT = 41, KIND_SHIFT = 44, EPOCH_SHIFT = 49;
  private static final long LANDED = 1L << 47, HELD = 1L << 48;
  private static final long WORDS_MASK = (1L << BYTE_SHIFT) - 1;

  /// Of an epoch, what a head has of it.
  static final long EPOCH_MASK = (1L << Long.SIZE - EPOCH_SHIFT) - 1;

  private RedoRecord() {}

  static long head(long offset, int kind, long epoch) {
    return offset >>> 3
        | (offset & 7) << BYTE_SHIFT
        | (long) kind << KIND_SHIFT
        | epoch << EPOCH_SHIFT;
  }

  /// Where a record of so many units will be (LIVE-3).
  static long hole(int units) {
    return head((long) units << 3, HOLE, 0);
  }

  static boolean isPublished(long head) {
    return head != 0 && kind(head) != HOLE;
  }

  /// The head when its store is made.
  static long landed(long head) {
    return head | LANDED;
  }

  static boolean hasLanded(long head) {
    return (head & LANDED) != 0;
  }

  /// The head while its store waits.
  static long held(long head) {
    return head | HELD;
  }

  /// Whether no store is under way of what begins so: it is made, or waits.
  static boolean isSettled(long head) {
    return isPublished(head) && (head & (LANDED | HELD)) != 0;
  }

  /// The head as the log has it.
  static long bare(long head) {
    return head & ~(LANDED | HELD);
  }

  /// Whether a unit that is zeros, or a record, can begin so.
  static boolean isPossible(long head, long second) {
    int kind = kind(head);
    return head == 0
        || kind == HOLE && (head & WORDS_MASK) > 0 && (head & WORDS_MASK) <= UNITS_MAX
        || kind >= WORD
            && kind <= ZEROS
            && (kind != BYTES || second >= 0 && second <= RegionLayout.PAGE_BYTES);
  }

  static long offset(long head) {
    return (head & WORDS_MASK) << 3 | head >>> BYTE_SHIFT & 7;
  }

  static int kind(long head) {
    return (int) (head >>> KIND_SHIFT) & 7;
  }

  static long epoch(long head) {
    return head >>> EPOCH_SHIFT;
  }

  /// Units of a record of so many bytes.
  static int units(int count) {
    return 1 + (count + UNIT_BYTES - 1) / UNIT_BYTES;
  }

  /// Units of a record.
  ///
  /// @param second the word after the head
  static int units(long head, long second) {
    return switch (kind(head)) {
      case ENTRY -> ENTRY_UNITS;
      case BYTES -> units((int) second);
      case HOLE -> (int) (head & WORDS_MASK);
      default -> 1;
    };
  }

  /// What replays a store.
  interface Target {
    void word(long offset, long value);

    void byteAt(long offset, byte value);

    void bytes(long offset, byte[] from, int count);

    void zeros(long offset, long count);
  }

  /// Replays the stores of a batch, in their order.
  static void replay(ByteBuffer batch, Target target) {
    byte[] bytes = new byte[RegionLayout.PAGE_BYTES];
    while (batch.remaining() >= UNIT_BYTES) {
      int at = batch.position();
      long head = batch.getLong(at);
      long second = batch.getLong(at + Long.BYTES);
      long offset = offset(head);
      switch (kind(head)) {
        case WORD -> target.word(offset, second);
        case BYTE -> target.byteAt(offset, (byte) second);
        case ENTRY -> {
          for (int i = 0; i < 4; i++) {
            target.word(
                offset + (long) i * Long.BYTES, batch.getLong(at + Long.BYTES + i * Long.BYTES));
          }
        }
        case BYTES -> {
          batch.get(at + UNIT_BYTES, bytes, 0, (int) second);
          target.bytes(offset, bytes, (int) second);
        }
        case ZEROS -> target.zeros(offset, second);
        default -> throw new IllegalStateException("no record: head=0x%016X".formatted(head));
      }
      batch.position(at + units(head, second) * UNIT_BYTES);
    }
  }
}
