package io.holdfast.core.memory;

import static io.holdfast.core.memory.RegionLayout.LINE_BYTES;

import java.util.Arrays;

/// Lines that a thread has stored to and not flushed: a small direct-mapped table, in which a line
/// that finds its place taken has the other one flushed (Atlas, 5.2, "Hybrid"). So a line that is
/// stored to again and again is flushed once, and there are never many to flush at a time.
///
/// Not thread-safe: each thread has its own.
final class DirtyLines {
  /// A kibibyte of table. Some entries, the data of some stores and a log's header fit many times
  /// over; a bulk copy of more than 8 KiB is flushed on its way.
  private static final int PLACES = 128;

  private static final long NONE = -1;

  private final WriteBacks writeBacks;

  /// By place, the line that is there.
  private final long[] lines = new long[PLACES];

  /// The lines that were put there since all were flushed, some of them gone again.
  private final long[] noted = new long[PLACES];

  private int count;

  DirtyLines(WriteBacks writeBacks) {
    this.writeBacks = writeBacks;
    Arrays.fill(lines, NONE);
  }

  /// Notes that a word was stored.
  void add(long offset) {
    addLine(offset & -LINE_BYTES);
  }

  /// Notes that some bytes were stored.
  void add(long offset, long length) {
    for (long line = offset & -LINE_BYTES; line < offset + length; line += LINE_BYTES) {
      addLine(line);
    }
  }

  /// Notes that something was stored to a line.
  void addLine(long line) {
    int place = place(line);
    long other = lines[place];
    if (other != line) {
      if (other != NONE) {
        // Nobody else remembers it.
        // Test: OrderedMemoryTest.aLineThatLosesItsPlaceIsFlushed.
        flush(other);
      }
      if (count == PLACES) {
        flushAllBut(NONE);
      }
      lines[place] = line;
      noted[count++] = line;
    }
  }

  private static int place(long line) {
    return (int) (line / LINE_BYTES) & PLACES - 1;
  }

  private void flush(long line) {
    writeBacks.flush(line);
    lines[place(line)] = NONE;
  }

  /// Starts writing back all lines that are noted.
  void flushAll() {
    flushAllBut(NONE);
  }

  /// Starts writing back all lines that are noted, but for one.
  void flushAllBut(long kept) {
    int left = 0;
    for (int i = 0; i < count; i++) {
      long line = noted[i];
      if (line == kept) {
        noted[left++] = line;
      } else if (lines[place(line)] == line) {
        flush(line);
      }
    }
    count = left;
  }

  /// Starts writing back some bytes, noted or not.
  void flush(long offset, long length) {
    writeBacks.flush(offset, length);
    for (long line = offset & -LINE_BYTES; line < offset + length; line += LINE_BYTES) {
      int place = place(line);
      lines[place] = lines[place] == line ? NONE : lines[place];
    }
  }
}
