package io.holdfast.stress.workload;

import io.holdfast.DurableLock;
import io.holdfast.stress.kill.Worker;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.locks.Lock;

/// {@link Workers}, each with a lock of its own that makes the sections.
public final class LockedWorkers extends Workers {
  private final ConcurrentMap<Integer, Lock> locks = new ConcurrentHashMap<>();

  @Override
  public String name() {
    return "workers-locks";
  }

  @Override
  protected void section(Worker worker, int thread, Runnable action) {
    Lock lock = locks.computeIfAbsent(thread, _ -> new DurableLock());
    lock.lock();
    try {
      action.run();
    } finally {
      lock.unlock();
    }
  }
}
