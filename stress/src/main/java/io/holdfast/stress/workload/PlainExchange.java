package io.holdfast.stress.workload;

import java.util.List;
import java.util.Queue;
import java.util.function.BooleanSupplier;

/// Plain code with plain locks, which knows nothing of stores and sections. The agent makes each
/// call of {@link #transfer} a section.
interface PlainExchange {
  /// Moves elements from one queue to another and increments counters, all while locks are held.
  ///
  /// @param most elements to move
  /// @param counters of the calling thread alone
  void transfer(
      List<? extends Queue<String>> queues,
      int from,
      int to,
      int most,
      List<? extends Queue<Long>> counters)
      throws InterruptedException;

  /// Whether a condition holds while a lock is held.
  boolean isTrueWhileLocked(BooleanSupplier condition);
}
