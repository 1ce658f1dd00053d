package io.holdfast.jmh.stm;

import io.holdfast.core.memory.Memory;
import java.util.List;

/// A thread's log, and in it the write set of the transaction that the thread is in (CSO paper,
/// 5.2): what is written is stored in the log at once, and read there again by the same thread.
///
/// | word of a line | |
/// |---|---|
/// | 0, 2, 4 | the offset of a word that the transaction stores; 0: none |
/// | 1, 3, 5 | what it stores there |
/// | 6 | the transaction's number, below 2^40 (from bit 24), its lines (bits 12 to 23), which this is |
/// | 7 | the {@link Seal}'s |
///
/// A transaction's lines are adjacent. They are nobody's until its number is in them, and free
/// again when that number is not above the last that was truncated. Then the thread begins anew
/// with the first line.
final class WriteSet {
  /// The most lines of a log: as many as the place of a line can count.
  static final int LINES_MAX = 1 << 12;

  private static final int COUNT_SHIFT = 12;
  private static final int NUMBER_SHIFT = 24;
  private static final int WORD = Long.BYTES;
  private static final int PAIRS = 3;
  private static final int PAIR_BYTES = 2 * WORD;
  private static final int NONE = -1;

  /// Of an entry of the table: the pair, which is less than three times the lines.
  private static final int PAIR_BITS = 16;

  /// A transaction that was found in a log.
  record Found(long number, WriteSet in, int first, int lines) {
    /// Stores its words again; not durable yet.
    void redo() {
      in.writeBack(first, lines * PAIRS);
    }
  }

  private final Memory memory;
  private final long at;
  private final int capacity;
  private final Seal seal;

  /// Where pairs are, by a hash of their offsets: which transaction of the thread, and which pair.
  /// Entries of other transactions are none.
  private long[] table = new long[64];

  private long transaction = 1;

  /// The first line, and the pairs, of the transaction that the thread is in.
  private int first;

  private int pairs;

  /// The line after those that are in use.
  private int tail;

  /// Of the last that was committed.
  private long committed;

  private int committedFirst;
  private int committedPairs;

  WriteSet(Memory memory, long at, int capacity, Seal seal) {
    this.memory = memory;
    this.at = at;
    this.capacity = capacity;
    this.seal = seal;
  }

  private long line(int number) {
    return at + (long) number * Seal.LINE;
  }

  private long pairAt(int firstLine, int pair) {
    return line(firstLine + pair / PAIRS) + pair % PAIRS * PAIR_BYTES;
  }

  /// Begins a transaction, which has written nothing.
  ///
  /// @param truncated up to which number transactions need not be redone
  void begin(long truncated) {
    first = committed <= truncated ? 0 : tail;
    pairs = 0;
    transaction++;
  }

  private static int lines(int pairs) {
    return (pairs + PAIRS - 1) / PAIRS;
  }

  int pairs() {
    return pairs;
  }

  /// Whether the whole log is the transaction's.
  boolean hasAll() {
    return first == 0;
  }

  long offset(int pair) {
    return memory.readPlain(pairAt(first, pair));
  }

  long value(int pair) {
    return memory.readPlain(pairAt(first, pair) + WORD);
  }

  /// Which pair of the transaction is of a word.
  ///
  /// @return less than 0 if none is
  int find(long offset) {
    if (pairs == 0) {
      return NONE;
    }
    for (int i = slot(offset);
        table[i] >>> PAIR_BITS == transaction;
        i = i + 1 & table.length - 1) {
      int pair = (int) (table[i] & (1 << PAIR_BITS) - 1);
      if (offset(pair) == offset) {
        return pair;
      }
    }
    return NONE;
  }

  private int slot(long offset) {
    return (int) (offset * 0x9E3779B97F4A7C15L >>> 32) & table.length - 1;
  }

  /// Writes a word.
  ///
  /// @return whether there was room in the log
  boolean write(long offset, long value) {
    int pair = find(offset);
    if (pair < 0) {
      pair = pairs;
      if (first + pair / PAIRS >= capacity) {
        return false;
      }
      memory.writePlain(pairAt(first, pair), offset);
      pairs++;
      enter(pair);
    }
    memory.writePlain(pairAt(first, pair) + WORD, value);
    return true;
  }

  private void enter(int pair) {
    if (2 * pairs > table.length) {
      table = new long[2 * table.length];
      for (int i = 0; i < pair; i++) {
        put(i);
      }
    }
    put(pair);
  }

  private void put(int pair) {
    int i = slot(offset(pair));
    while (table[i] >>> PAIR_BITS == transaction) {
      i = i + 1 & table.length - 1;
    }
    table[i] = transaction << PAIR_BITS | pair;
  }

  /// Makes the transaction durable in the log, as one with a number.
  void persist(long number) {
    int count = lines(pairs);
    for (int pair = pairs; pair < count * PAIRS; pair++) {
      memory.writePlain(pairAt(first, pair), 0);
    }
    for (int i = 0; i < count; i++) {
      memory.writePlain(line(first + i) + Seal.PLACE, place(number, count, i));
    }
    seal.seal(memory, line(first), count);
  }

  private static long place(long number, int count, int index) {
    return number << NUMBER_SHIFT | (long) count << COUNT_SHIFT | index;
  }

  /// Stores the words of the transaction, which is durable in the log, where they belong, and
  /// begins to write them back.
  void commit(long number) {
    writeBack(first, pairs);
    committed = number;
    committedFirst = first;
    committedPairs = pairs;
    tail = first + lines(pairs);
  }

  private void writeBack(int firstLine, int count) {
    for (int pair = 0; pair < count; pair++) {
      long offset = memory.readPlain(pairAt(firstLine, pair));
      if (offset != 0) {
        memory.writePlain(offset, memory.readPlain(pairAt(firstLine, pair) + WORD));
        if (pair + 1 == count || !isInLine(offset, memory.readPlain(pairAt(firstLine, pair + 1)))) {
          memory.flush(offset, WORD);
        }
      }
    }
  }

  private static boolean isInLine(long offset, long other) {
    return (offset & -Seal.LINE) == (other & -Seal.LINE);
  }

  /// Begins to write back, once more, what the last transaction has stored. What those before it
  /// stored is durable: the thread has fenced since.
  void flushCommitted(long truncated) {
    for (int pair = 0; committed > truncated && pair < committedPairs; pair++) {
      memory.flush(memory.readPlain(pairAt(committedFirst, pair)), WORD);
    }
  }

  /// Finds the transactions in the log that were not truncated.
  ///
  /// @return the highest number that is in the log, in a whole transaction or not
  long find(long truncated, List<Found> into) {
    long newest = truncated;
    for (int i = 0; i < capacity; ) {
      long place = memory.readPlain(line(i) + Seal.PLACE);
      long number = place >>> NUMBER_SHIFT;
      int count = (int) (place >>> COUNT_SHIFT) & LINES_MAX - 1;
      newest = Math.max(newest, number);
      if (number > truncated && isWhole(i, number, count)) {
        into.add(new Found(number, this, i, count));
        i += count;
      } else {
        i++;
      }
    }
    return newest;
  }

  private boolean isWhole(int firstLine, long number, int count) {
    boolean whole = count > 0 && firstLine + count <= capacity;
    for (int i = 0; whole && i < count; i++) {
      long line = line(firstLine + i);
      whole =
          memory.readPlain(line + Seal.PLACE) == place(number, count, i)
              && seal.isWhole(memory, line, i);
    }
    return whole;
  }
}
