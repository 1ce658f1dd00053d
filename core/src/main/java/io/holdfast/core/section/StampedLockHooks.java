package io.holdfast.core.section;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.StampedLock;

/// What the agent weaves in the place of calls of {@link StampedLock}: each method here does what
/// the method of the same name does to its first argument, and tells the section.
///
/// | call | to the section |
/// |---|---|
/// | a lock taken, in either mode | begins or goes one deeper |
/// | a lock given up | ends or comes one up |
/// | converted between reading and writing | stays; to reading is an open release, to writing an acquire |
/// | converted from optimistic reading to a lock, and back | as taken, as given up |
/// | an optimistic read found valid | an edge: depends on what writers left open |
///
/// What a stamp stands for is asked of it and of the lock before the call, since the end precedes
/// the release (LOCK-1): a stamp that is not valid changes nothing. A lock that another thread took
/// is no level of this one's section; giving it up is an edge.
///
/// Thread-safe; each call concerns the calling thread.
public final class StampedLockHooks {
  public static long writeLock(StampedLock lock) {
    return took(lock, lock.writeLock());
  }

  public static long writeLockInterruptibly(StampedLock lock) throws InterruptedException {
    return took(lock, lock.writeLockInterruptibly());
  }

  public static long tryWriteLock(StampedLock lock) {
    return took(lock, lock.tryWriteLock());
  }

  public static long tryWriteLock(StampedLock lock, long time, TimeUnit unit)
      throws InterruptedException {
    return took(lock, lock.tryWriteLock(time, unit));
  }

  public static long readLock(StampedLock lock) {
    return took(lock, lock.readLock());
  }

  public static long readLockInterruptibly(StampedLock lock) throws InterruptedException {
    return took(lock, lock.readLockInterruptibly());
  }

  public static long tryReadLock(StampedLock lock) {
    return took(lock, lock.tryReadLock());
  }

  public static long tryReadLock(StampedLock lock, long time, TimeUnit unit)
      throws InterruptedException {
    return took(lock, lock.tryReadLock(time, unit));
  }

  public static boolean validate(StampedLock lock, long stamp) {
    boolean valid = lock.validate(stamp);
    if (valid) {
      EdgeHooks.read(LockKeys.ofWhole(lock));
    }
    return valid;
  }

  public static void unlockWrite(StampedLock lock, long stamp) {
    try {
      if (StampedLock.isWriteLockStamp(stamp) && lock.validate(stamp)) {
        leave(lock);
      }
    } finally {
      lock.unlockWrite(stamp);
    }
  }

  public static void unlockRead(StampedLock lock, long stamp) {
    try {
      if (StampedLock.isReadLockStamp(stamp) && lock.validate(stamp)) {
        leave(lock);
      }
    } finally {
      lock.unlockRead(stamp);
    }
  }

  public static void unlock(StampedLock lock, long stamp) {
    try {
      if (StampedLock.isLockStamp(stamp) && lock.validate(stamp)) {
        leave(lock);
      }
    } finally {
      lock.unlock(stamp);
    }
  }

  public static boolean tryUnlockWrite(StampedLock lock) {
    if (lock.isWriteLocked()) {
      leave(lock);
    }
    return lock.tryUnlockWrite();
  }

  public static boolean tryUnlockRead(StampedLock lock) {
    if (lock.isReadLocked()) {
      leave(lock);
    }
    return lock.tryUnlockRead();
  }

  public static long tryConvertToWriteLock(StampedLock lock, long stamp) {
    long converted = lock.tryConvertToWriteLock(stamp);
    if (converted != 0 && StampedLock.isReadLockStamp(stamp)) {
      ThreadSections.current().observe(LockKeys.ofWhole(lock));
    } else if (StampedLock.isOptimisticReadStamp(stamp)) {
      took(lock, converted);
    }
    return converted;
  }

  public static long tryConvertToReadLock(StampedLock lock, long stamp) {
    if (StampedLock.isWriteLockStamp(stamp) && lock.validate(stamp)) {
      ThreadSections.current().publish(LockKeys.ofWhole(lock));
    }
    long converted = lock.tryConvertToReadLock(stamp);
    if (StampedLock.isOptimisticReadStamp(stamp)) {
      took(lock, converted);
    }
    return converted;
  }

  public static long tryConvertToOptimisticRead(StampedLock lock, long stamp) {
    if (StampedLock.isLockStamp(stamp) && lock.validate(stamp)) {
      leave(lock);
    }
    return lock.tryConvertToOptimisticRead(stamp);
  }

  public static Lock asReadLock(StampedLock lock) {
    Lock view = lock.asReadLock();
    LockKeys.view(lock, view);
    return view;
  }

  public static Lock asWriteLock(StampedLock lock) {
    Lock view = lock.asWriteLock();
    LockKeys.view(lock, view);
    return view;
  }

  public static ReadWriteLock asReadWriteLock(StampedLock lock) {
    ReadWriteLock view = lock.asReadWriteLock();
    LockKeys.view(lock, view);
    return view;
  }

  /// @param stamp 0 if it was not taken
  private static long took(StampedLock lock, long stamp) {
    if (stamp != 0) {
      try {
        ThreadSections.current().take(lock, LockKeys.ofWhole(lock));
      } catch (RuntimeException | Error e) {
        lock.unlock(stamp); // as if it had not been taken (WEAVE-3)
        throw e;
      }
    }
    return stamp;
  }

  private static void leave(StampedLock lock) {
    ThreadSections.current().leave(lock, LockKeys.ofWhole(lock));
  }

  private StampedLockHooks() {}
}
