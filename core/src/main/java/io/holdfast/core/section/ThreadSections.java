package io.holdfast.core.section;

import io.holdfast.core.HoldfastException;
import io.holdfast.core.section.commit.RegionState;
import io.holdfast.core.section.commit.SectionRecord;
import io.holdfast.core.section.commit.UncommittedReleases;
import io.holdfast.core.section.watch.OutsideWatch;
import io.holdfast.core.section.watch.TwoStoresWatch;
import java.lang.invoke.MethodHandles;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/// A thread's view of its sections: how deep it is in locks, and what is carried from one section
/// to the next. Confined to its thread.
///
/// Depth belongs to the thread, not to a region: a lock does not know which regions its section
/// will write. A section that writes to two regions is atomic in each of them by itself ({@link
/// TwoStoresWatch} tells of it).
///
/// What latches the regions after an error in a release is written out in four places: a method for
/// it would need a frame, and the stack may have none left (LATCH-1).
public final class ThreadSections extends ThreadDependencies {
  private static final ThreadLocal<ThreadSections> CURRENT =
      ThreadLocal.withInitial(ThreadSections::ofThread);

  /// Our packages begin so.
  static final String OURS = "io.holdfast.";

  /// In front of CURRENT, by thread id: a section looks here three times, and a thread local is
  /// five dependent loads. Read and written in races, which the check of the id makes harmless, for
  /// it is final and never given to another thread. A power of two.
  ///
  /// Weak: a thread that has ended would be kept alive, and with it all that its task knows, until
  /// another one comes to its place.
  @SuppressWarnings({"unchecked", "rawtypes"}) // an array
  private static final WeakReference<ThreadSections>[] CACHE = new WeakReference[1 << 8];

  private final WeakReference<ThreadSections> self = new WeakReference<>(this);

  /// This thread's sections by region, as a rule one; reused.
  private Section[] sections = {};

  /// The one that was asked for last.
  private Section recent;

  /// What woven code has reported; other levels of the depth are not in it.
  private final HeldLocks held = new HeldLocks();

  /// The lock of Holdfast's own that began the section which the thread is in, or an earlier one;
  /// and whether it is this one: a reference is stored as seldom as in {@link HeldLocks}.
  private Object begunBy;

  private boolean isBegunByLock;

  /// Levels of the depth that are blocks.
  private int blocks;

  /// What the section that the thread is in holds back; `null` as a rule.
  private HeldChanges heldBack;

  /// Whether it is being stored: the caller's code that this runs, such as a comparator, finds what
  /// is in place.
  private boolean isStoring;

  /// How long {@link SectionLock#hold} waits before it throws {@link SectionLock.Kept}; 0 if it
  /// does not. A field, for there may be no frame to set it back by a call.
  public long patienceNanos;

  /// The same, from the next lock on that the thread holds: it can give up again all locks of
  /// collections that it has taken.
  public long nextPatienceNanos;

  /// The lock in whose own method the thread is by a call that will be told, so that what that
  /// method does to the same lock is not told as well; `null` as a rule.
  private Object calling;

  /// What looks at changes outside of sections; `null` before the first of them that is looked at.
  private OutsideWatch outside;

  /// A pool may erase its threads' locals between two tasks, as the JDK's common one does. What
  /// such a thread waits for is known as long as it is exposed.
  private static ThreadSections ofThread() {
    return !UncommittedReleases.isEmpty()
            && UncommittedReleases.exposed(Thread.currentThread()) instanceof ThreadSections known
        ? known
        : new ThreadSections();
  }

  /// A thread's first act here comes after its start.
  private ThreadSections() {
    if (UncommittedReleases.wasStarted(thread)) {
      observe(thread);
    }
  }

  /// Initializes the classes of this package that a section's end needs: HOOKS-1.
  public static void initializeParts() throws IllegalAccessException {
    for (Class<?> part :
        List.of(SectionExposure.class, SectionRollback.class, SectionTrace.class)) {
      MethodHandles.lookup().ensureInitialized(part);
    }
  }

  /// Whether there is any region to store in.
  public static boolean isAnyStoreOpen() {
    return SectionRegion.live.length != 0;
  }

  public static ThreadSections current() {
    long id = Thread.currentThread().threadId();
    WeakReference<ThreadSections> cached = CACHE[place(id)];
    ThreadSections found = cached == null ? null : cached.get();
    return found != null && found.threadId == id ? found : find(id);
  }

  private static ThreadSections find(long id) {
    ThreadSections found = CURRENT.get();
    CACHE[place(id)] = found.self;
    return found;
  }

  private static int place(long id) {
    return (int) id & (CACHE.length - 1);
  }

  /// Enters a section, or goes one deeper.
  public void enter() {
    depth++;
  }

  /// The same for a block, in which no release ends a section (R4).
  public void enterBlock() {
    blocks++;
    depth++;
  }

  /// Leaves what {@link #enterBlock} has entered.
  public void exitBlock() {
    if (own > 0) {
      leaveLost();
    }
    int level = depth;
    try {
      exit();
    } catch (StackOverflowError | OutOfMemoryError | LinkageError e) {
      // The very call has failed (LOCK-4).
      if (level == 1) { // or the section would go on, and its claims with it
        heldBack = null;
        breakOff(e);
      }
      throw e;
    } finally {
      blocks--;
      depth = level - 1;
    }
  }

  /// Leaves what an operation would have left whose last call an error of the JVM has cut off.
  ///
  /// **LEVEL-2** A thread that has lost a lock of one store is in no section of another one, nor of
  /// the same after it was opened again: what it stores there would never be durable. So it looks
  /// for such levels before it takes a lock of ours, and before it leaves one of the program's.
  /// Tests: StackEndTest.level2*.
  void leaveLost() {
    if (own > 0) {
      breakOffCut();
    }
    if (brokenOff && (own == 0 || !isInsideOfOperation())) {
      boolean isOutermost = own > 0 && own == depth;
      depth -= own;
      own = 0;
      brokenOff = false;
      if (isOutermost) {
        // Nobody has ended the section, and the next one would store what it holds back.
        depth = 1;
        exit();
      }
    }
  }

  private void breakOffCut() {
    for (Section section : sections) {
      if (section.cut != null) {
        section.breakOff(section.cut);
      }
    }
  }

  /// Whether an operation of ours has called the program's code, which is here by another one. The
  /// JDK's code between two of ours counts as the program's: then the levels stay, for a later
  /// lock.
  private static boolean isInsideOfOperation() {
    try {
      return StackWalker.getInstance()
          .walk(
              frames ->
                  frames
                      .map(frame -> frame.getClassName().startsWith(OURS))
                      .dropWhile(isOurs -> isOurs)
                      .anyMatch(isOurs -> isOurs));
    } catch (StackOverflowError | OutOfMemoryError | LinkageError _) { // a hook does not throw
      return true;
    }
  }

  /// Runs something in a block. The thread is outside of it after that wherever the stack ends:
  /// else it would hold back for ever what it changes later.
  public <T> T inBlock(Supplier<T> action) {
    leaveLost();
    int outer = depth;
    int outerOwn = own;
    int outerBlocks = blocks;
    Error cut = null;
    T result;
    enterBlock();
    try {
      result = action.get();
    } finally {
      depth = outer + 1; // whatever was cut off in it
      own = outerOwn;
      try {
        breakOffCut();
        exit();
      } catch (StackOverflowError | OutOfMemoryError | LinkageError e) {
        // The very call has failed (LOCK-4).
        cut = e;
        if (outer == 0) {
          heldBack = null;
          for (SectionRegion each : SectionRegion.live) {
            RegionState state = each.state;
            state.over = state.over == null ? e : state.over; // LATCH-1
          }
        }
      } finally {
        depth = outer;
        blocks = outerBlocks;
      }
    }
    if (cut != null) {
      throw cut;
    }
    return result;
  }

  /// Enters a section, or goes one deeper, by a lock that was just acquired: inherits what its last
  /// releasers have left open.
  public void enter(Object lock) {
    depth++;
    try {
      observe(lock);
    } catch (Throwable e) {
      depth--;
      throw e;
    }
  }

  /// The same, by a lock that tells itself.
  public void enterBy(Object lock) {
    begun(lock);
    enter(lock);
  }

  /// Enters again what {@link #exit(Object, int)} has left.
  public void enterBy(Object lock, int holds) {
    begun(lock);
    depth += holds;
    observe(lock);
  }

  @SuppressWarnings("ReferenceEquality") // locks
  private void begun(Object lock) {
    if (depth == 0) {
      if (begunBy != lock) {
        begunBy = lock;
      }
      isBegunByLock = true;
    }
  }

  /// Takes a lock, as woven code tells. If that fails, nothing was taken.
  ///
  /// @param key what stands for the lock ({@link LockKeys})
  public void take(Object lock, Object key) {
    held.add(lock);
    depth++;
    try {
      observeLock(lock, key);
    } catch (RuntimeException | Error e) {
      missed = true; // HOOKS-2
      if (e instanceof InternalError) { // of an access, perhaps (FAULT-1)
        depth--;
        held.size--;
        throw e;
      }
    }
  }

  /// Leaves what {@link #take} has taken. A lock that was taken where nobody told is no level of
  /// the depth: to leave it is an edge. An error is as in {@link #exit(Object)}.
  @SuppressWarnings("ReferenceEquality") // locks
  public void leave(Object lock, Object key) {
    if (own > 0) {
      leaveLost();
    }
    int level = depth;
    int holds = held.size;
    int hold = holds - 1;
    while (hold >= 0 && held.locks[hold] != lock) {
      hold--;
    }
    try {
      if (hold < 0) {
        publish(key);
      } else if (isIdle() || held.isInner(hold)) {
        depth--;
        isBegunByLock &= depth > 0;
        held.remove(hold);
      } else {
        exit(key);
        held.remove(hold);
      }
    } catch (Throwable e) {
      boolean begun = depth != level;
      if (hold >= 0 && held.size == holds) { // the lock is released all the same
        for (int at = hold; at < holds - 1; at++) {
          held.locks[at] = held.locks[at + 1];
        }
        held.size = holds - 1;
        depth = level - 1;
      }
      if (!begun) {
        if (depth > 0) {
          lost = e;
        }
        if (active || carries || heldBack != null) {
          heldBack = null;
          for (SectionRegion each : SectionRegion.live) {
            RegionState state = each.state;
            state.over = state.over == null ? e : state.over; // LATCH-1
          }
        }
      }
      if (e instanceof InternalError) {
        throw e; // of an access, perhaps (FAULT-1)
      }
    }
  }

  /// Takes a lock and leaves it, for what of the JDK's is initialized by the first use (HOOKS-1).
  /// Outside of sections; and so it is after that, wherever the stack ends (LEVEL-2).
  public void rehearse() {
    Object lock = new Object();
    int holds = held.size;
    try {
      take(lock, lock);
      leave(lock, lock);
    } finally {
      depth = 0;
      held.size = holds;
    }
  }

  /// Whether a release has nothing to end and nobody to tell: no store is open, and the thread has
  /// nothing of an earlier one's. What most of a program does that stores nothing comes by here.
  private boolean isIdle() {
    return !isAnyStoreOpen() && !active && !exposed && heldBack == null && lost == null;
  }

  public boolean holds(Object lock) {
    return held.newest(lock) >= 0;
  }

  public HeldLocks held() {
    return held;
  }

  /// The class's name of the first lock that the thread holds; of the read-write lock for its two.
  /// Empty if that is not known, or there is none. Read by other threads, in a race: for people.
  String firstLock() {
    Object lock = held.size() > 0 ? held.at(0) : isBegunByLock ? begunBy : null;
    if (lock == null) {
      return "";
    }
    Class<?> type = lock.getClass();
    return (lock instanceof SelfReporting ? type.getNestHost() : type).getName();
  }

  /// Leaves all holds of a lock, before a wait gives it up.
  ///
  /// @return how many there were, for {@link #takeAgain}
  public int giveUp(Object lock, Object key) {
    int holds = held.count(lock);
    if (holds == 0) {
      publish(key);
    } else {
      exit(key, holds);
      held.removeAll(lock);
    }
    return holds;
  }

  /// Takes again what {@link #giveUp} has left.
  public void takeAgain(Object lock, Object key, int holds) {
    if (holds == 0) {
      observe(key);
      return;
    }
    for (int i = 0; i < holds; i++) {
      held.add(lock); // where they were before: needs no memory
    }
    depth += holds;
    try {
      observeLock(lock, key);
    } catch (RuntimeException | Error e) {
      missed = true; // HOOKS-2
    }
  }

  /// Says in whose method the thread is from now on.
  ///
  /// @return in whose it was, to be said again after the call
  public Object call(Object lock) {
    Object outer = calling;
    calling = lock;
    return outer;
  }

  @SuppressWarnings("ReferenceEquality") // locks
  public boolean isCalling(Object lock) {
    return calling == lock;
  }

  @Override
  void dependOn(SectionRecord other) {
    for (Section section : sections) {
      if (section.isActive() && section.region().state == other.region) {
        section.dependOnFromHook(other);
        return;
      }
    }
    carries = true;
    SectionRecord.add(before, other);
  }

  /// Whether the changes of collections wait until the section ends: it is the program's, and the
  /// thread is not inside of a collection's operation, whose locks it would hold while it stores.
  public boolean holdsBack() {
    return depth > 0 && own == 0 && !isStoring;
  }

  /// What the section that the thread is in holds back; `null` if that is nothing.
  public HeldChanges heldBack() {
    return isStoring ? null : heldBack;
  }

  /// Holds changes back until the section ends; `null` for none.
  public void holdBack(HeldChanges changes) {
    heldBack = changes;
  }

  /// Leaves what {@link #enterBy(Object)} has entered, or {@link #enter} for a program.
  ///
  /// @param lock `null` for none
  public void exitBy(Object lock) {
    if (own > 0) {
      leaveLost();
    }
    exit(lock);
  }

  /// Leaves a section, or comes one up; ends the section before its last lock is given up.
  public void exit() {
    exit(null);
  }

  /// Stores what the section holds back whose outermost level is the next to be left, for a program
  /// that can be told of a failure: a release can't be.
  ///
  /// @throws io.holdfast.core.RegionFullException if the device has no room; the section was rolled
  ///   back, or its regions have failed: what is stored in part is undone by the next opening
  ///   (HELD-1). After an exception of the caller's code the section was rolled back, too
  public void storeHeldBack() {
    if (depth == 1 && heldBack != null) {
      try {
        store();
      } catch (Throwable e) {
        try {
          failUnlessUndone(e);
        } catch (Throwable again) { // or the section could end with a part of it
          for (SectionRegion each : SectionRegion.live) {
            RegionState state = each.state;
            state.over = state.over == null ? e : state.over; // LATCH-1
          }
        }
        throw e;
      }
    }
  }

  /// After what was held back has been stored in part, perhaps.
  private void failUnlessUndone(Throwable cause) {
    for (Section section : sections) {
      if (section.hasBegun() && !section.isUndone() && !isTakenBack(section, cause)) {
        section.fail(cause);
      }
    }
  }

  /// After an exception of the caller's code, of a comparator say, that ran while it was stored.
  private static boolean isTakenBack(Section section, Throwable thrown) {
    return thrown instanceof RuntimeException
        && !(thrown instanceof HoldfastException)
        && section.undo();
  }

  /// Outside of sections, after a change of a store.
  void changedOutside() {
    if (outside == null) {
      outside = new OutsideWatch();
    }
    outside.changed();
  }

  /// Whether the section that the thread is in is left by the next release, and has stored
  /// something, or will.
  public boolean isAboutToKeepChanges() {
    return depth == 1 && hasChanges();
  }

  /// Whether the thread is in a section that has stored something, or will.
  public boolean hasChanges() {
    boolean stores = heldBack != null;
    for (Section section : sections) {
      stores |= section.hasStored();
    }
    return stores && depth > 0;
  }

  private void store() {
    int level = depth;
    int locks = own;
    isStoring = true;
    try {
      heldBack.store();
    } finally {
      isStoring = false;
      depth = level; // whatever was cut off in it (LEVEL-2)
      own = locks;
    }
  }

  private void storeOpenly() {
    int level = depth;
    int locks = own;
    isStoring = true;
    try {
      heldBack.storeOpenly();
    } catch (VirtualMachineError | LinkageError e) {
      depth = level; // whatever was cut off in it (LEVEL-2)
      own = locks;
      breakOff(e); // some of it may be stored and held back
      throw e;
    } finally {
      isStoring = false;
    }
  }

  /// Ends the section with what it has held back (HELD-1).
  private void endStoring(Object lock) {
    HeldChanges changes = heldBack;
    try {
      store();
      endTelling(lock);
    } finally {
      heldBack = null;
      try {
        changes.letGo();
      } catch (StackOverflowError | OutOfMemoryError | LinkageError e) {
        breakOff(e); // where the very call fails, locks are kept (LOCK-4)
      }
    }
  }

  private void breakOff(Error cause) {
    for (Section section : sections) {
      section.breakOff(cause);
    }
  }

  /// Ends the section and says what it waits for, to those who acquire a lock or join the thread.
  private void endTelling(Object lock) {
    end(lock);
    if (!before.isEmpty()) {
      if (lock == null) {
        expose();
      } else {
        publishBefore(lock);
      }
    }
    cover();
  }

  /// The same, before a lock is released that others will acquire.
  ///
  /// @param lock `null` for none
  public void exit(Object lock) {
    int level = depth;
    int locks = own;
    try {
      if (depth == 1) {
        isBegunByLock = false;
        if (heldBack != null) {
          endStoring(lock);
        } else {
          endTelling(lock);
        }
      } else if (lock != null && own > 0) {
        publishOpen(lock);
      } else if (lock != null) {
        releaseOpenly(lock);
      }
    } catch (Throwable e) {
      own = locks;
      try {
        cutOff(e);
      } catch (Throwable again) {
        lost = e;
        if (active || carries || heldBack != null) {
          heldBack = null;
          for (SectionRegion each : SectionRegion.live) {
            RegionState state = each.state;
            state.over = state.over == null ? e : state.over; // LATCH-1
            failedAtEnd = state;
            hasAnyFailedAtEnd = true;
          }
        }
      }
      if (e instanceof InternalError) {
        throw e; // of an access, perhaps (FAULT-1)
      }
    } finally {
      depth = level - 1; // also when a fault is thrown late (FAULT-1), or what it calls was cut off
    }
  }

  /// After a lock of the program's was released: waits until what the thread's sections stored is
  /// durable, where a memory makes that so for many at once (ACK-2), and the thread is outside of
  /// all sections. Elsewhere it is one read of a field.
  ///
  /// Who takes the lock before that sees what is not durable yet. What it stores itself is in the
  /// same batch or a later one (CUT-1): it becomes durable, and is told so, no earlier (P2).
  ///
  /// An error of the JVM's goes on, since no lock has to be given back; the next release waits for
  /// what this one should have waited for. Test: EarlyReleaseTest.
  public static void released() {
    if (SectionRegion.isAnyWaitedFor) {
      current().awaitOwed();
    }
  }

  /// Before the release of a lock that can tell of a failure: earlier ones are over.
  public static void forgetEnded() {
    if (hasAnyFailedAtEnd) {
      current().failedAtEnd = null;
    }
  }

  /// After that release.
  ///
  /// @throws HoldfastException if the section that ended with it was not made durable
  public static void checkEnded() {
    if (hasAnyFailedAtEnd) {
      current().tellOfEnd();
    }
  }

  private void tellOfEnd() {
    RegionState state = failedAtEnd;
    if (state != null && depth == 0) {
      failedAtEnd = null;
      throw state.refusal();
    }
  }

  private void awaitOwed() {
    if (depth == 0 && calling == null) { // or a lock of the program's own is still held
      for (Section section : sections) {
        if (section.isOwed) {
          try {
            section.region().acknowledge();
          } catch (HoldfastException _) {
            // The region has failed, which its next operation says, and a lock that can.
            failedAtEnd = section.region().state;
            hasAnyFailedAtEnd = true;
          }
          section.isOwed = false;
        }
      }
    }
  }

  /// Before a wait gives up the lock by which a section was ended: the thread comes back with the
  /// lock held, and waits for the device when it releases that.
  private void hurryOwed() {
    for (Section section : sections) {
      if (section.isOwed) {
        try {
          section.region().memory.makeDurableSoon();
        } catch (HoldfastException _) {
          // The region has failed, which its next operation says.
        }
      }
    }
  }

  /// An error has cut off a release (HOOKS-2).
  private void cutOff(Throwable cause) {
    if (depth > 1) {
      lost = cause;
    }
    for (int i = 0; i < sections.length; i++) {
      if (sections[i].hasBegun()) {
        sections[i].fail(cause);
        failedAtEnd = sections[i].region().state;
        hasAnyFailedAtEnd = true;
      }
    }
    for (int i = 0; i < before.size(); i++) {
      before.get(i).region.fail(cause);
    }
  }

  /// Leaves all levels of a lock that was taken several times. The inner ones are no releases:
  /// until the last of them nobody else has the lock. Test: MonitorWaitCrashTest.p1AtomicUpToAWait.
  public void exit(Object lock, int holds) {
    if (own > 0) {
      leaveLost();
    }
    int outer = depth;
    depth -= holds - 1;
    try {
      exit(lock);
    } catch (Throwable e) {
      depth = outer; // it has not begun, and there is no wait
      throw e;
    }
    if (SectionRegion.isAnyWaitedFor) {
      hurryOwed();
    }
  }

  private void end(Object lock) {
    if (active) {
      if (missed) {
        catchUp();
      }
      if (sections.length > 1) {
        TwoStoresWatch.look(sections);
      }
      for (Section section : sections) {
        endIfBegun(section, lock);
      }
      active = false; // when all have ended: an error before would leave one that never ends
    }
    if (lost != null) {
      lost = null;
    }
  }

  /// Ends what ends at releases, in the middle of locks.
  private void endRegions(Object lock) {
    if (missed) {
      catchUp();
    }
    boolean goesOn = false;
    for (Section section : sections) {
      if (section.region().endsAtReleases) {
        endIfBegun(section, lock);
      } else {
        goesOn |= section.hasBegun();
      }
    }
    active = goesOn;
  }

  private void endIfBegun(Section section, Object lock) {
    if (section.hasBegun()) {
      end(section, lock);
    } else {
      section.forgetRefusal();
    }
  }

  private void end(Section section, Object lock) {
    SectionRecord waits = section.endFromHook(lock);
    section.isOwed = section.region().isWaitedFor;
    if (waits != null) {
      try {
        carry(waits);
      } catch (StackOverflowError | OutOfMemoryError | LinkageError e) {
        // What follows would not depend on it.
        RegionState state = waits.region;
        state.over = state.over == null ? e : state.over; // LATCH-1
        throw e;
      }
    }
  }

  private void carry(SectionRecord waits) {
    carries = true;
    for (int i = before.size() - 1; i >= 0; i--) {
      if (before.get(i).region == waits.region) {
        before.remove(i);
      }
    }
    before.add(waits);
  }

  /// A lock of the program's is given up in the middle of others, or something else releases.
  ///
  /// - **R1** What a thread does between two releases of the program's is durable whole or not at
  ///   all, in a region whose sections end there ({@link
  ///   io.holdfast.core.Regions#SYNCHRONIZATION_FREE}).
  /// - **R2** Recovery shows each thread at one of its releases, or before its first.
  /// - **R3** What happens before something else is durable before it.
  /// - **R4** In a block a release ends nothing: it is an uncommitted one, as in other regions. So
  ///   is that of a lock of a collection's own.
  /// - **R5** A section that a release ends is ended before it.
  ///
  /// An acquire ends nothing, where the paper's does: nobody can have seen what a thread did since
  /// its last release, so more of it may be atomic. Test: RegionsTest.
  @Override
  void releaseOpenly(Object lock) {
    if (heldBack != null && SectionRegion.doAllEndAtReleases && endsRegions()) {
      endRegionsStoring(lock);
      return;
    }
    if (heldBack != null) {
      storeOpenly();
    }
    if (SectionRegion.doesAnyEndAtReleases && endsRegions()) {
      endRegions(lock);
    }
    publishOpen(lock);
  }

  /// With what is held back, whose locks nobody gets before the end.
  private void endRegionsStoring(Object lock) {
    HeldChanges changes = heldBack;
    try {
      store();
      endRegions(lock);
      publishOpen(lock);
    } catch (Throwable e) {
      // Where an edge releases, nobody else ends the section. Test:
      // RegionsTest.r1WhatIsHeldBackIsStoredInPart.
      failUnlessUndone(e);
      throw e;
    } finally {
      heldBack = null;
      try {
        changes.letGo();
      } catch (StackOverflowError | OutOfMemoryError | LinkageError e) {
        breakOff(e); // where the very call fails, locks are kept (LOCK-4)
      }
    }
  }

  /// Whether a release is one of the program's, outside of blocks (R4).
  private boolean endsRegions() {
    return blocks == 0 && own == 0 && !isStoring;
  }

  /// Releases openly what this thread is in the middle of: in all regions, since it is not known
  /// which of them the section will write, but those in which it has ended. What a section depends
  /// on comes with it.
  void publishOpen(Object lock) {
    boolean endsRegions = endsRegions();
    boolean refused = false;
    int stripe = UncommittedReleases.stripeOf(lock);
    for (SectionRegion region : SectionRegion.live) {
      boolean hasEnded = endsRegions && region.endsAtReleases;
      SectionRecord record = null;
      if (!hasEnded && !region.state.isOver()) {
        exposeOpenly();
        Section section = in(region);
        record = section.exposeFromHook();
        if (record != null) {
          UncommittedReleases.publish(stripe, record, stamp, section.dependencies());
        }
      }
      refused |= record == null && !region.state.isOver();
    }
    if (refused) {
      publishBefore(lock); // what else the record would stand for
    }
  }

  /// Whether the thread is dead, and has left nothing that others must wait for.
  @Override
  public boolean isGone() {
    if (thread.isAlive() || !before().isEmpty()) {
      return false;
    }
    for (Section section : sections) {
      if (section.isActive() && !section.region().state.isOver()) {
        return false;
      }
    }
    return true;
  }

  /// This thread's section in a region.
  Section in(SectionRegion region) {
    Section section = recent;
    return section != null && section.region() == region ? section : find(region);
  }

  private Section find(SectionRegion region) {
    Section found = null;
    for (Section section : sections) {
      if (section.region() == region) {
        found = section;
      }
    }
    if (found == null) {
      found = new Section(region, this);
      List<Section> open = new ArrayList<>();
      for (Section section : sections) {
        if (!section.region().state.isClosed()) {
          open.add(section);
        }
      }
      open.add(found);
      sections = open.toArray(new Section[0]);
    }
    recent = found;
    return found;
  }
}
