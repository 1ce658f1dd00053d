package io.holdfast.collections.map.slot;

import static io.holdfast.collections.map.slot.MapLayout.FURTHER_LINE_PAYLOAD;
import static io.holdfast.core.memory.RegionLayout.LINE_BYTES;

import io.holdfast.core.memory.RegionLayout;
import java.util.Arrays;

/// The sizes in which slots come, in lines, and the chunks that they are cut from. A class's number
/// is on media.
///
/// Up to 8 lines each size has its class; above, classes divide the chunk of a span as evenly as
/// they can, so at most a third of a slot is unused, and of a chunk 3 %.
public final class SlotClass {
  private static final int[] SIZES = {
    1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 15, 20, 25, 30, 42, 62, 84, 126, 168, 254, 340, 510
  };

  public static final int COUNT = SIZES.length;

  /// With zeros for all other numbers that a PLACE can hold.
  private static final int[] LINES = Arrays.copyOf(SIZES, MapLayout.LARGE_CLASS + 1);

  private static final int LINES_MAX = SIZES[COUNT - 1];

  /// What fits the further lines of the largest slot.
  static final int FURTHER_MAX = (LINES_MAX - 1) * FURTHER_LINE_PAYLOAD;

  /// Lines of the blocks that a heap makes no waste with, up to a span.
  private static final int[] CHUNK_LINES = {31, 63, 127, 255, 511, 1024};

  public static final int CHUNK_LINES_MAX = CHUNK_LINES[CHUNK_LINES.length - 1];

  private static final byte[] OF_LINES = new byte[LINES_MAX + 1];

  static {
    for (int lines = 1; lines <= LINES_MAX; lines++) {
      int found = Arrays.binarySearch(SIZES, lines);
      OF_LINES[lines] = (byte) (found >= 0 ? found : -found - 1);
    }
  }

  static {
    assert CHUNK_LINES_MAX * LINE_BYTES == RegionLayout.SPAN_BYTES;
  }

  /// The class of an entry.
  ///
  /// @param rest bytes of key and value that do not fit the first line; less than none if all do
  /// @return `LARGE_CLASS` if it fits none
  public static int holding(long rest) {
    if (rest <= 0) {
      return 0;
    }
    return rest > FURTHER_MAX
        ? MapLayout.LARGE_CLASS
        : OF_LINES[1 + ((int) rest + FURTHER_LINE_PAYLOAD - 1) / FURTHER_LINE_PAYLOAD];
  }

  /// Lines in a slot of a class, 0 if there is no such class.
  public static int lines(int sizeClass) {
    return LINES[sizeClass];
  }

  /// Bytes of a slot of a class.
  public static long bytes(int sizeClass) {
    return (long) lines(sizeClass) * LINE_BYTES;
  }

  /// Lines of the next chunk for a class: twice the last one, at least two slots, at most a span.
  ///
  /// @param newest lines of the class's newest chunk, 0 if it has none
  public static int nextChunkLines(int sizeClass, int newest) {
    for (int lines : CHUNK_LINES) {
      if (lines > newest && slots(sizeClass, lines) >= 2) {
        return lines;
      }
    }
    return CHUNK_LINES_MAX;
  }

  /// Whether a chunk can have so many lines.
  public static boolean areOfChunk(long lines) {
    return lines <= CHUNK_LINES_MAX && Arrays.binarySearch(CHUNK_LINES, (int) lines) >= 0;
  }

  /// Slots in a chunk, after its first line.
  public static int slots(int sizeClass, int chunkLines) {
    return (chunkLines - 1) / LINES[sizeClass];
  }

  private SlotClass() {}
}
