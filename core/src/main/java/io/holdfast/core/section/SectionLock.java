package io.holdfast.core.section;

import io.holdfast.core.section.commit.DurableWait;
import io.holdfast.core.section.commit.RegionState;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;

/// A lock of a region's own whose critical sections are failure-atomic.
///
/// The end precedes the release: the section is durable, or waiting, or has published its open
/// release, before the lock is given up ({@link #endSection}); between the two the holder may tell
/// others, by a plain counter, what they will find.
///
/// Waiting for what another thread does is done on {@link #waiting}, the same lock without
/// sections: a thread that waits there has changed nothing, and holds nothing of the region's.
///
/// **LEVEL-1** A collection's operation is one level of the section, however many locks it takes:
/// the others it holds ({@link #hold}), and gives up after that level's end ({@link #giveUp}). So
/// outside of sections it releases nothing openly. If it did, others could depend on it before its
/// section's end and be acknowledged, and a kill in between would take that (P6). Tests:
/// PlainOperationsTest.level1NothingIsReleasedOpenly, AcknowledgedCrashTest.
///
/// **LOCK-4** No error loses the lock. An error in {@link #lock} leaves it as it was before. One
/// while it is given back latches the region by a store to a field (LATCH-1); threads that wait see
/// that at their next look, after a second or as long as they have waited, and throw the cause.
/// Test: StackEndTest.
///
/// **LOCK-6** Where the stack ends in the very call that gives the lock back, nobody can latch
/// anything. So once a second one of those who wait looks at the owner's stack: operations keep the
/// lock no longer than they run, and an owner that is in none of them has lost it. Not all of them:
/// each look holds the owner up. Test: LostOwnerTest.
public final class SectionLock {
  /// How often a thread tries before it parks: for some 5 to 20 µs, longer than the lock is held
  /// for most operations. A park took 35 to 130 µs: two threads that insert into a tree were parked
  /// for 500 of the 900 ns of an insertion.
  private static final int TRIES = Runtime.getRuntime().availableProcessors() > 1 ? 500 : 0;

  /// How long a thread waits before it looks whether the region is over; then twice as long each
  /// time, for where thousands wait, each wait that ends without the lock costs a way through their
  /// queue.
  private static final long LOOK_NANOS = 1_000_000_000;

  private static final long LONGEST_LOOK_NANOS = 8 * LOOK_NANOS;

  /// So many looks at an owner, a millisecond apart and in each second of waiting, must find it in
  /// no operation. An owner that comes and goes is met outside, and then with the lock, by at most
  /// one look of four.
  private static final int LOOKS = 24;

  private final ReentrantLock lock = new OwnedLock();
  private final Sections sections;
  private final SectionRegion region;
  private final RegionState state;
  private final Object key;

  /// Lets in readers who take no lock; `null` if there are none. Made before it is needed (GIVE-1).
  private final Runnable admission;

  /// When somebody last looked at the owner. In races: a look more does no harm.
  private long lookedAt = System.nanoTime();

  /// @param key what stands for the lock in dependencies. Locks between which there are edges of
  ///   their own, as between the two ends of a queue, share a key.
  public SectionLock(Sections sections, Object key) {
    this(sections, key, null);
  }

  /// @param admission by which readers without the lock find what was changed, when it is let go:
  ///   it runs once they can find as well what they depend on
  public SectionLock(Sections sections, Object key, Runnable admission) {
    this.sections = sections;
    this.region = sections.region();
    this.state = region.state;
    this.key = key;
    this.admission = admission;
  }

  /// Locks, and enters a section or goes one deeper. If that fails, nothing is locked.
  ///
  /// @return the calling thread's section
  /// @throws io.holdfast.core.HoldfastException if another thread has the lock, and the region is
  ///   closed or has failed: that thread may never give it back
  public Section lock() {
    return lock(ThreadSections.current());
  }

  /// The same, unless the thread holds changes of collections back ({@link
  /// ThreadSections#holdsBack}): then nothing is locked.
  ///
  /// @return `null` if it does
  public Section lockUnlessHoldingBack() {
    ThreadSections thread = ThreadSections.current();
    return thread.holdsBack() ? null : lock(thread);
  }

  private Section lock(ThreadSections thread) {
    thread.leaveLost();
    int outer = thread.depth;
    int own = thread.own;
    boolean taken = false;
    try {
      takeIt();
      taken = true;
      thread.own = own + 1;
      thread.enter(key);
      return thread.in(region);
    } catch (Throwable e) {
      // The stack may end here, or an access that this thread made before can be thrown (FAULT-1).
      // The caller, who was not given a section, ends none.
      thread.depth = outer;
      thread.own = own;
      try {
        comeBack(taken, outer);
      } catch (Throwable again) {
        state.over = state.over == null ? e : state.over; // LATCH-1
      }
      throw e;
    }
  }

  /// Locks without a section; {@link #unlock} unlocks. If that fails, nothing is locked.
  public void take() {
    try {
      takeIt();
    } catch (Throwable e) {
      try {
        comeBack(false, ThreadSections.current().depth);
      } catch (Throwable again) {
        state.over = state.over == null ? e : state.over; // LATCH-1
      }
      throw e;
    }
  }

  private void takeIt() {
    for (int i = 0; i < TRIES; i++) {
      if (lock.tryLock()) {
        return;
      }
      Thread.onSpinWait();
    }
    await();
  }

  /// Waits for the lock, and looks now and then whether it will ever be given back.
  private void await() {
    long patience = ThreadSections.current().patienceNanos;
    long look = LOOK_NANOS;
    DurableWait.waitsFor(this::owner);
    try {
      while (!takeFor(patience > 0 ? patience : look)) {
        if (patience > 0) {
          throw Kept.by(this);
        }
        checkOwner();
        look = Math.min(2 * look, LONGEST_LOOK_NANOS);
      }
    } finally {
      DurableWait.waitsNoMore();
    }
  }

  /// Ends the taking of several locks, for another thread keeps one for long ({@link
  /// ThreadSections#patienceNanos}). Not loaded before it is thrown.
  @SuppressWarnings("serial") // is caught where it is thrown
  public static final class Kept extends RuntimeException {
    private final SectionLock lock;

    private Kept(SectionLock lock) {
      super(null, null, false, false);
      this.lock = lock;
    }

    static RuntimeException by(SectionLock lock) {
      return new Kept(lock);
    }

    public SectionLock lock() {
      return lock;
    }
  }

  /// Waits until no other thread has the lock, without taking it for longer.
  public void awaitFree() {
    take();
    unlock();
  }

  /// Looks whether the lock's owner is still there, for a thread that has waited for it for long.
  ///
  /// @throws io.holdfast.core.HoldfastException if the region is closed, or has failed, or fails
  ///   here: the owner has lost the lock (LOCK-6)
  public void checkOwner() {
    long now = System.nanoTime();
    if (now - lookedAt >= LOOK_NANOS) {
      lookedAt = now;
      if (isLost()) {
        region.fail(
            new IllegalStateException(
                "an error of the JVM, such as a stack overflow, kept %s from giving a lock back"
                    .formatted(owner())));
      }
    }
    sections.checkUsable();
  }

  /// Locks without a section, also in a region that is closed or has failed; {@link #unlock}
  /// unlocks.
  ///
  /// @return whether it is locked; if not, its owner has lost it (LOCK-6)
  public boolean takeUnlessLost() {
    boolean taken = takeFor(LOOK_NANOS);
    while (!taken && !isLost()) {
      taken = takeFor(LOOK_NANOS);
    }
    return taken;
  }

  /// The same for a time. An interrupt does not end the wait.
  ///
  /// @return whether it is locked
  public boolean takeFor(long nanos) {
    long end = System.nanoTime() + nanos;
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return lock.tryLock(end - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /// LOCK-6.
  private boolean isLost() {
    Thread owner = owner();
    for (int i = 0; i < LOOKS; i++) {
      if (owner == null || isInOperation(owner) || !owner.equals(owner())) {
        return false;
      }
      LockSupport.parkNanos(1_000_000);
    }
    return true;
  }

  private Thread owner() {
    return ((OwnedLock) lock).owner();
  }

  private static boolean isInOperation(Thread thread) {
    for (StackTraceElement frame : thread.getStackTrace()) {
      if (frame.getClassName().startsWith(ThreadSections.OURS)) {
        return true;
      }
    }
    return false;
  }

  /// Tells its owner.
  private static final class OwnedLock extends ReentrantLock {
    private static final long serialVersionUID = 1;

    Thread owner() {
      return getOwner();
    }
  }

  /// After an error, which the JVM can throw when the lock was taken already.
  ///
  /// @param taken whether it certainly was
  /// @param outer how deep the thread was in sections; outside of them it had no such lock
  private void comeBack(boolean taken, int outer) {
    if (taken || outer == 0 && lock.isHeldByCurrentThread()) {
      lock.unlock();
    } else if (lock.isHeldByCurrentThread()) {
      state.latch(new IllegalStateException("a stack overflow while a lock was taken"));
    }
  }

  /// Ends the section, or comes one up, while the lock is still held. An error latches the region,
  /// and is not thrown: the caller has a lock to give back.
  ///
  /// @param section what {@link #lock} returned
  public void endSection(Section section) {
    ThreadSections thread = section.thread; // to look for it could be cut off (LEVEL-2)
    int level = thread.depth;
    int own = thread.own;
    try {
      if (lock.getHoldCount() <= 1) { // INNER-1
        thread.exit(key);
      }
    } catch (Throwable e) {
      state.over = state.over == null ? e : state.over; // LATCH-1
      section.fail(e);
    } finally {
      thread.depth = level - 1;
      thread.own = own - 1;
    }
  }

  /// Runs something under the lock, in a section, and something else after the section's end: what
  /// gives up the locks that were held besides (LEVEL-1).
  ///
  /// @throws io.holdfast.core.HoldfastException if the section was not made durable, since the
  ///   region has failed
  public <R> R inSection(Function<Section, R> action, Runnable after) {
    Section section = lock();
    R result;
    try {
      result = action.apply(section);
    } catch (VirtualMachineError | LinkageError e) {
      section.breakOff(e);
      throw e;
    } finally {
      try {
        endSection(section);
        after.run();
        unlock();
      } catch (StackOverflowError | OutOfMemoryError | LinkageError e) {
        section.cut = e;
        section.breakOff(e); // where the very call fails, locks are kept (LOCK-4); told below
      }
    }
    sections.checkCommitted();
    return result;
  }

  /// Locks for what a section stores at its end, or for what it holds back: no level of the
  /// section, but an acquire ({@link HeldChanges}).
  ///
  /// **INNER-1** An inner hold of a lock lets nobody in when it is given up: it is no release.
  public void hold() {
    take();
    try {
      ThreadSections thread = ThreadSections.current();
      thread.observe(key);
      thread.patienceNanos = thread.nextPatienceNanos;
    } catch (Throwable e) {
      unlock();
      throw e;
    }
  }

  /// Runs something that changes nothing on media while this is held ({@link #hold}).
  public <R> R holding(Supplier<R> action) {
    hold();
    try {
      return action.get();
    } finally {
      try {
        unlock();
      } catch (StackOverflowError | OutOfMemoryError | LinkageError e) {
        state.latch(e); // where the very call fails, the lock is kept (LOCK-4)
      }
    }
  }

  /// Gives up what {@link #hold} has locked, in the middle of the section that has changed what it
  /// guards: others depend on that.
  public void letGoOpenly() {
    try {
      if (lock.getHoldCount() <= 1) {
        ThreadSections.current().publishOpen(key);
        admit();
      }
    } catch (Throwable e) {
      state.over = state.over == null ? e : state.over; // LATCH-1
    } finally {
      unlock();
    }
  }

  /// Gives up what {@link #hold} has locked, after the section's end: who locks it then depends on
  /// what that waits for. Test: HeldChangesCrashTest.held1WhatWaitsIsDependedOn.
  public void letGo() {
    try {
      if (lock.getHoldCount() <= 1) {
        ThreadSections.current().publishBefore(key);
        admit();
      }
    } catch (Throwable e) {
      state.over = state.over == null ? e : state.over; // LATCH-1
    } finally {
      unlock();
    }
  }

  private void admit() {
    if (admission != null) {
      admission.run();
    }
  }

  /// Gives up what {@link #hold} has locked, after the level of the operation that held it
  /// (LEVEL-1): openly if the thread is in a section that goes on.
  public void giveUp() {
    if (ThreadSections.current().inSection()) {
      letGoOpenly();
    } else {
      letGo();
    }
  }

  /// Unlocks; the section was ended before. If that fails, the region is latched, or those who wait
  /// would wait for ever.
  public void unlock() {
    try {
      lock.unlock();
    } catch (Throwable e) {
      if (!(e instanceof IllegalMonitorStateException)) {
        state.over = state.over == null ? e : state.over; // LATCH-1
      }
      throw e;
    }
  }

  /// The same lock without sections.
  public ReentrantLock waiting() {
    return lock;
  }
}
