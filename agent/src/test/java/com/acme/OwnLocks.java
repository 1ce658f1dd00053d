package com.acme;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.StampedLock;

/// Locks that a program writes for itself.
public class OwnLocks {
  /// Overrides some methods, and calls them in a crossed way.
  public static class Counting extends ReentrantLock {
    private static final long serialVersionUID = 1;
    public int taken;

    @Override
    public void lock() {
      super.lock();
      taken++;
    }

    @Override
    public void lockInterruptibly() throws InterruptedException {
      lock();
    }

    @Override
    public boolean tryLock() {
      boolean tried = super.tryLock();
      taken += tried ? 1 : 0;
      return tried;
    }

    @Override
    public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
      return super.tryLock(time, unit);
    }

    @Override
    public void unlock() {
      super.unlock();
    }

    /// Other methods that take it and give it up, by super.
    public void enter() {
      super.lock();
    }

    public boolean tryEnter() throws InterruptedException {
      return super.tryLock(1, TimeUnit.MILLISECONDS);
    }

    public void leave() {
      super.unlock();
    }
  }

  /// Made of another lock.
  public static class Wrapped implements Lock {
    private final ReentrantLock lock = new ReentrantLock();

    @Override
    public void lock() {
      lock.lock();
    }

    @Override
    public void lockInterruptibly() throws InterruptedException {
      lock.lockInterruptibly();
    }

    @Override
    public boolean tryLock() {
      lock();
      return true;
    }

    @Override
    public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
      return lock.tryLock(time, unit);
    }

    @Override
    public void unlock() {
      lock.unlock();
    }

    @Override
    public Condition newCondition() {
      return lock.newCondition();
    }
  }

  /// Made of an atomic.
  public static class Spinning implements Lock {
    private final AtomicReference<Thread> owner = new AtomicReference<>();

    @Override
    public void lock() {
      while (!tryLock()) {
        Thread.onSpinWait();
      }
    }

    @Override
    public void lockInterruptibly() {
      lock();
    }

    @Override
    public boolean tryLock() {
      return owner.compareAndSet(null, Thread.currentThread());
    }

    @Override
    public boolean tryLock(long time, TimeUnit unit) {
      return tryLock();
    }

    @Override
    public void unlock() {
      if (!owner.compareAndSet(Thread.currentThread(), null)) {
        throw new IllegalMonitorStateException("not held");
      }
    }

    @Override
    public Condition newCondition() {
      throw new UnsupportedOperationException();
    }
  }

  /// Overrides methods of a stamped lock, and calls others of its own.
  public static class Stamping extends StampedLock {
    private static final long serialVersionUID = 1;
    public int taken;

    @Override
    public long writeLock() {
      long stamp = tryWriteLock();
      taken++;
      return stamp == 0 ? super.writeLock() : stamp;
    }

    @Override
    public long readLock() {
      return tryConvertToReadLock(writeLock());
    }

    @Override
    public void unlockWrite(long stamp) {
      if (!validate(stamp) || !tryUnlockWrite()) {
        throw new IllegalMonitorStateException("not held");
      }
    }

    @Override
    public long tryConvertToWriteLock(long stamp) {
      unlock(stamp);
      return writeLock();
    }
  }

  public void stamping(Stamping lock, Runnable body) {
    long stamp = lock.writeLock();
    body.run();
    lock.unlockWrite(stamp);
    body.run();
    stamp = lock.readLock();
    body.run();
    lock.unlock(stamp);
    body.run();
    stamp = lock.readLock();
    stamp = lock.tryConvertToWriteLock(stamp);
    body.run();
    lock.unlock(stamp);
    body.run();
  }

  public void counting(Counting lock, Runnable body) throws InterruptedException {
    lock.enter();
    body.run();
    if (lock.tryEnter()) {
      body.run();
      lock.leave();
    }
    lock.leave();
  }
}
