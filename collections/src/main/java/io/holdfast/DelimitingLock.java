package io.holdfast;

import io.holdfast.core.section.SelfReporting;
import io.holdfast.core.section.hooks.SectionHooks;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/// A lock of the JDK's that delimits failure-atomic sections: what Holdfast's locks have in common
/// (Atlas, 3.2 and 3.3).
///
/// | the calling thread | holds it for the first time, or no more | holds it still |
/// |---|---|---|
/// | took it | begins a section or goes one deeper; depends on what others left open | goes one deeper |
/// | gives it up | ends the section, or makes an uncommitted release | comes one up |
/// | waits | ends the section, or makes an uncommitted release | (a wait gives up all holds) |
///
/// - **HOLDS-1** The end precedes the release: what is said of a lock is said while it is held,
///   after it was taken and before it is given up. Test:
///   DurableLockTest.holds1TheEndPrecedesTheRelease.
/// - **HOLDS-2** A thread's depth grows by one with each hold and shrinks by one with each: what
///   fails or is interrupted changes neither. Test: DurableLockModelTest.
/// - **HOLDS-3** A release is what lets others in. Giving up one hold of several is none, and makes
///   nobody depend on anybody. Test: DurableLockTest.holds3AnInnerUnlockIsNoRelease.
///
/// Thread-safe.
abstract class DelimitingLock implements Lock, SelfReporting {
  private final Lock lock;

  DelimitingLock(Lock lock) {
    this.lock = lock;
  }

  /// How often the calling thread holds it.
  abstract int holds();

  /// After the thread's first hold was taken.
  void acquired() {
    SectionHooks.acquired(this);
  }

  /// Before the thread's last hold is given up.
  void releasing() {
    SectionHooks.releasing(this);
  }

  /// Before all holds are given up in a wait.
  void awaiting(int holds) {
    SectionHooks.awaiting(this, holds);
  }

  /// After a wait has taken all holds again.
  void awaited(int holds) {
    SectionHooks.awaited(this, holds);
  }

  @Override
  public void lock() {
    int before = holds();
    try {
      lock.lock();
      entered();
    } catch (Throwable e) {
      comeBackTo(before);
      throw e;
    }
  }

  @Override
  public void lockInterruptibly() throws InterruptedException {
    int before = holds();
    try {
      lock.lockInterruptibly();
      entered();
    } catch (Throwable e) {
      comeBackTo(before);
      throw e;
    }
  }

  @Override
  public boolean tryLock() {
    int before = holds();
    try {
      boolean taken = lock.tryLock();
      if (taken) {
        entered();
      }
      return taken;
    } catch (Throwable e) {
      comeBackTo(before);
      throw e;
    }
  }

  @Override
  public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
    int before = holds();
    try {
      boolean taken = lock.tryLock(time, unit);
      if (taken) {
        entered();
      }
      return taken;
    } catch (Throwable e) {
      comeBackTo(before);
      throw e;
    }
  }

  private void entered() {
    if (holds() == 1) {
      acquired();
    } else {
      SectionHooks.enter();
    }
  }

  /// After an error, which can come when the lock was taken already (HOLDS-2).
  private void comeBackTo(int before) {
    while (holds() > before) {
      lock.unlock();
    }
  }

  /// {@inheritDoc}
  ///
  /// If the stack has no room for the call, the lock is held as before; where it has room for that
  /// and not for the wait for a disk that follows, the lock is given up.
  ///
  /// @throws IllegalMonitorStateException if the calling thread does not hold it; its section goes
  ///   on as it was
  /// @throws io.holdfast.core.HoldfastException if the section that ends was not made durable,
  ///   since its store has failed or was closed meanwhile; the lock is given up
  @Override
  public void unlock() {
    int holds = holds();
    SectionHooks.forgetEnded();
    if (holds == 1) {
      releasing(); // HOLDS-1
    } else if (holds > 1) {
      SectionHooks.exit(); // HOLDS-3
    }
    lock.unlock(); // refuses a thread that does not hold it
    SectionHooks.released(); // ACK-2
    SectionHooks.checkEnded();
  }

  @Override
  public Condition newCondition() {
    return new DelimitingCondition(this, lock.newCondition());
  }

  /// The thread that holds it, as the JDK's locks say it.
  @Override
  public String toString() {
    String state = lock.toString();
    return super.toString() + state.substring(state.indexOf('['));
  }
}
