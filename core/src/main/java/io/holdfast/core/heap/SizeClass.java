package io.holdfast.core.heap;

import static io.holdfast.core.memory.RegionLayout.LINE_BYTES;
import static io.holdfast.core.memory.RegionLayout.SPAN_BYTES;
import static io.holdfast.core.memory.RegionLayout.WORD_BYTES;

import java.util.Arrays;

/// The sizes in which blocks come, and where the blocks of a slab are.
///
/// A slab is a span: a bitmap of one bit a block (1: used) in its first lines, then the blocks.
/// Small classes are four to an octave, so at most a quarter of a block is lost; large ones divide
/// the span evenly after one line of bitmap. Blocks of a line or more are line aligned, and no
/// block crosses its span.
///
/// The number of a class is on media: classes are only ever added at the end.
final class SizeClass {
  private static final int[] BYTES = {
    16, 32, 48, 64, 128, 192, 256, 320, 384, 448, 512, 640, 768, 896, 1024, 1280, 1536, 1984, 4032,
    8128, 16320, 32704
  };

  /// The largest block in a slab: two to a span. Larger ones get spans of their own.
  static final int MAX_BYTES = BYTES[BYTES.length - 1];

  private static final SizeClass[] ALL = new SizeClass[BYTES.length];

  static {
    Arrays.setAll(ALL, SizeClass::new);
  }

  private final int number;
  private final int bytes;
  private final int bitmapBytes;
  private final int blocks;

  private SizeClass(int number) {
    this.number = number;
    this.bytes = BYTES[number];
    int most = (SPAN_BYTES - LINE_BYTES) / bytes;
    int lines = (most + LINE_BYTES * 8 - 1) / (LINE_BYTES * 8);
    this.bitmapBytes = lines * LINE_BYTES;
    this.blocks = (SPAN_BYTES - bitmapBytes) / bytes;
  }

  static int count() {
    return BYTES.length;
  }

  /// The class of a number read from media.
  static SizeClass of(long number) {
    if (number < 0 || number >= ALL.length) {
      throw new IllegalStateException("size class=%d, known=%d".formatted(number, ALL.length));
    }
    return ALL[(int) number];
  }

  /// The smallest class that holds a size, at most {@link #MAX_BYTES}.
  static SizeClass holding(int size) {
    int found = Arrays.binarySearch(BYTES, size);
    return ALL[found >= 0 ? found : -found - 1];
  }

  int number() {
    return number;
  }

  int bytes() {
    return bytes;
  }

  int blocks() {
    return blocks;
  }

  int bitmapWords() {
    return (blocks + 63) / 64;
  }

  long blockOffset(long slab, int index) {
    return slab + bitmapBytes + (long) index * bytes;
  }

  /// @return -1 if no block begins there
  int indexOf(long slab, long block) {
    long at = block - slab - bitmapBytes;
    return at >= 0 && at % bytes == 0 && at / bytes < blocks ? (int) (at / bytes) : -1;
  }

  static long bitmapWord(long slab, int index) {
    return slab + (long) (index >>> 6) * WORD_BYTES;
  }
}
