package com.acme.plugin;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.StampedLock;
import java.util.function.BooleanSupplier;

/// Runs in a class loader that knows the JDK alone, and calls hooks of every class.
public class Plugin implements Runnable {
  private final BooleanSupplier inSection;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition condition = lock.newCondition();
  private final StampedLock stamped = new StampedLock();
  private volatile int runs;

  public Plugin(BooleanSupplier inSection) {
    this.inSection = inSection;
  }

  @Override
  public void run() {
    boolean monitor;
    boolean lockHeld;
    boolean stampHeld;
    synchronized (this) {
      monitor = inSection.getAsBoolean();
    }
    lock.lock();
    try {
      boolean signalled = condition.await(1, TimeUnit.MICROSECONDS);
      lockHeld = inSection.getAsBoolean() && !signalled;
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    } finally {
      lock.unlock();
    }
    long stamp = stamped.writeLock();
    try {
      stampHeld = inSection.getAsBoolean();
    } finally {
      stamped.unlockWrite(stamp);
    }
    runs = runs + 1;
    System.out.println(
        "plugin of %s: %s %s %s %s"
            .formatted(
                getClass().getClassLoader().getName(),
                monitor,
                lockHeld,
                stampHeld,
                inSection.getAsBoolean()));
  }
}
