package io.holdfast.stress.redo;

import java.util.concurrent.atomic.AtomicIntegerArray;

/// Streams with room for a record each, as numbers: what has a ticket, and the epochs of the
/// records, 0 of one that is not there yet. Of the sixteen two are stored to, A and B.
final class Streams {
  private static final int COUNT = 16;
  static final int A = 0;
  static final int B = COUNT - 1;

  private final AtomicIntegerArray tickets = new AtomicIntegerArray(COUNT);
  private final AtomicIntegerArray records = new AtomicIntegerArray(COUNT);
  private volatile int epoch = 1;

  int epoch() {
    return epoch;
  }

  void raiseEpoch() {
    epoch++; // the leader alone
  }

  void take(int stream) {
    tickets.getAndIncrement(stream);
  }

  void publish(int stream, int ofEpoch) {
    records.setRelease(stream, ofEpoch);
  }

  /// A store, as it is.
  void store(int stream) {
    take(stream);
    publish(stream, epoch);
  }

  /// The records of an epoch among those that have tickets, by what the leader reads: first all
  /// tickets, then records, for which it waits.
  ///
  /// @return 1 if A's is one, and 2 if B's is
  int records(int ofEpoch) {
    int taken = 0;
    for (int stream = 0; stream < COUNT; stream++) {
      taken |= tickets.get(stream) << stream;
    }
    return record(A, taken, ofEpoch) + 2 * record(B, taken, ofEpoch);
  }

  private int record(int stream, int taken, int ofEpoch) {
    if ((taken & 1 << stream) == 0) {
      return 0;
    }
    int found = records.getAcquire(stream);
    while (found == 0) {
      Thread.onSpinWait();
      found = records.getAcquire(stream);
    }
    return found == ofEpoch ? 1 : 0;
  }

  /// Ends an epoch, as the leader does.
  ///
  /// @return its records
  int gather() {
    int ended = epoch;
    raiseEpoch();
    return records(ended);
  }
}
