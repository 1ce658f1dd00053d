package io.holdfast;

import io.holdfast.core.HoldfastException;
import io.holdfast.core.section.SelfReporting;
import io.holdfast.core.section.hooks.SectionHooks;
import java.util.Date;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;

/// A condition of a lock that delimits sections. A wait gives the lock up, so it ends the section,
/// or makes an uncommitted release if the thread holds other locks; when the thread has the lock
/// again, it is as if it had just taken it, as often as it held it before.
///
/// A wait that finds the thread interrupted when it begins gives nothing up, and the section goes
/// on. So it does if the thread does not hold the lock. One that ends a section which is not made
/// durable throws and does not wait.
///
/// Thread-safe.
final class DelimitingCondition implements Condition, SelfReporting {
  private final DelimitingLock lock;
  private final Condition condition;

  DelimitingCondition(DelimitingLock lock, Condition condition) {
    this.lock = lock;
    this.condition = condition;
  }

  @Override
  public void await() throws InterruptedException {
    refuseIfInterrupted();
    int holds = giveUp();
    try {
      condition.await();
    } finally {
      takeAgain(holds);
    }
  }

  @Override
  public void awaitUninterruptibly() {
    int holds = giveUp();
    try {
      condition.awaitUninterruptibly();
    } finally {
      takeAgain(holds);
    }
  }

  @Override
  public long awaitNanos(long nanosTimeout) throws InterruptedException {
    refuseIfInterrupted();
    int holds = giveUp();
    try {
      return condition.awaitNanos(nanosTimeout);
    } finally {
      takeAgain(holds);
    }
  }

  @Override
  public boolean await(long time, TimeUnit unit) throws InterruptedException {
    Objects.requireNonNull(unit, "unit");
    refuseIfInterrupted();
    int holds = giveUp();
    try {
      return condition.await(time, unit);
    } finally {
      takeAgain(holds);
    }
  }

  @Override
  public boolean awaitUntil(Date deadline) throws InterruptedException {
    Objects.requireNonNull(deadline, "deadline");
    refuseIfInterrupted();
    int holds = giveUp();
    try {
      return condition.awaitUntil(deadline);
    } finally {
      takeAgain(holds);
    }
  }

  @Override
  public void signal() {
    condition.signal();
  }

  @Override
  public void signalAll() {
    condition.signalAll();
  }

  /// As the JDK's wait would in a moment, but before the section has ended for nothing.
  private static void refuseIfInterrupted() throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
  }

  /// @return the holds; 0 if the thread has none, and the wait will refuse
  private int giveUp() {
    int holds = lock.holds();
    if (holds > 0) {
      SectionHooks.forgetEnded();
      lock.awaiting(holds);
      try {
        SectionHooks.checkEnded();
      } catch (HoldfastException e) {
        lock.awaited(holds);
        throw e;
      }
    }
    return holds;
  }

  /// However the wait ended, by a signal, the time or an interrupt, the thread has the lock again.
  private void takeAgain(int holds) {
    if (holds > 0) {
      lock.awaited(holds);
    }
  }
}
