package io.holdfast.jmh.stm;

import io.holdfast.core.memory.Memory;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;

/// A thread's transactions, one after the other.
///
/// For one thread.
public final class WordTransaction {
  private static final int THREAD_BITS = 6;

  /// After so many conflicts a thread no longer spins, since who has the locks may not be running.
  private static final int SPINS = 6;

  private static final long PAUSE_NANOS = 20_000;

  /// What a transaction does. It may do it several times; all but one leave nothing.
  public interface Body {
    long run(WordTransaction transaction);
  }

  /// Has a body begin again.
  private static final class Restart extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Restart(String message) {
      super(message, null, false, false);
    }
  }

  private static final Restart CONFLICT = new Restart("another transaction was first");
  private static final Restart LOG_FULL = new Restart("the log is to be truncated");

  private final WordStm stm;
  private final Memory memory;
  private final int thread;
  private final WriteSet writes;
  private boolean runs;

  /// The number up to which it has seen what others committed.
  private long snapshot;

  private int[] readRecords = new int[64];
  private long[] readNumbers = new long[64];
  private int reads;

  private int[] lockedRecords = new int[64];
  private long[] lockedNumbers = new long[64];
  private int locks;

  private long committed;
  private long aborted;

  WordTransaction(WordStm stm, int thread, WriteSet writes) {
    this.stm = stm;
    this.memory = stm.memory;
    this.thread = thread;
    this.writes = writes;
  }

  /// How many were committed.
  public long committed() {
    return committed;
  }

  /// How many bodies were run in vain, because of conflicts.
  public long aborted() {
    return aborted;
  }

  /// Runs a body as a transaction, durable when this returns.
  ///
  /// @return what the body does
  /// @throws IllegalStateException if one runs already, or it writes more than the log can hold
  public long run(Body body) {
    if (runs) {
      throw new IllegalStateException(
          "a transaction of this thread runs already: thread=" + thread);
    }
    runs = true;
    try {
      for (int conflicts = 0; ; ) {
        begin();
        try {
          long result = body.run(this);
          commit();
          committed++;
          return result;
        } catch (Restart restart) {
          if (restart == LOG_FULL) {
            makeRoom();
          } else {
            aborted++;
            pause(++conflicts);
          }
        }
      }
    } finally {
      runs = false;
    }
  }

  private void makeRoom() {
    if (writes.hasAll()) {
      throw new IllegalStateException(
          "%s: a transaction writes more words than the log can hold: max=%d"
              .formatted(memory.name(), writes.pairs()));
    }
    stm.truncate(writes, 1);
  }

  private static void pause(int conflicts) {
    if (conflicts > SPINS) {
      LockSupport.parkNanos(PAUSE_NANOS);
    }
    for (int spins = 1 << Math.min(conflicts, SPINS); spins > 0; spins--) {
      Thread.onSpinWait();
    }
  }

  private void begin() {
    writes.begin(stm.truncated());
    reads = 0;
    snapshot = stm.clock.get();
  }

  /// Reads a word.
  public long read(long offset) {
    int pair = writes.find(offset);
    if (pair >= 0) {
      return writes.value(pair);
    }
    int record = stm.record(offset);
    while (true) {
      long number = stm.records.get(record);
      if (isLocked(number)) {
        throw CONFLICT;
      }
      if (number >>> 1 > snapshot) {
        extend();
      } else {
        long value = memory.readAcquire(offset);
        // STM-7: nobody has stored between the looks. Tests:
        // WordStmTest.aWordIsOfTheStateThatItsRecordSays,
        // WordStmThreadsTest.aTransactionReadsOneState.
        if (stm.records.get(record) == number) {
          note(record, number);
          return value;
        }
      }
    }
  }

  /// Writes a word of the data.
  public void write(long offset, long value) {
    if (offset < stm.dataAt() || offset % Long.BYTES != 0) {
      throw new IllegalArgumentException(
          "no word of the data: offset=0x%X, data from 0x%X".formatted(offset, stm.dataAt()));
    }
    if (!writes.write(offset, value)) {
      throw LOG_FULL;
    }
  }

  private void note(int record, long number) {
    if (reads == readRecords.length) {
      readRecords = Arrays.copyOf(readRecords, 2 * reads);
      readNumbers = Arrays.copyOf(readNumbers, 2 * reads);
    }
    readRecords[reads] = record;
    readNumbers[reads++] = number;
  }

  /// Goes on in a later state, if what was read is the same there.
  private void extend() {
    long now = stm.clock.get();
    validate();
    snapshot = now;
  }

  private void validate() {
    for (int i = 0; i < reads; i++) {
      long number = stm.records.get(readRecords[i]);
      if (number != readNumbers[i]
          && !(isOwn(number) && lockedNumbers[lockIndex(number)] == readNumbers[i])) {
        throw CONFLICT;
      }
    }
  }

  private static boolean isLocked(long number) {
    return (number & 1) != 0;
  }

  /// What a record holds while it is locked: by whom, and which of that one's locks it is.
  private long lock(int index) {
    return ((long) index << THREAD_BITS | thread) << 1 | 1;
  }

  private boolean isOwn(long number) {
    return isLocked(number) && (number >>> 1 & (1 << THREAD_BITS) - 1) == thread;
  }

  private static int lockIndex(long number) {
    return (int) (number >>> THREAD_BITS + 1);
  }

  private void commit() {
    if (writes.pairs() == 0) {
      return;
    }
    long number;
    stm.commits.readLock().lock();
    try {
      number = commitLocked();
    } finally {
      stm.commits.readLock().unlock();
    }
    if (number - stm.truncated() >= stm.shape.transactions()) {
      stm.truncate(writes, stm.shape.transactions());
    }
  }

  private long commitLocked() {
    locks = 0;
    long number;
    try {
      for (int pair = 0; pair < writes.pairs(); pair++) {
        lockRecord(stm.record(writes.offset(pair)));
      }
      number = stm.clock.incrementAndGet();
      if (number != snapshot + 1) { // else nobody has committed since
        validate();
      }
    } catch (Restart restart) {
      for (int i = 0; i < locks; i++) {
        stm.records.set(lockedRecords[i], lockedNumbers[i]);
      }
      throw restart;
    }
    // STM-1. Test: WordStmCrashTest.transactionsAreWholeOrNotThere.
    writes.persist(number);
    writes.commit(number);
    for (int i = 0; i < locks; i++) {
      stm.records.set(lockedRecords[i], number << 1);
    }
    return number;
  }

  private void lockRecord(int record) {
    long number = stm.records.get(record);
    if (isOwn(number)) {
      return;
    }
    if (isLocked(number)) {
      throw CONFLICT;
    }
    if (locks == lockedRecords.length) {
      lockedRecords = Arrays.copyOf(lockedRecords, 2 * locks);
      lockedNumbers = Arrays.copyOf(lockedNumbers, 2 * locks);
    }
    lockedRecords[locks] = record;
    lockedNumbers[locks] = number;
    if (!stm.records.compareAndSet(record, number, lock(locks))) {
      throw CONFLICT;
    }
    locks++;
  }
}
