package io.holdfast.core.section;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// A reentrant lock whose critical sections are failure-atomic.
///
/// The end precedes the release: a section is durable, or waiting, before its last lock is given up.
/// Waiting on a condition releases and reacquires: alone it ends the section, nested it is an open
/// release.
public final class SectionLock {
  private final ReentrantLock lock = new ReentrantLock();
  private final Object key;

  /// @param key what stands for the lock in dependencies. Locks between which there are edges of their own,
  ///     as between the two ends of a queue, share a key.
  public SectionLock(Object key) {
    this.key = key;
  }

  public void lock() {
    lock.lock();
    SectionHooks.acquired(key);
  }

  public void lockInterruptibly() throws InterruptedException {
    lock.lockInterruptibly();
    SectionHooks.acquired(key);
  }

  public void unlock() {
    SectionHooks.releasing(key);
    lock.unlock();
  }

  /// A condition of this lock.
  public SectionCondition newCondition() {
    return new SectionCondition(lock.newCondition(), key);
  }

  /// A condition of a {@link SectionLock}.
  public static final class SectionCondition {
    private final Condition condition;
    private final Object key;

    private SectionCondition(Condition condition, Object key) {
      this.condition = condition;
      this.key = key;
    }

    public void await() throws InterruptedException {
      SectionHooks.releasing(key);
      try {
        condition.await();
      } finally {
        SectionHooks.acquired(key);
      }
    }

    /// @return the nanoseconds that are left, not positive when the time is over
    public long awaitNanos(long nanos) throws InterruptedException {
      SectionHooks.releasing(key);
      try {
        return condition.awaitNanos(nanos);
      } finally {
        SectionHooks.acquired(key);
      }
    }

    public void signal() {
      condition.signal();
    }

    public void signalAll() {
      condition.signalAll();
    }
  }
}
