package io.holdfast.stress.workload;

import java.util.List;
import java.util.Queue;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/// Plain code with plain locks, which knows nothing of stores and sections: two queues are locked
/// while elements move from one to the other. The agent makes each call of {@link #transfer} a
/// section.
final class SynchronizedExchange {
  private final List<Object> locks;

  SynchronizedExchange(int queues) {
    locks = Stream.generate(Object::new).limit(queues).toList();
  }

  void transfer(
      List<? extends Queue<String>> queues,
      int from,
      int to,
      int most,
      List<? extends Queue<Long>> counters) {
    synchronized (locks.get(Math.min(from, to))) {
      synchronized (locks.get(Math.max(from, to))) {
        Exchange.move(queues.get(from), queues.get(to), most);
      }
      // One lock is still held: to the agent, this belongs to what was done under both.
      for (Queue<Long> counter : counters) {
        Exchange.increment(counter);
      }
    }
  }

  /// Whether a condition holds while a lock is held.
  synchronized boolean isTrueWhileLocked(BooleanSupplier condition) {
    return condition.getAsBoolean();
  }
}
