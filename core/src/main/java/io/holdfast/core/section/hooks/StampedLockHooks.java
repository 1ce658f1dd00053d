package io.holdfast.core.section.hooks;

import io.holdfast.core.section.LockKeys;
import io.holdfast.core.section.ThreadSections;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.StampedLock;
import java.util.function.ObjLongConsumer;

/// What the agent weaves in the place of calls of {@link StampedLock}: each method here does what
/// the method of the same name does to its first argument, and tells the section.
///
/// | call | to the section |
/// |---|---|
/// | a lock taken, in either mode | begins or goes one deeper |
/// | a lock given up | ends or comes one up |
/// | converted between reading and writing | stays; to reading is an uncommitted release, to writing an acquire |
/// | converted from optimistic reading to a lock, and back | as taken, as given up |
/// | an optimistic read found valid | an edge: depends on what writers left open |
///
/// What a stamp stands for is asked of it and of the lock before the call, since the end precedes
/// the release (HOLDS-1): a stamp that is not valid changes nothing. A lock that another thread
/// took is no level of this one's section; giving it up is an edge.
///
/// A lock of a subclass is reported as a whole, by the call, whatever it is made of: while one of
/// its methods runs, what that does to the lock itself is not told again, as with {@link
/// LockHooks}.
///
/// Thread-safe; each call concerns the calling thread.
public final class StampedLockHooks {
  private static final ObjLongConsumer<StampedLock> UNLOCK_WRITE = StampedLock::unlockWrite;
  private static final ObjLongConsumer<StampedLock> UNLOCK_READ = StampedLock::unlockRead;
  private static final ObjLongConsumer<StampedLock> UNLOCK = StampedLock::unlock;

  /// A method that takes a lock and returns its stamp.
  private interface Acquisition<X extends Exception> {
    long of(StampedLock lock) throws X;
  }

  public static long writeLock(StampedLock lock) {
    return acquire(lock, StampedLock::writeLock);
  }

  public static long writeLockInterruptibly(StampedLock lock) throws InterruptedException {
    return acquire(lock, StampedLock::writeLockInterruptibly);
  }

  public static long tryWriteLock(StampedLock lock) {
    return acquire(lock, StampedLock::tryWriteLock);
  }

  public static long tryWriteLock(StampedLock lock, long time, TimeUnit unit)
      throws InterruptedException {
    return acquire(lock, each -> each.tryWriteLock(time, unit));
  }

  public static long readLock(StampedLock lock) {
    return acquire(lock, StampedLock::readLock);
  }

  public static long readLockInterruptibly(StampedLock lock) throws InterruptedException {
    return acquire(lock, StampedLock::readLockInterruptibly);
  }

  public static long tryReadLock(StampedLock lock) {
    return acquire(lock, StampedLock::tryReadLock);
  }

  public static long tryReadLock(StampedLock lock, long time, TimeUnit unit)
      throws InterruptedException {
    return acquire(lock, each -> each.tryReadLock(time, unit));
  }

  private static <X extends Exception> long acquire(StampedLock lock, Acquisition<X> method)
      throws X {
    Object outer = call(lock);
    long stamp;
    try {
      stamp = method.of(lock);
    } finally {
      back(lock, outer);
    }
    return took(lock, outer, stamp);
  }

  public static boolean validate(StampedLock lock, long stamp) {
    Object outer = call(lock);
    boolean valid;
    try {
      valid = lock.validate(stamp);
    } finally {
      back(lock, outer);
    }
    if (valid) {
      EdgeHooks.read(LockKeys.ofWhole(lock));
    }
    return valid;
  }

  public static void unlockWrite(StampedLock lock, long stamp) {
    unlock(lock, stamp, StampedLock.isWriteLockStamp(stamp), UNLOCK_WRITE);
  }

  public static void unlockRead(StampedLock lock, long stamp) {
    unlock(lock, stamp, StampedLock.isReadLockStamp(stamp), UNLOCK_READ);
  }

  public static void unlock(StampedLock lock, long stamp) {
    unlock(lock, stamp, StampedLock.isLockStamp(stamp), UNLOCK);
  }

  /// @param fits whether the stamp is of the kind that the method takes
  private static void unlock(
      StampedLock lock, long stamp, boolean fits, ObjLongConsumer<StampedLock> method) {
    Object outer = call(lock);
    try {
      leaveAndUnlock(lock, outer, stamp, fits, method);
    } finally {
      back(lock, outer);
    }
    ThreadSections.released();
  }

  private static void leaveAndUnlock(
      StampedLock lock,
      Object outer,
      long stamp,
      boolean fits,
      ObjLongConsumer<StampedLock> method) {
    try {
      leave(lock, outer, fits && lock.validate(stamp));
    } catch (StackOverflowError | OutOfMemoryError e) {
      throw e; // it is kept
    } catch (Throwable e) { // as in LockHooks
      method.accept(lock, stamp);
      throw e;
    }
    method.accept(lock, stamp);
  }

  public static boolean tryUnlockWrite(StampedLock lock) {
    Object outer = call(lock);
    boolean given;
    try {
      leave(lock, outer, lock.isWriteLocked());
      given = lock.tryUnlockWrite();
    } finally {
      back(lock, outer);
    }
    ThreadSections.released();
    return given;
  }

  public static boolean tryUnlockRead(StampedLock lock) {
    Object outer = call(lock);
    boolean given;
    try {
      leave(lock, outer, lock.isReadLocked());
      given = lock.tryUnlockRead();
    } finally {
      back(lock, outer);
    }
    ThreadSections.released();
    return given;
  }

  public static long tryConvertToWriteLock(StampedLock lock, long stamp) {
    Object outer = call(lock);
    long converted;
    try {
      converted = lock.tryConvertToWriteLock(stamp);
    } finally {
      back(lock, outer);
    }
    if (StampedLock.isOptimisticReadStamp(stamp)) {
      return took(lock, outer, converted);
    }
    if (converted != 0 && isTold(lock, outer) && StampedLock.isReadLockStamp(stamp)) {
      ThreadSections.current().observe(LockKeys.ofWhole(lock));
    }
    return converted;
  }

  public static long tryConvertToReadLock(StampedLock lock, long stamp) {
    Object outer = call(lock);
    long converted;
    try {
      if (isTold(lock, outer) && StampedLock.isWriteLockStamp(stamp) && lock.validate(stamp)) {
        ThreadSections.current().publish(LockKeys.ofWhole(lock));
      }
      converted = lock.tryConvertToReadLock(stamp);
    } finally {
      back(lock, outer);
    }
    return StampedLock.isOptimisticReadStamp(stamp) ? took(lock, outer, converted) : converted;
  }

  public static long tryConvertToOptimisticRead(StampedLock lock, long stamp) {
    Object outer = call(lock);
    long converted;
    try {
      leave(lock, outer, StampedLock.isLockStamp(stamp) && lock.validate(stamp));
      converted = lock.tryConvertToOptimisticRead(stamp);
    } finally {
      back(lock, outer);
    }
    ThreadSections.released();
    return converted;
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

  private static boolean isJdk(StampedLock lock) {
    return lock.getClass() == StampedLock.class;
  }

  /// Before a method of the lock is called.
  ///
  /// @return for {@link #back} and {@link #isTold}
  private static Object call(StampedLock lock) {
    return isJdk(lock) ? null : ThreadSections.current().call(lock);
  }

  private static void back(StampedLock lock, Object outer) {
    if (!isJdk(lock)) {
      ThreadSections.current().call(outer);
    }
  }

  @SuppressWarnings("ReferenceEquality") // locks
  private static boolean isTold(StampedLock lock, Object outer) {
    return outer != lock;
  }

  /// @param stamp 0 if it was not taken
  private static long took(StampedLock lock, Object outer, long stamp) {
    if (stamp != 0 && isTold(lock, outer)) {
      try {
        ThreadSections.current().take(lock, LockKeys.ofWhole(lock));
      } catch (RuntimeException | Error e) {
        lock.unlock(stamp); // as if it had not been taken (WEAVE-3)
        throw e;
      }
    }
    return stamp;
  }

  private static void leave(StampedLock lock, Object outer, boolean gives) {
    if (gives && isTold(lock, outer)) {
      ThreadSections.current().leave(lock, LockKeys.ofWhole(lock));
    }
  }

  private StampedLockHooks() {}
}
