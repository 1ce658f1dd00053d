package io.holdfast.collections.queue;

import io.holdfast.core.memory.LinePadding;
import io.holdfast.core.section.Section;
import io.holdfast.core.section.SectionLock;
import io.holdfast.core.section.Sections;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/// One of a queue's two ends in memory: its lock, how many elements have ever passed it, and the
/// threads that wait for more. What the two have to do with each other: {@link QueueEnds}.
///
/// Thread-safe.
final class QueueEnd extends LinePadding {
  private static final VarHandle COUNT;

  static {
    try {
      COUNT = MethodHandles.lookup().findVarHandle(QueueEnd.class, "count", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /// How long a thread waits before it looks whether there is who it waits for.
  private static final long LOOK_NANOS = 1_000_000_000;

  final SectionLock lock;

  private final boolean wakesOne;

  /// How many elements were ever added here, or are gone from here; stored under the lock.
  private volatile long count;

  /// Whether {@link #count} is about to change; stored under the lock.
  private volatile boolean isChanging;

  /// How many elements the thread that has the lock has added or taken, and not counted yet.
  private int moved;

  /// Threads that wait for {@link #count} to change. The condition and their number are the lock's.
  private final Condition changed;

  private int waiting;

  /// @param key what stands for the queue in dependencies
  /// @param wakesOne whether one more element is for one waiting thread, and wakes no others
  /// @param admission counts what an overlay has moved, when the lock is let go ({@link
  ///   SectionLock})
  QueueEnd(Sections sections, Object key, long count, boolean wakesOne, Runnable admission) {
    this.lock = new SectionLock(sections, key, admission);
    this.changed = lock.waiting().newCondition();
    this.count = count;
    this.wakesOne = wakesOne;
  }

  /// How many elements have passed. If that is about to change, waits until it has (QUEUE-6).
  long count() {
    if (isChanging) {
      awaitChange();
    }
    return count;
  }

  /// Does not lock: the thread may have the other end's lock, and the two have an order.
  private void awaitChange() {
    long look = System.nanoTime() + LOOK_NANOS;
    while (isChanging) {
      LockSupport.parkNanos(1_000);
      if (System.nanoTime() - look > 0) {
        lock.checkOwner();
        look = System.nanoTime() + LOOK_NANOS;
      }
    }
  }

  /// The same without waiting.
  long knownCount() {
    return count;
  }

  /// The section that stored the counter was rolled back.
  void setBack(long saved) {
    count = saved;
  }

  /// Notes that an element was added or taken, under the lock.
  void move() {
    moved++;
  }

  /// How many of these are not counted yet. Under the lock.
  int moved() {
    return moved;
  }

  /// Ends the section and gives up the lock.
  ///
  /// @return whether elements have passed
  boolean end(Section section) {
    int done = 0;
    try {
      // Of several elements some may have been moved before the section was rolled back.
      done = moved > 0 && section.isUndone() ? 0 : moved;
      lock.endSection(section);
      if (done > 0) {
        // QUEUE-4: after the section's end. A taker that saw the element earlier could be durable
        // without the section that added it.
        // Test: PersistentQueueDependencyTest.queue4NothingIsSeenBeforeItsSectionEnds.
        advance(done);
      }
    } catch (VirtualMachineError | LinkageError e) {
      section.breakOff(e); // the counter could be wrong
      throw e;
    } finally {
      moved = 0;
      lock.unlock(); // a fault can be thrown late (FAULT-1)
    }
    return done > 0;
  }

  /// Counts elements, and wakes who waits for them. Under the lock.
  void advance(int by) {
    COUNT.setRelease(this, count + by);
    if (waiting > 0) {
      if (by == 1 && wakesOne) {
        changed.signal();
      } else {
        changed.signalAll();
      }
    }
  }

  /// Marks the counter as about to change, under the lock (QUEUE-6).
  void willChange() {
    isChanging = true;
  }

  void hasChanged() {
    isChanging = false;
  }

  /// Waits until what passes here makes something so; outside of the sections, with nothing but the
  /// lock.
  ///
  /// @param check throws if there is nothing to wait for
  /// @return the nanoseconds that are left
  long await(BooleanSupplier isSo, Runnable check, long nanos) throws InterruptedException {
    lock.waiting().lockInterruptibly();
    waiting++;
    try {
      long left = nanos;
      while (!isSo.getAsBoolean() && left > 0) {
        check.run();
        long nap = Math.min(left, LOOK_NANOS); // who would wake it may have failed
        left -= nap - changed.awaitNanos(nap);
      }
      return left;
    } finally {
      waiting--;
      lock.waiting().unlock();
    }
  }

  /// Has all who wait look again. Takes the lock, unless it is held for as long as they take to
  /// look by themselves: by a function of the program's, say, that waits for the store's closing.
  void wakeAll() {
    if (lock.takeFor(LOOK_NANOS)) {
      try {
        changed.signalAll();
      } finally {
        lock.unlock();
      }
    }
  }
}
