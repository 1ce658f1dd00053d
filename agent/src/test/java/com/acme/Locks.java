package com.acme;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.concurrent.locks.StampedLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/// What code with `java.util.concurrent.locks` looks like. Woven by the tests; knows nothing of
/// sections.
public class Locks {
  public void take(Lock lock) {
    lock.lock();
  }

  public void give(Lock lock) {
    lock.unlock();
  }

  public Lock reader(ReentrantReadWriteLock lock) {
    return lock.readLock();
  }

  public Lock writer(ReadWriteLock lock) {
    return lock.writeLock();
  }

  public long takeStamped(StampedLock lock) {
    return lock.writeLock();
  }

  public long toReading(StampedLock lock, long stamp) {
    return lock.tryConvertToReadLock(stamp);
  }

  public void giveStamped(StampedLock lock, long stamp) {
    lock.unlock(stamp);
  }

  public boolean readOptimistically(StampedLock lock) {
    return lock.validate(lock.tryOptimisticRead());
  }

  public void block(Lock lock, Runnable body) {
    lock.lock();
    try {
      body.run();
    } finally {
      lock.unlock();
    }
  }

  public void reentrant(ReentrantLock lock, Runnable body) {
    lock.lock();
    try {
      body.run();
    } finally {
      lock.unlock();
    }
  }

  public void nested(Lock outer, Lock inner, Runnable body) {
    outer.lock();
    try {
      block(inner, body);
      body.run();
    } finally {
      outer.unlock();
    }
  }

  public void handOverHand(Lock first, Lock second, Runnable body) {
    first.lock();
    body.run();
    second.lock();
    first.unlock();
    body.run();
    second.unlock();
  }

  public void interruptibly(Lock lock, Runnable body) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      body.run();
    } finally {
      lock.unlock();
    }
  }

  public boolean tried(Lock lock, Runnable body) {
    if (!lock.tryLock()) {
      return false;
    }
    try {
      body.run();
    } finally {
      lock.unlock();
    }
    return true;
  }

  public boolean timed(Lock lock, Runnable body) throws InterruptedException {
    boolean taken = lock.tryLock(1, TimeUnit.MILLISECONDS);
    if (taken) {
      body.run();
      lock.unlock();
    }
    return taken;
  }

  public void readAndWrite(ReadWriteLock lock, Runnable body) {
    lock.readLock().lock();
    body.run();
    lock.readLock().unlock();
    lock.writeLock().lock();
    body.run();
    lock.writeLock().unlock();
  }

  public void downgrade(ReentrantReadWriteLock lock, Runnable body) {
    lock.writeLock().lock();
    body.run();
    lock.readLock().lock();
    lock.writeLock().unlock();
    body.run();
    lock.readLock().unlock();
  }

  public void stampedWrite(StampedLock lock, Runnable body) {
    long stamp = lock.writeLock();
    body.run();
    lock.unlockWrite(stamp);
    stamp = lock.tryWriteLock();
    body.run();
    lock.unlock(stamp);
    lock.writeLock();
    body.run();
    lock.tryUnlockWrite();
  }

  public void stampedRead(StampedLock lock, Runnable body) {
    long stamp = lock.readLock();
    body.run();
    lock.unlockRead(stamp);
    lock.tryReadLock();
    body.run();
    lock.tryUnlockRead();
  }

  public void stampedConversions(StampedLock lock, Runnable body) {
    long stamp = lock.tryOptimisticRead();
    body.run(); // out
    lock.validate(stamp);
    stamp = lock.tryConvertToReadLock(stamp);
    body.run();
    stamp = lock.tryConvertToWriteLock(stamp);
    body.run();
    stamp = lock.tryConvertToReadLock(stamp);
    body.run();
    stamp = lock.tryConvertToOptimisticRead(stamp);
    body.run(); // out
    stamp = lock.tryConvertToWriteLock(stamp);
    body.run();
    lock.tryConvertToWriteLock(stamp);
    lock.unlock(stamp);
  }

  public void stampedViews(StampedLock lock, Runnable body) {
    block(lock.asReadLock(), body);
    block(lock.asWriteLock(), body);
    readAndWrite(lock.asReadWriteLock(), body);
  }

  public void badStamp(StampedLock lock, Runnable body) {
    long stamp = lock.writeLock();
    try {
      lock.unlockWrite(stamp + 1024);
    } catch (IllegalMonitorStateException e) {
      body.run();
    }
    if (lock.tryConvertToOptimisticRead(stamp + 1024) == 0) {
      body.run();
    }
    lock.unlockWrite(stamp);
  }

  public void references(ReentrantLock lock, Runnable body) {
    Runnable take = lock::lock;
    Consumer<Lock> give = Lock::unlock;
    BooleanSupplier tried = lock::tryLock;
    take.run();
    body.run();
    give.accept(lock);
    if (tried.getAsBoolean()) {
      body.run();
      give.accept(lock);
    }
  }

  public void unlockOnly(Lock lock) {
    lock.unlock();
  }

  public void await(Lock lock, Condition condition, Runnable body) throws InterruptedException {
    lock.lock();
    try {
      body.run();
      condition.awaitNanos(1);
      body.run();
    } finally {
      lock.unlock();
    }
  }

  /// @param holds how often the lock is held
  public void awaitAll(Lock lock, Runnable body, int holds) throws InterruptedException {
    Condition condition = lock.newCondition();
    for (int i = 0; i < holds; i++) {
      lock.lock();
    }
    body.run();
    condition.await(1, TimeUnit.MICROSECONDS);
    body.run();
    condition.awaitUntil(new java.util.Date(0));
    body.run();
    for (int i = 0; i < holds; i++) {
      lock.unlock();
    }
  }

  public void awaitSignal(Lock lock, Condition condition, BooleanSupplier over)
      throws InterruptedException {
    lock.lock();
    try {
      while (!over.getAsBoolean()) {
        condition.await();
      }
    } finally {
      lock.unlock();
    }
  }

  public synchronized void pause(Runnable body) throws InterruptedException {
    body.run();
    inner(body);
    body.run();
  }

  private synchronized void inner(Runnable body) throws InterruptedException {
    body.run();
    wait(1);
    body.run();
  }

  public synchronized void pauseNanos(Runnable body) throws InterruptedException {
    body.run();
    this.wait(0, 1);
    body.run();
  }

  public void pauseUnder(Object outer, Object inner, Runnable body) throws InterruptedException {
    synchronized (outer) {
      synchronized (inner) {
        body.run();
        inner.wait(1);
        body.run();
      }
    }
  }

  public void waitUnowned(Object monitor) throws InterruptedException {
    monitor.wait();
  }

  public synchronized void waitFor(BooleanSupplier over) throws InterruptedException {
    while (!over.getAsBoolean()) {
      wait();
    }
  }

  public synchronized void wake() {
    notifyAll();
  }
}
