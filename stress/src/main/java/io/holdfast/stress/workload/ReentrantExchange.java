package io.holdfast.stress.workload;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/// Two locks, one in the other; the inner one is tried first, and given up before the counters are
/// incremented.
final class ReentrantExchange implements PlainExchange {
  private final List<ReentrantLock> locks;

  ReentrantExchange(int queues) {
    locks = Stream.generate(ReentrantLock::new).limit(queues).toList();
  }

  @Override
  public void transfer(
      List<? extends Queue<String>> queues,
      int from,
      int to,
      int most,
      List<? extends Queue<Long>> counters)
      throws InterruptedException {
    ReentrantLock outer = locks.get(Math.min(from, to));
    ReentrantLock inner = locks.get(Math.max(from, to));
    outer.lock();
    try {
      Runnable release = inner::unlock;
      if (!inner.tryLock() && !inner.tryLock(100, TimeUnit.MICROSECONDS)) {
        inner.lockInterruptibly();
      }
      try {
        Exchange.move(queues.get(from), queues.get(to), most);
      } finally {
        release.run();
      }
      for (Queue<Long> counter : counters) {
        Exchange.increment(counter);
      }
    } finally {
      outer.unlock();
    }
  }

  @Override
  public boolean isTrueWhileLocked(BooleanSupplier condition) {
    locks.getFirst().lock();
    try {
      return condition.getAsBoolean();
    } finally {
      locks.getFirst().unlock();
    }
  }
}
