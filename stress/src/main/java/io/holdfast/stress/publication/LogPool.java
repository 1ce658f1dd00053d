package io.holdfast.stress.publication;

import io.holdfast.core.log.AppendLog;
import io.holdfast.core.log.CsoVb;
import io.holdfast.core.log.WhenFull;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.memory.RegionFile;
import java.util.concurrent.atomic.AtomicLong;

/// Small logs of one file, which is gone round again and again: a new log lies where there was one
/// long before.
final class LogPool {
  private static final long CAPACITY = 128;
  private static final long LOG_BYTES = AppendLog.bytes(CAPACITY);
  private static final long LOGS = 10_000;
  private static final Memory MEMORY =
      RegionFile.open(QueuePool.STORE.path().resolveSibling("logs.hf")).memory();
  private static final AtomicLong MADE = new AtomicLong();

  static {
    MEMORY.grow(LOGS * LOG_BYTES);
  }

  /// The first entry of a log, whose three words are alike and unlike those of any other.
  record Place(AppendLog log, long at, long word) {
    void append() {
      log.append(word, word, word);
    }

    boolean isValid() {
      return MEMORY.readAcquire(at + 3 * Long.BYTES) != 0;
    }

    /// How many of its words are this entry's.
    int ownWords() {
      int own = 0;
      for (int i = 0; i < 3; i++) {
        own += MEMORY.readPlain(at + (long) i * Long.BYTES) == word ? 1 : 0;
      }
      return own;
    }
  }

  static Place place() {
    long number = MADE.incrementAndGet();
    long at = number % LOGS * LOG_BYTES;
    AppendLog log = AppendLog.create(MEMORY, at, CAPACITY, CsoVb.HALF_LINE, WhenFull.FAIL);
    return new Place(log, at + LOG_BYTES - CAPACITY, number);
  }

  private LogPool() {}
}
