package io.holdfast.jmh.stm;

import io.holdfast.core.RegionDamagedException;
import io.holdfast.core.memory.Memory;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/// Transactions on words of persistent memory: TinySTM's write-back with locks that are taken at
/// the commit (Felber, Fetzer, Riegel: Dynamic Performance Tuning of Word-Based Software
/// Transactional Memory, PPoPP 2008), made durable as in the CSO paper (5.2).
///
/// A transaction reads one state (LSA): each word has, by a hash of its offset, an *ownership
/// record*: the number of the transaction that stored it last, or who has it locked. A word that is
/// newer than the state has all that was read before looked at again. What it writes is in its
/// thread's log ({@link WriteSet}) until it commits:
///
/// 1. its words' records are locked, it takes the next number, and what it has read is looked at;
/// 2. its lines in the log are sealed and become durable, in one fence or two ({@link StmLog});
/// 3. its words are stored, and flushed without a fence;
/// 4. the records get its number.
///
/// After 64 transactions the log is truncated: with two fences all that was stored is durable, and
/// the number of the last of them, TRUNCATED. What numbers are not above it is no longer in any
/// log.
///
/// - **STM-1** a transaction is durable in the log before a word of it is stored;
/// - **STM-2** what transactions stored is durable before TRUNCATED is their number;
/// - **STM-3** TRUNCATED is durable before lines are used again;
/// - **STM-4** recovery stores the words of all whole transactions in the logs again, in the order
///   of their numbers, and truncates the logs after that;
/// - **STM-5** no line keeps a number above TRUNCATED after a recovery: half of a transaction could
///   be completed by lines of another one with its number;
/// - **STM-6** what recovery has read in the logs is durable before it stores a word. A killed
///   process leaves lines in the cache that nobody has flushed, and a loss of power could take them
///   and leave half of what was stored again;
/// - **STM-7** what a transaction reads is one state, whether it commits or not.
///
/// The lowest number that a crash can lose is that of a transaction that had not returned; no other
/// transaction that is kept has read what it wrote, since its records are locked until it is
/// durable.
///
/// | word of the first line | |
/// |---|---|
/// | 0 | a mark, and which log |
/// | 1 | threads |
/// | 2 | lines of a log |
/// | 3 | TRUNCATED |
///
/// After it, the logs, and after them the data, zeros at first. Thread-safe; a {@link
/// WordTransaction} is one thread's.
public final class WordStm {
  private static final long MARK = 0x484F_4C44_5354_4D00L;
  private static final int THREADS = 8, LINES = 16, TRUNCATED = 24;
  private static final int THREADS_MAX = 64;

  /// How large it is, and how often it truncates.
  ///
  /// @param threads at most 64
  /// @param lines of a thread's log, at most 4,095: a transaction may store three words in each
  /// @param recordBits as many records as 2 to the power of that
  /// @param transactions after which the logs are truncated
  public record Shape(int threads, int lines, int recordBits, int transactions) {
    public Shape {
      if (threads < 1
          || threads > THREADS_MAX
          || lines < 1
          || lines >= WriteSet.LINES_MAX
          || transactions < 1) {
        throw new IllegalArgumentException(
            "threads=%d, allowed=1 to %d; lines=%d, allowed=1 to %d; transactions=%d"
                .formatted(threads, THREADS_MAX, lines, WriteSet.LINES_MAX - 1, transactions));
      }
    }

    /// As TinySTM's: 2 to the power of 20 records.
    public static Shape of(int threads) {
      return new Shape(threads, WriteSet.LINES_MAX - 1, 20, 64);
    }

    /// Where the data begins.
    long dataAt() {
      return Seal.LINE * (1L + (long) threads * lines);
    }
  }

  final Memory memory;
  final Shape shape;
  private final long dataAt;
  private final int recordMask;

  /// A number, doubled, or a lock, which is odd.
  final AtomicLongArray records;

  /// The number of the last transaction.
  final AtomicLong clock = new AtomicLong();

  /// Held shared from a transaction's number to its last store, and alone to truncate.
  final ReentrantReadWriteLock commits = new ReentrantReadWriteLock();

  private final List<WriteSet> logs = new ArrayList<>();
  private volatile long truncated;

  private WordStm(Memory memory, StmLog log, Shape shape) {
    this.memory = memory;
    this.shape = shape;
    this.dataAt = shape.dataAt();
    this.records = new AtomicLongArray(1 << shape.recordBits);
    this.recordMask = records.length() - 1;
    for (int i = 0; i < shape.threads; i++) {
      long at = Seal.LINE * (1L + (long) i * shape.lines);
      logs.add(new WriteSet(memory, at, shape.lines, log.seal()));
    }
  }

  /// Opens what was left in a memory, or begins with zeros if it is empty.
  ///
  /// @param shape the same each time
  /// @param words of data
  /// @throws RegionDamagedException if it was made with another log or shape
  public static WordStm open(Memory memory, StmLog log, Shape shape, long words) {
    if (memory.length() == 0) {
      memory.grow(bytes(shape, words));
    }
    WordStm stm = new WordStm(memory, log, shape);
    stm.check(MARK | log.ordinal());
    stm.recover();
    return stm;
  }

  /// What a memory takes.
  public static long bytes(Shape shape, long words) {
    return shape.dataAt() + Long.BYTES * words;
  }

  private void check(long mark) {
    if (memory.readPlain(0) == 0) {
      memory.writePlain(THREADS, shape.threads);
      memory.writePlain(LINES, shape.lines);
      memory.writeRelease(0, mark); // in their line
      Seal.persist(memory, 0, Seal.LINE);
    }
    long found = memory.readPlain(0);
    long threads = memory.readPlain(THREADS);
    long lines = memory.readPlain(LINES);
    if (found != mark || threads != shape.threads || lines != shape.lines) {
      throw new RegionDamagedException(
          "%s: no transactional memory of this shape: mark=0x%X, expected=0x%X, threads=%d, expected=%d, lines=%d, expected=%d. Nothing was touched; open it as it was made"
              .formatted(memory.name(), found, mark, threads, shape.threads, lines, shape.lines));
    }
  }

  private void recover() {
    // STM-6. Test: WordStmCrashTest.whatAKilledProcessLeftIsDurableBeforeItIsRedone.
    Seal.persist(memory, 0, dataAt);
    List<WriteSet.Found> found = new ArrayList<>();
    truncated = memory.readPlain(TRUNCATED);
    long newest = truncated;
    for (WriteSet log : logs) {
      newest = Math.max(newest, log.find(truncated, found));
    }
    // STM-4. Test: WordStmCrashTest.laterTransactionsOfOtherThreadsWin.
    found.sort(Comparator.comparingLong(WriteSet.Found::number));
    found.forEach(WriteSet.Found::redo);
    // STM-5. Test: WordStmCrashTest.aLineOfOneTransactionDoesNotCompleteAnother.
    truncateTo(newest);
    clock.set(newest);
  }

  /// The number of a word's record.
  int record(long offset) {
    return (int) (offset >>> 3) & recordMask;
  }

  /// Where the data begins.
  public long dataAt() {
    return dataAt;
  }

  long truncated() {
    return truncated;
  }

  /// What a thread needs for its transactions.
  ///
  /// @param thread from 0
  public WordTransaction transaction(int thread) {
    return new WordTransaction(this, thread, logs.get(thread));
  }

  /// Truncates the logs, if so many transactions were committed since.
  ///
  /// @param own of the calling thread
  void truncate(WriteSet own, int transactions) {
    commits.writeLock().lock();
    try {
      long number = clock.get();
      if (number - truncated < transactions) {
        return; // another thread did
      }
      for (WriteSet log : logs) {
        if (log != own) {
          // STM-2: its own is flushed. Test: WordStmCrashTest.transactionsAreWholeOrNotThere.
          log.flushCommitted(truncated);
        }
      }
      truncateTo(number);
    } finally {
      commits.writeLock().unlock();
    }
  }

  private void truncateTo(long number) {
    // STM-2. Test: WordStmCrashTest.transactionsAreWholeOrNotThere.
    memory.releaseFence();
    memory.fence();
    memory.writePlain(TRUNCATED, number);
    // STM-3. Test: WordStmCrashTest.transactionsAreWholeOrNotThere.
    Seal.persist(memory, TRUNCATED, Long.BYTES);
    truncated = number;
  }
}
