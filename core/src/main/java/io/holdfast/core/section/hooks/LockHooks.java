package io.holdfast.core.section.hooks;

import io.holdfast.core.section.HeldLocks;
import io.holdfast.core.section.LockKeys;
import io.holdfast.core.section.SelfReporting;
import io.holdfast.core.section.ThreadSections;
import io.holdfast.core.section.commit.UncommittedReleases;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/// What the agent weaves in the place of calls of `java.util.concurrent.locks`: each method here
/// does what the method of the same name does to its first argument, and tells the section.
///
/// What is said of a lock is said while it is held, after it was taken and before it is given up
/// (HOLDS-1 of the front door's locks). A call that fails, by an exception or `false`, changes
/// nothing; only giving up the last of several holds is a release (HOLDS-3).
///
/// A lock of the program's own is reported as a whole, by the call, whatever it is made of: while
/// one of its methods runs, what that does to the lock itself, by `this` or `super`, is not told
/// again. Holdfast's own locks report themselves ({@link SelfReporting}).
///
/// Thread-safe; each call concerns the calling thread.
public final class LockHooks {
  public static void lock(Lock lock) {
    if (isJdk(lock)) {
      lock.lock();
      took(lock);
    } else {
      ThreadSections thread = ThreadSections.current();
      Object outer = thread.call(lock);
      try {
        lock.lock();
      } finally {
        thread.call(outer);
      }
      tookOwn(lock, outer);
    }
  }

  public static void lockInterruptibly(Lock lock) throws InterruptedException {
    if (isJdk(lock)) {
      lock.lockInterruptibly();
      took(lock);
    } else {
      ThreadSections thread = ThreadSections.current();
      Object outer = thread.call(lock);
      try {
        lock.lockInterruptibly();
      } finally {
        thread.call(outer);
      }
      tookOwn(lock, outer);
    }
  }

  public static boolean tryLock(Lock lock) {
    boolean taken;
    if (isJdk(lock)) {
      taken = lock.tryLock();
      if (taken) {
        took(lock);
      }
    } else {
      ThreadSections thread = ThreadSections.current();
      Object outer = thread.call(lock);
      try {
        taken = lock.tryLock();
      } finally {
        thread.call(outer);
      }
      if (taken) {
        tookOwn(lock, outer);
      }
    }
    return taken;
  }

  public static boolean tryLock(Lock lock, long time, TimeUnit unit) throws InterruptedException {
    boolean taken;
    if (isJdk(lock)) {
      taken = lock.tryLock(time, unit);
      if (taken) {
        took(lock);
      }
    } else {
      ThreadSections thread = ThreadSections.current();
      Object outer = thread.call(lock);
      try {
        taken = lock.tryLock(time, unit);
      } finally {
        thread.call(outer);
      }
      if (taken) {
        tookOwn(lock, outer);
      }
    }
    return taken;
  }

  /// Where the stack has no room for what precedes the release, the lock is held as before, as
  /// where it has none for the JDK's own call (HOOKS-2).
  public static void unlock(Lock lock) {
    if (isJdk(lock)) {
      leaveAndUnlock(lock);
    } else {
      ThreadSections thread = ThreadSections.current();
      Object outer = thread.call(lock);
      try {
        if (isTold(lock, outer)) {
          leaveAndUnlock(lock);
        } else {
          lock.unlock();
        }
      } finally {
        thread.call(outer);
      }
    }
    ThreadSections.released();
  }

  private static void leaveAndUnlock(Lock lock) {
    try {
      ThreadSections thread = ThreadSections.current();
      thread.leave(isJdk(lock) ? lock : asTaken(thread, lock), keyToRelease(lock));
    } catch (StackOverflowError | OutOfMemoryError e) {
      throw e; // it is kept
    } catch (Throwable e) { // of an access, perhaps (FAULT-1)
      lock.unlock();
      throw e;
    }
    lock.unlock();
  }

  /// Notes whose condition it is, for {@link ConditionHooks}.
  public static Condition newCondition(Lock lock) {
    Condition condition = lock.newCondition();
    if (!(lock instanceof SelfReporting)) {
      ConditionHooks.note(condition, lock);
    }
    return condition;
  }

  public static Lock readLock(ReadWriteLock lock) {
    Lock half = lock.readLock();
    LockKeys.pair(lock, half);
    return half;
  }

  public static Lock writeLock(ReadWriteLock lock) {
    Lock half = lock.writeLock();
    LockKeys.pair(lock, half);
    return half;
  }

  public static ReentrantReadWriteLock.ReadLock readLock(ReentrantReadWriteLock lock) {
    ReentrantReadWriteLock.ReadLock half = lock.readLock();
    LockKeys.pair(lock, half);
    return half;
  }

  public static ReentrantReadWriteLock.WriteLock writeLock(ReentrantReadWriteLock lock) {
    ReentrantReadWriteLock.WriteLock half = lock.writeLock();
    LockKeys.pair(lock, half);
    return half;
  }

  /// After `super.lock()`, in a lock of the program's own.
  public static void tookBySuper(Lock lock) {
    if (!ThreadSections.current().isCalling(lock)) {
      took(lock);
    }
  }

  /// After `super.tryLock()`.
  ///
  /// @return `taken`
  public static boolean tookBySuper(boolean taken, Lock lock) {
    if (taken) {
      tookBySuper(lock);
    }
    return taken;
  }

  /// Before `super.unlock()`.
  public static void releasingBySuper(Lock lock) {
    ThreadSections thread = ThreadSections.current();
    if (!thread.isCalling(lock)) {
      thread.leave(lock, LockKeys.of(lock));
    }
  }

  /// Whether it is one of the JDK's, whose methods are not woven.
  private static boolean isJdk(Lock lock) {
    return lock.getClass() == ReentrantLock.class || LockKeys.isHalf(lock);
  }

  private static void took(Lock lock) {
    try {
      // Read while the lock is held: what its releasers left open is in there by now.
      Object key = UncommittedReleases.isEmpty() ? lock : LockKeys.ofLock(lock);
      ThreadSections.current().take(lock, key);
    } catch (RuntimeException | Error e) {
      lock.unlock(); // as if it had not been taken (WEAVE-3)
      throw e;
    }
  }

  /// A key is looked for only where somebody could look under it.
  private static Object keyToRelease(Lock lock) {
    return ThreadSections.isAnyStoreOpen() ? LockKeys.ofLock(lock) : lock;
  }

  /// A read-write lock of the program's own may make its locks at each call, so that another object
  /// is given up than was taken.
  ///
  /// @return the one that the thread has taken
  @SuppressWarnings("ReferenceEquality") // keys
  private static Object asTaken(ThreadSections thread, Lock lock) {
    if (!thread.holds(lock)) {
      Object key = LockKeys.of(lock);
      HeldLocks held = thread.held();
      for (int i = held.size() - 1; key != lock && i >= 0; i--) {
        Object taken = held.at(i);
        if (taken.getClass() == lock.getClass() && LockKeys.of(taken) == key) {
          return taken;
        }
      }
    }
    return lock;
  }

  private static void tookOwn(Lock lock, Object outer) {
    if (isTold(lock, outer)) {
      took(lock);
    }
  }

  @SuppressWarnings("ReferenceEquality") // locks
  private static boolean isTold(Lock lock, Object outer) {
    return outer != lock && !(lock instanceof SelfReporting);
  }

  private LockHooks() {}
}
