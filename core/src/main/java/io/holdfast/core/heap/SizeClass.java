package io.holdfast.core.heap;

import static io.holdfast.core.memory.RegionLayout.LINE_BYTES;
import static io.holdfast.core.memory.RegionLayout.SPAN_BYTES;

import java.util.Arrays;

/// The sizes in which blocks come, and where the blocks of a slab are.
///
/// A slab is one span or several: an *allocation byte* for each block (1: used) in its first lines,
/// then the blocks. It is a byte, not a bit, so that threads which change neighbouring ones need no
/// lock; 64 of them are a line.
///
/// A block wastes at most a fifth of its bytes, or 63 bytes where that is more, because blocks of a
/// line or more are line aligned (below a line, 15 bytes). Blocks beyond {@link #MAX_BYTES}, and
/// those that some spans hold more tightly than the next class, get spans of their own, and obey
/// the same bound. Allocation bytes and the rest after a slab's last block take at most 6 % of a
/// slab of 16-byte blocks, 3.1 % of 32, 2.1 % of 48 and 1.6 % of all others.
///
/// The number of a class is on media: classes are only ever added at the end.
final class SizeClass {
  private static final int[] BYTES = {
    16, 32, 48, 64, 128, 192, 256, 320, 384, 448, 512, 576, 640, 768, 896, 1024, 1152, 1280, 1472,
    1664, 1920, 2176, 2496, 2816, 3264, 3584, 4032, 4672, 5440, 5952, 6528, 7232, 8128, 9344, 10880,
    13056, 14528, 16320, 18688, 21824, 26176, 29120, 32704, 37440, 43648, 49088, 56128, 76416,
    91712, 109184, 152896, 174720, 218432
  };

  /// Spans of a slab: as few as leave little behind the last block.
  private static final int[] SPANS = {
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, //
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, //
    1, 2, 1, 2, 1, 2, 4, 1, 4, 6, 3, 6, 7, //
    7, 5, 7, 8, 10
  };

  /// The most spans of a slab.
  static final int SPANS_MAX = most(SPANS);

  /// The largest block in a slab: three to ten spans.
  static final int MAX_BYTES = BYTES[BYTES.length - 1];

  private static final SizeClass[] ALL = new SizeClass[BYTES.length];

  /// Sizes up to this one are looked up.
  private static final int SMALL_BYTES = 4032;

  /// By size in units of 16 bytes, rounded up.
  private static final SizeClass[] SMALL = new SizeClass[SMALL_BYTES / 16 + 1];

  static {
    for (int i = 0; i < ALL.length; i++) {
      ALL[i] = new SizeClass(i);
    }
    for (int units = 0; units < SMALL.length; units++) {
      SMALL[units] = search(Math.max(1, units * 16));
    }
  }

  private final int number;
  private final int bytes;
  private final int spans;
  private final int allocationBytes;
  private final int blocks;

  private SizeClass(int number) {
    this.number = number;
    this.bytes = BYTES[number];
    this.spans = SPANS[number];
    int most = spans * SPAN_BYTES / (bytes + 1);
    while (wholeLines(most) + most * bytes > spans * SPAN_BYTES) {
      most--;
    }
    this.blocks = most;
    this.allocationBytes = wholeLines(most);
  }

  private static int most(int[] numbers) {
    int most = 0;
    for (int number : numbers) {
      most = Math.max(most, number);
    }
    return most;
  }

  private static int wholeLines(int count) {
    return (count + LINE_BYTES - 1) / LINE_BYTES * LINE_BYTES;
  }

  static int count() {
    return BYTES.length;
  }

  /// The class of a number read from media.
  static SizeClass of(int number) {
    if (number < 0 || number >= ALL.length) {
      throw new IllegalStateException("size class=%d, known=%d".formatted(number, ALL.length));
    }
    return ALL[number];
  }

  /// The class that holds a size with the least waste.
  ///
  /// @return `null` if whole spans do
  static SizeClass holding(long size) {
    if (size <= SMALL_BYTES) {
      return SMALL[(int) (size + 15) >>> 4];
    }
    if (size > MAX_BYTES) {
      return null;
    }
    SizeClass found = search((int) size);
    return found.bytes < Heap.spansFor(size) * SPAN_BYTES ? found : null;
  }

  private static SizeClass search(int size) {
    int found = Arrays.binarySearch(BYTES, size);
    return ALL[found >= 0 ? found : -found - 1];
  }

  int number() {
    return number;
  }

  int bytes() {
    return bytes;
  }

  /// Spans of a slab.
  int spans() {
    return spans;
  }

  /// Blocks of a slab.
  int blocks() {
    return blocks;
  }

  /// Bytes of a slab's allocation bytes.
  int allocationBytes() {
    return allocationBytes;
  }

  long blockOffset(long slab, int index) {
    return slab + allocationBytes + (long) index * bytes;
  }

  /// @return -1 if no block begins there
  int indexOf(long slab, long block) {
    int at = (int) (block - slab) - allocationBytes;
    int index = at / bytes;
    return at >= 0 && index < blocks && index * bytes == at ? index : -1;
  }
}
