package io.holdfast.stress.kill;

import io.holdfast.Holdfast;
import io.holdfast.collections.PersistentQueue;

/// A fault: a number goes from queue to queue without a section.
public final class BareTransfer implements Workload {
  private static final int MADE = 2;

  @Override
  public String name() {
    return "bare";
  }

  @Override
  public void setUp(Worker worker) {
    worker
        .store()
        .atomically(
            () -> {
              if (queue(worker.store(), MADE).isEmpty()) {
                queue(worker.store(), MADE).add(1L);
                queue(worker.store(), 0).add(1L);
              }
            });
  }

  private static PersistentQueue<Long> queue(Holdfast store, int number) {
    return store.queue("queue-" + number, Long.class);
  }

  @Override
  public synchronized void work(Worker worker, int thread) {
    PersistentQueue<Long> one = queue(worker.store(), 0);
    PersistentQueue<Long> other = queue(worker.store(), 1);
    while (true) {
      move(one, other);
      move(other, one);
    }
  }

  /// Does nothing when there is nothing: it is the check that is to notice.
  private static void move(PersistentQueue<Long> from, PersistentQueue<Long> to) {
    Long number = from.poll();
    if (number != null) {
      to.add(number);
    }
  }

  @Override
  public void acknowledged(int channel, long number) {
    // nothing is
  }

  @Override
  public void check(Holdfast store, int lives) {
    int found = queue(store, 0).size() + queue(store, 1).size();
    boolean made = !queue(store, MADE).isEmpty();
    Violation.unless(!made || found == 1, "the number is not there once: found=%d", found);
  }
}
