package io.holdfast.stress.kill;

import io.holdfast.DurableLock;
import io.holdfast.stress.workload.Workers;
import java.util.concurrent.locks.Lock;

/// A fault: a lock that all workers share, and give up while they work, makes each section depend
/// on the others.
public final class QueueingWorkers extends Workers {
  private final Lock shared = new DurableLock();

  @Override
  protected void section(Worker worker, int thread, Runnable action) {
    Lock own = new DurableLock();
    own.lock();
    try {
      shared.lock();
      shared.unlock();
      action.run();
    } finally {
      own.unlock();
    }
  }
}
