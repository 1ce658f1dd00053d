package io.holdfast.core.section.hooks;

import io.holdfast.core.section.HeldLocks;
import io.holdfast.core.section.LockKeys;
import io.holdfast.core.section.SelfReporting;
import io.holdfast.core.section.ThreadSections;
import io.holdfast.core.section.commit.WeakIdentityMap;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/// What the agent weaves in the place of waits on a {@link Condition}. A wait gives up the
/// condition's lock with all its holds, so it ends the section, or makes an uncommitted release if
/// the thread holds other locks; after it the lock is acquired as if anew. A wait that finds the
/// thread interrupted when it begins gives nothing up.
///
/// A condition does not say whose it is, so that is noted when woven code makes it. One that was
/// made elsewhere belongs to the lock that the thread holds, if that is just one, and says so; else
/// the section goes on, with edges by all the locks.
///
/// Thread-safe; each call concerns the calling thread.
public final class ConditionHooks {
  /// A lock that passes on another's condition as its own has it in common with that one.
  private static final WeakIdentityMap<List<WeakReference<Lock>>> LOCKS = new WeakIdentityMap<>();

  public static void await(Condition condition) throws InterruptedException {
    if (condition instanceof SelfReporting) {
      condition.await();
      return;
    }
    Wait wait = new Wait(condition);
    try {
      condition.await();
    } finally {
      wait.isOver();
    }
  }

  public static void awaitUninterruptibly(Condition condition) {
    if (condition instanceof SelfReporting) {
      condition.awaitUninterruptibly();
      return;
    }
    Wait wait = new Wait(condition, ThreadSections.current());
    try {
      condition.awaitUninterruptibly();
    } finally {
      wait.isOver();
    }
  }

  public static long awaitNanos(Condition condition, long nanos) throws InterruptedException {
    if (condition instanceof SelfReporting) {
      return condition.awaitNanos(nanos);
    }
    Wait wait = new Wait(condition);
    try {
      return condition.awaitNanos(nanos);
    } finally {
      wait.isOver();
    }
  }

  public static boolean await(Condition condition, long time, TimeUnit unit)
      throws InterruptedException {
    if (condition instanceof SelfReporting) {
      return condition.await(time, unit);
    }
    Objects.requireNonNull(unit, "unit");
    Wait wait = new Wait(condition);
    try {
      return condition.await(time, unit);
    } finally {
      wait.isOver();
    }
  }

  public static boolean awaitUntil(Condition condition, Date deadline) throws InterruptedException {
    if (condition instanceof SelfReporting) {
      return condition.awaitUntil(deadline);
    }
    Objects.requireNonNull(deadline, "deadline");
    Wait wait = new Wait(condition);
    try {
      return condition.awaitUntil(deadline);
    } finally {
      wait.isOver();
    }
  }

  static void note(Condition condition, Lock lock) {
    List<WeakReference<Lock>> locks = LOCKS.computeIfAbsent(condition, CopyOnWriteArrayList::new);
    if (locks.stream().noneMatch(other -> other.refersTo(lock))) {
      locks.add(new WeakReference<>(lock));
    }
  }

  /// The locks of a condition that the thread holds, innermost of their making first.
  private static List<Lock> locksOf(Condition condition, ThreadSections thread) {
    List<WeakReference<Lock>> noted = LOCKS.get(condition);
    List<Lock> locks = new ArrayList<>(1);
    if (noted != null) {
      for (WeakReference<Lock> each : noted) {
        Lock lock = each.get();
        if (lock != null && thread.holds(lock)) {
          locks.add(lock);
        }
      }
    } else if (thread.held().only() instanceof ReentrantLock lock && isOf(lock, condition)) {
      locks.add(lock);
    }
    return locks;
  }

  private static boolean isOf(ReentrantLock lock, Condition condition) {
    try {
      lock.hasWaiters(condition);
      return true;
    } catch (IllegalArgumentException _) {
      return false; // another lock's, the JDK says
    }
  }

  /// What a wait gives up and takes again.
  private static final class Wait {
    private final ThreadSections thread;
    private final List<Lock> locks;
    private final int[] holds;

    Wait(Condition condition) throws InterruptedException {
      this(condition, interruptible());
    }

    private static ThreadSections interruptible() throws InterruptedException {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      return ThreadSections.current();
    }

    Wait(Condition condition, ThreadSections thread) {
      this.thread = thread;
      this.locks = locksOf(condition, thread);
      this.holds = new int[locks.size()];
      if (locks.isEmpty()) {
        forEachHeld(thread::publish);
      }
      for (int i = locks.size() - 1; i >= 0; i--) {
        holds[i] = thread.giveUp(locks.get(i), LockKeys.ofLock(locks.get(i)));
      }
    }

    void isOver() {
      for (int i = 0; i < holds.length; i++) {
        thread.takeAgain(locks.get(i), LockKeys.ofLock(locks.get(i)), holds[i]);
      }
      if (locks.isEmpty()) {
        forEachHeld(thread::observe);
      }
    }

    private void forEachHeld(Consumer<Object> action) {
      HeldLocks held = thread.held();
      for (int i = 0; i < held.size(); i++) {
        action.accept(held.at(i) instanceof Lock lock ? LockKeys.ofLock(lock) : held.at(i));
      }
    }
  }

  private ConditionHooks() {}
}
