package io.holdfast.core.memory;

import static io.holdfast.core.memory.RegionLayout.WORD_BYTES;

/// Words of data that one thread holds back ({@link HeldStores}): a hash table that finds the next
/// free place, and the order in which they came.
///
/// Not thread-safe: each thread has its own.
final class StoreBuffer {
  /// A section of more words waits once for each so many.
  static final int WORDS = 64;

  private static final int PLACES = 2 * WORDS;
  private static final int SHIFT = Long.numberOfLeadingZeros(PLACES - 1);

  /// By place, the word's offset; 0 where none is, since that is the header's and never data.
  private final long[] offsets = new long[PLACES];

  private final long[] values = new long[PLACES];

  /// The places that are taken, in the order in which they were.
  private final int[] taken = new int[WORDS];

  private int count;

  /// Of the thread whose buffer it is.
  private final long threadId = Thread.currentThread().threadId();

  long threadId() {
    return threadId;
  }

  int count() {
    return count;
  }

  boolean isFull() {
    return count == WORDS;
  }

  long offset(int index) {
    return offsets[taken[index]];
  }

  long value(int index) {
    return values[taken[index]];
  }

  /// Holds a word back; there is room, or it is held already.
  void put(long offset, long value) {
    int place = placeOf(offset);
    values[place] = value;
    if (offsets[place] == 0) {
      offsets[place] = offset;
      taken[count] = place;
      count++; // last: what an error cuts off here is not stored
    }
  }

  boolean has(long offset) {
    return offsets[placeOf(offset)] != 0;
  }

  /// The word at an offset.
  ///
  /// @param stored what memory has there
  long over(long offset, long stored) {
    int place = placeOf(offset);
    return offsets[place] == 0 ? stored : values[place];
  }

  private int placeOf(long offset) {
    int place = (int) ((offset / WORD_BYTES) * 0x9E3779B97F4A7C15L >>> SHIFT);
    while (offsets[place] != offset && offsets[place] != 0) {
      place = place + 1 & PLACES - 1;
    }
    return place;
  }

  /// Whether a word is held that has some of a range's bytes.
  boolean meets(long offset, long length) {
    boolean meets = false;
    for (int i = 0; i < count && !meets; i++) {
      long word = offset(i);
      meets = word < offset + length && word + WORD_BYTES > offset;
    }
    return meets;
  }

  /// Puts the bytes of words over those that memory has.
  void over(long offset, byte[] into, int at, int length) {
    for (int i = 0; i < count; i++) {
      long word = offset(i);
      long from = Math.max(word, offset);
      long to = Math.min(word + WORD_BYTES, offset + length);
      for (long each = from; each < to; each++) {
        into[at + (int) (each - offset)] = (byte) (value(i) >>> (each - word) * Byte.SIZE);
      }
    }
  }

  void clear() {
    for (int i = 0; i < count; i++) {
      offsets[taken[i]] = 0;
    }
    count = 0;
  }
}
