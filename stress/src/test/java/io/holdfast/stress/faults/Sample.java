package io.holdfast.stress.faults;

import io.holdfast.core.memory.Memory;
import java.util.concurrent.locks.ReentrantLock;

/// A class with sites of most kinds, which tells what it did.
class Sample implements Runnable {
  private final ReentrantLock lock = new ReentrantLock();
  private final Memory memory;
  private volatile boolean closed;

  Sample(Memory memory) {
    this.memory = memory;
  }

  @Override
  public void run() {
    memory.writeRelease(0, 1);
    memory.flush(0, 8);
    memory.fence();
    memory.writeRelease(8, 2);
    Runnable last = () -> memory.flush(8, 8);
    last.run();
    lock.lock();
    try {
      memory.writePlain(16, lock.isHeldByCurrentThread() ? 1 : 0);
    } finally {
      lock.unlock();
    }
    memory.writePlain(24, isValid(7) ? 1 : 0);
    synchronized (this) {
      memory.writePlain(32, Thread.holdsLock(this) ? 1 : 0);
    }
    note();
    closed = true;
  }

  private static boolean isValid(long word) {
    return word == 0;
  }

  private synchronized void note() {
    memory.writePlain(40, Thread.holdsLock(this) ? 1 : 0);
  }
}
