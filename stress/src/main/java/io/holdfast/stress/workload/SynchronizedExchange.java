package io.holdfast.stress.workload;

import java.util.List;
import java.util.Queue;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/// Two monitors, one in the other.
final class SynchronizedExchange implements PlainExchange {
  private final List<Object> locks;

  SynchronizedExchange(int queues) {
    locks = Stream.generate(Object::new).limit(queues).toList();
  }

  @Override
  public void transfer(
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

  @Override
  public synchronized boolean isTrueWhileLocked(BooleanSupplier condition) {
    return condition.getAsBoolean();
  }
}
