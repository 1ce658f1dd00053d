package io.holdfast.core.log;

import io.holdfast.core.RegionDamagedException;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.memory.RegionLayout;

/// A buffer of an {@link AppendLog}: a header line, and after it a ring whose length is a power of
/// two.
///
/// | word | content |
/// |---|---|
/// | 0 | a mark and the number of the {@link LogFormat}, stored last when the ring is made |
/// | 1 | bytes of the ring |
/// | 2 | HEAD: the position of the oldest entry |
/// | 3 | NEXT: the ring in which the log goes on, 0 if this is the last |
/// | 4 | a word of the format's own |
///
/// A *position* counts bytes and never decreases: the low bits say where in the ring, the others
/// which lap. So HEAD alone, one word, says which entries there are and what polarity they have,
/// and moves in one store.
///
/// Not thread-safe.
public final class LogRing {
  /// Entries begin at multiples of half a line.
  public static final int GRAIN = RegionLayout.LINE_BYTES / 2;

  /// Bytes of the header.
  public static final int HEADER_BYTES = RegionLayout.LINE_BYTES;

  private static final long MARK = 0x484F_4C44_4C4F_4700L;
  private static final int MARK_WORD = 0, CAPACITY = 8, HEAD = 16, NEXT = 24, OWN = 32;
  private static final long CAPACITY_MIN = 2L * RegionLayout.LINE_BYTES;

  private final Memory memory;
  private final long header;
  private final long first;
  private final long mask;
  private final int shift;
  private final long own;
  private long head;
  private long tail;
  private long[] scratch = new long[16];

  private LogRing(Memory memory, long header) {
    this.memory = memory;
    this.header = header;
    this.first = header + HEADER_BYTES;
    long capacity = memory.readPlain(header + CAPACITY);
    this.mask = capacity - 1;
    this.shift = Long.numberOfTrailingZeros(capacity);
    this.own = memory.readPlain(header + OWN);
    this.head = memory.readPlain(header + HEAD);
  }

  /// Makes a ring, durably.
  ///
  /// **RING-1** Its content and header are durable before its mark.
  ///
  /// @param header where it begins, a multiple of a line
  /// @param capacity bytes of the ring after the header, a power of two and at least two lines
  /// @param start the first position; a multiple of the capacity
  static LogRing create(Memory memory, long header, long capacity, long start, LogFormat format) {
    if (header % RegionLayout.LINE_BYTES != 0
        || Long.bitCount(capacity) != 1
        || capacity < CAPACITY_MIN) {
      throw new IllegalArgumentException(
          "%s: a log's ring begins at a line, and its capacity is a power of two: at=0x%X, capacity=%d bytes, min=%d"
              .formatted(memory.name(), header, capacity, CAPACITY_MIN));
    }
    // What is here may look like a ring: it is none before anything of it changes. Test:
    // AppendLogCrashContract.aLogIsMadeWhereOneWas.
    memory.writePlain(header + MARK_WORD, 0);
    memory.releaseFence();
    memory.flush(header, HEADER_BYTES);
    memory.fence();
    memory.writePlain(header + CAPACITY, capacity);
    memory.writePlain(header + HEAD, start);
    memory.writePlain(header + NEXT, 0);
    memory.writePlain(header + OWN, format.ownWord());
    LogRing ring = new LogRing(memory, header);
    ring.tail = start;
    format.initialise(ring);
    ring.persist(header, HEADER_BYTES + capacity);
    memory.writePlain(header + MARK_WORD, MARK | format.number()); // after the fence
    ring.persist(header, HEADER_BYTES);
    return ring;
  }

  /// Opens a ring.
  ///
  /// @throws RegionDamagedException if there is none of this format
  static LogRing open(Memory memory, long header, LogFormat format) {
    if (header < 0
        || header % RegionLayout.LINE_BYTES != 0
        || header > memory.length() - HEADER_BYTES) {
      throw new RegionDamagedException(
          "%s: no log can be at offset 0x%X: region=%d bytes. Nothing was touched; restore the file from a backup"
              .formatted(memory.name(), header, memory.length()));
    }
    long mark = memory.readPlain(header + MARK_WORD);
    long capacity = memory.readPlain(header + CAPACITY);
    long head = memory.readPlain(header + HEAD);
    if (mark != (MARK | format.number())
        || Long.bitCount(capacity) != 1
        || capacity < CAPACITY_MIN
        || !format.owns(memory.readPlain(header + OWN))
        || head < 0
        || head % GRAIN != 0
        || header + HEADER_BYTES + capacity > memory.length()) {
      throw new RegionDamagedException(
          "%s: no log of the format %s at offset 0x%X: mark=0x%X, expected=0x%X, capacity=%d, head=%d. Nothing was touched; open it with the format that it was made with, or restore the file from a backup"
              .formatted(
                  memory.name(), format, header, mark, MARK | format.number(), capacity, head));
    }
    return new LogRing(memory, header);
  }

  /// Each ring of a log is longer than the one before, so that no list of them has a cycle.
  void checkFollows(LogRing before) {
    if (before != null && capacity() <= before.capacity()) {
      throw new RegionDamagedException(
          "%s: the log goes on in a ring that is no longer: capacity=%d, at offset 0x%X capacity=%d. Nothing was touched; restore the file from a backup"
              .formatted(before, before.capacity(), header, capacity()));
    }
  }

  public Memory memory() {
    return memory;
  }

  /// Bytes of the ring.
  public long capacity() {
    return mask + 1;
  }

  /// The word that the format chose for this ring.
  public long own() {
    return own;
  }

  /// The position of the oldest entry.
  public long head() {
    return head;
  }

  /// Where the word or line at a position is, from the memory's beginning.
  public long at(long position) {
    return first + (position & mask);
  }

  /// Which lap of the ring a position is in, from 1.
  public long lap(long position) {
    return (position >>> shift) + 1;
  }

  /// Where the ring begins anew after a position.
  public long nextLap(long position) {
    return (position | mask) + 1;
  }

  /// Whether some bytes at a position lie in one piece.
  public boolean isWhole(long position, long bytes) {
    return (position & mask) + bytes <= mask + 1;
  }

  /// Words for a format to work in; what they held is lost.
  public long[] scratch(int words) {
    if (scratch.length < words) {
      scratch = new long[Math.max(words, 2 * scratch.length)];
    }
    return scratch;
  }

  /// Makes some bytes durable, after everything that this thread stored before, and before
  /// everything that follows: a round trip.
  public void persist(long at, long bytes) {
    memory.releaseFence();
    memory.flush(at, bytes);
    memory.fence();
  }

  /// Makes durable what the header says.
  void persistHeader() {
    persist(header, HEADER_BYTES);
  }

  /// The position after the newest entry; of the last ring of a log it is the log that knows.
  long tail() {
    return tail;
  }

  void endAt(long position) {
    tail = position;
  }

  /// Drops what is before a position.
  void moveHead(long position) {
    // **RING-2** Durable before the space is used again. With the space first, a crash would find
    // entries of the new lap where HEAD says that old ones are. Test:
    // AppendLogCrashContract.trimmedSpaceIsReusedAfterTheHeadMoved.
    memory.writePlain(header + HEAD, position);
    persist(header + HEAD, RegionLayout.WORD_BYTES);
    head = position;
  }

  /// Where the ring begins in which the log goes on, or 0.
  long next() {
    return memory.readPlain(header + NEXT);
  }

  /// The log goes on in another ring, which is durable.
  void linkTo(long next) {
    memory.writePlain(header + NEXT, next); // after the fence of its creation
    persist(header + NEXT, RegionLayout.WORD_BYTES);
  }

  /// Where the header is.
  long header() {
    return header;
  }

  @Override
  public String toString() {
    return "%s: the log at 0x%X".formatted(memory.name(), header);
  }
}
