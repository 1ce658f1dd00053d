package io.holdfast.stress.workload;

import java.util.List;
import java.util.Queue;
import java.util.function.BooleanSupplier;

/// One monitor, whose holder waits for a token to move, and wakes those who wait. A wait under the
/// monitor alone comes after what belongs together; one under another lock too comes in the middle,
/// for the other lock holds it together.
final class WaitingExchange implements PlainExchange {
  private final ThreadLocal<Object> lockOfThread = ThreadLocal.withInitial(Object::new);

  @Override
  public void transfer(
      List<? extends Queue<String>> queues,
      int from,
      int to,
      int most,
      List<? extends Queue<Long>> counters)
      throws InterruptedException {
    if (from < to) {
      synchronized (lockOfThread.get()) {
        Exchange.increment(counters.getFirst());
        move(queues.get(from), queues.get(to), most);
        Exchange.increment(counters.getLast());
      }
    } else {
      count(counters);
      move(queues.get(from), queues.get(to), most);
    }
  }

  private synchronized void count(List<? extends Queue<Long>> counters) {
    for (Queue<Long> counter : counters) {
      Exchange.increment(counter);
    }
  }

  private synchronized void move(Queue<String> from, Queue<String> to, int most)
      throws InterruptedException {
    awaitToken(from);
    Exchange.move(from, to, most);
    notifyAll();
  }

  /// The monitor is held twice here.
  private synchronized void awaitToken(Queue<String> queue) throws InterruptedException {
    for (int i = 0; i < 10 && queue.isEmpty(); i++) {
      wait(1);
    }
  }

  @Override
  public synchronized boolean isTrueWhileLocked(BooleanSupplier condition) {
    return condition.getAsBoolean();
  }
}
