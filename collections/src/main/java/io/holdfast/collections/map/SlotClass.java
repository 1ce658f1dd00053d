package io.holdfast.collections.map;

import static io.holdfast.core.memory.RegionLayout.LINE_BYTES;

import io.holdfast.core.memory.RegionLayout;
import java.util.Arrays;

/// The sizes in which slots come, in lines, and the chunks that they are cut from. A class's number
/// is on media.
///
/// Up to 8 lines each size has its class; above, classes divide the chunk of a span as evenly as
/// they can, so at most a third of a slot is unused, and of a chunk 3 %.
final class SlotClass {
  private static final int[] LINES = {
    1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 15, 20, 25, 30, 42, 62, 84, 126, 168, 254, 340, 510
  };

  static final int COUNT = LINES.length;

  /// The largest slot.
  static final int LINES_MAX = LINES[COUNT - 1];

  /// What fits the largest slot, key and value together.
  static final int PAYLOAD_MAX =
      MapLayout.FIRST_LINE_PAYLOAD + (LINES_MAX - 1) * MapLayout.FURTHER_LINE_PAYLOAD;

  /// Lines of the blocks that a heap makes no waste with, up to a span.
  private static final int[] CHUNK_LINES = {31, 63, 127, 255, 511, 1024};

  private static final byte[] OF_LINES = new byte[LINES_MAX + 1];

  static {
    for (int lines = 1; lines <= LINES_MAX; lines++) {
      int found = Arrays.binarySearch(LINES, lines);
      OF_LINES[lines] = (byte) (found >= 0 ? found : -found - 1);
    }
  }

  static {
    assert CHUNK_LINES[CHUNK_LINES.length - 1] * LINE_BYTES == RegionLayout.SPAN_BYTES;
  }

  /// The class of an entry.
  ///
  /// @param payload bytes of key and value, at most {@link #PAYLOAD_MAX}
  static int holding(int payload) {
    int rest = payload - MapLayout.FIRST_LINE_PAYLOAD;
    if (rest <= 0) {
      return 0;
    }
    int further = (rest + MapLayout.FURTHER_LINE_PAYLOAD - 1) / MapLayout.FURTHER_LINE_PAYLOAD;
    return OF_LINES[1 + further];
  }

  /// The class of an entry, by its LENGTHS word.
  static int ofLengths(long lengths) {
    return holding(MapLayout.keyLength(lengths) + MapLayout.valueLength(lengths));
  }

  /// Lines in a slot of a class.
  static int lines(int sizeClass) {
    return LINES[sizeClass];
  }

  /// Lines of the next chunk for a class: twice the last one, at least two slots, at most a span.
  ///
  /// @param newest lines of the class's newest chunk, 0 if it has none
  static int nextChunkLines(int sizeClass, int newest) {
    for (int lines : CHUNK_LINES) {
      if (lines > newest && slots(sizeClass, lines) >= 2) {
        return lines;
      }
    }
    return CHUNK_LINES[CHUNK_LINES.length - 1];
  }

  /// Slots in a chunk, behind its first line.
  static int slots(int sizeClass, int chunkLines) {
    return (chunkLines - 1) / LINES[sizeClass];
  }

  private SlotClass() {}
}
