package io.holdfast.collections.queue;

/// What rollbacks of sections have done to a queue, for those who look at it without a lock, or
/// have a place in it.
///
/// Thread-safe.
final class QueueRollbacks {
  private volatile int count;

  /// Elements of a lower number were never taken back.
  private long lowest = Long.MAX_VALUE;

  /// How many there were.
  int count() {
    return count;
  }

  /// Elements from a number on are not there any more. Two sections can be rolled back at once, one
  /// at each end.
  synchronized void add(long from) {
    lowest = Math.min(lowest, from);
    count++;
  }

  /// Whether an element of a number may be another one than it was when there were fewer.
  boolean mayHaveTaken(long number, int before) {
    return count != before && number >= lowest; // the number was stored before the count
  }
}
