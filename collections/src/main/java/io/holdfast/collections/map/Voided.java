package io.holdfast.collections.map;

import io.holdfast.core.memory.Memory;
import java.util.ArrayList;
import java.util.List;

/// The slots of a stripe that are void, and perhaps not durably so: those of its last operation.
/// The next one flushes them with its own lines (MAP-2).
///
/// Guarded by the stripe's lock.
final class Voided {
  private final Memory memory;

  /// The slot that the last operation made void, or 0.
  private long slot;

  /// The hash of its key.
  private long hash;

  /// Further ones, if the last operation was a batch; durable before the next one begins.
  private final List<Long> others = new ArrayList<>(0);

  Voided(Memory unordered) {
    this.memory = unordered;
  }

  /// Notes what an operation has made void.
  ///
  /// @param old 0 if it is nothing
  void add(long old, long itsHash) {
    slot = old;
    hash = itsHash;
  }

  /// Notes what one operation of a batch has made void.
  void addOfBatch(long old) {
    if (old != 0) {
      others.add(old);
    }
  }

  boolean has(long itsHash) {
    return slot != 0 && hash == itsHash;
  }

  /// Starts writing them back, before a fence of the caller's, behind which it calls {@link
  /// #areDurable}.
  void flush() {
    if (slot != 0) {
      memory.flush(slot, Long.BYTES);
    }
    for (int i = 0; i < others.size(); i++) {
      memory.flush(others.get(i), Long.BYTES);
    }
  }

  void areDurable() {
    slot = 0;
    if (!others.isEmpty()) {
      others.clear();
    }
  }

  /// Makes them durable.
  void flushAll() {
    if (slot != 0 || !others.isEmpty()) {
      flush();
      memory.fence();
      areDurable();
    }
  }

  /// Makes those of a batch durable, which are too many for the next operation to carry.
  void closeBatch() {
    if (!others.isEmpty()) {
      flushAll();
    }
  }
}
