package io.holdfast.stress.workload;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/// Two write locks, of which one becomes a read lock before the counters are incremented, so that
/// readers come in while the section goes on: those who look into a queue before they move.
final class ReadWriteExchange implements PlainExchange {
  private final List<ReadWriteLock> locks;

  ReadWriteExchange(int queues) {
    locks = Stream.<ReadWriteLock>generate(ReentrantReadWriteLock::new).limit(queues).toList();
  }

  @Override
  public void transfer(
      List<? extends Queue<String>> queues,
      int from,
      int to,
      int most,
      List<? extends Queue<Long>> counters) {
    ReadWriteLock first = locks.get(Math.min(from, to));
    ReadWriteLock second = locks.get(Math.max(from, to));
    locks.get(from).readLock().lock();
    boolean isEmpty = queues.get(from).isEmpty();
    locks.get(from).readLock().unlock();

    first.writeLock().lock();
    second.writeLock().lock();
    Exchange.move(queues.get(from), queues.get(to), isEmpty ? 1 : most);
    second.writeLock().unlock();
    first.readLock().lock();
    first.writeLock().unlock();
    for (Queue<Long> counter : counters) {
      Exchange.increment(counter);
    }
    first.readLock().unlock();
  }

  @Override
  public boolean isTrueWhileLocked(BooleanSupplier condition) {
    locks.getFirst().readLock().lock();
    try {
      return condition.getAsBoolean();
    } finally {
      locks.getFirst().readLock().unlock();
    }
  }
}
