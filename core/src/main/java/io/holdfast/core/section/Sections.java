package io.holdfast.core.section;

import io.holdfast.core.HoldfastException;
import io.holdfast.core.NotYetDurableException;
import io.holdfast.core.RegionAccessException;
import io.holdfast.core.Regions;
import io.holdfast.core.log.SectionLogs;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.section.commit.GroupCommit;
import io.holdfast.core.section.commit.MemoryFault;
import io.holdfast.core.section.commit.RegionState;
import io.holdfast.core.section.commit.SectionRecord;
import io.holdfast.core.section.commit.UncommittedReleases;
import io.holdfast.core.section.commit.WaitingSections;
import io.holdfast.core.section.hooks.SectionHooks;
import io.holdfast.core.section.watch.Findings;
import io.holdfast.core.section.watch.SectionWatch;
import io.holdfast.core.section.watch.Waiting;
import io.holdfast.core.section.watch.WaitingWatch;
import io.holdfast.core.section.watch.WatchedSection;
import java.lang.System.Logger.Level;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/// The failure-atomic sections of one region.
///
/// A thread is inside a section from its first lock acquire to its last release, as {@link
/// SectionLock}s and woven monitors tell ({@link SectionHooks}), or during `Holdfast.atomically`.
///
/// Platform threads keep the log that they took until they die or the pool runs dry; virtual
/// threads, of which there may be many more than logs, give it back after each section.
///
/// Thread-safe.
public final class Sections {
  /// How long the end of a block waits for a thread that only waits itself (WAIT-2).
  private static final long WAIT_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final Memory memory;
  private final SectionRegion region;
  private final RegionState state;

  /// Whether any thread has ever held changes back. A race does no harm: who has, has stored it.
  private boolean everHeldBack;

  private final ChangeSignal changes = new ChangeSignal();
  private final LongAdder unlogged = new LongAdder();
  private final LongAdder logged = new LongAdder();
  private final WaitingWatch waitingWatch;

  /// When a wait was told of last.
  private final AtomicLong toldOfWait = new AtomicLong(System.nanoTime() - GroupCommit.LIMIT_NANOS);

  private Thread watch;

  public Sections(Memory memory, SectionLogs pool) {
    this.memory = memory;
    this.region = new SectionRegion(memory, pool);
    this.state = region.state;
    this.waitingWatch = new WaitingWatch(memory, this::waiting);
    region.setLive(true);
  }

  SectionRegion region() {
    return region;
  }

  /// Says what a section is, before the first one.
  public void delimitBy(Regions regions) {
    if (regions == Regions.SYNCHRONIZATION_FREE) {
      region.endAtReleases();
    }
  }

  /// The calling thread's section, or what will be its next one, to prepare something for it:
  /// {@link Section#defer}.
  public Section currentOrNext() {
    return ThreadSections.current().in(region);
  }

  /// The calling thread's section.
  ///
  /// @throws IllegalStateException if the thread is outside of all sections
  public Section current() {
    ThreadSections thread = ThreadSections.current();
    if (!thread.inSection()) {
      throw new IllegalStateException(
          "%s: a change that must be atomic, outside of a section. Hold a lock, or use atomically"
              .formatted(memory.name()));
    }
    return thread.in(region);
  }

  /// Stores a word, in the calling thread's section or outside of all.
  ///
  /// Outside, a store is durable when this returns, and takes no log, if the thread's last section
  /// is durable (Atlas 5.1); what later sections see of it is there (P3). While the last section
  /// waits for others, the store is logged after it, as a section of its own that depends on it,
  /// and stands and falls with it (P5). It is a section of its own too if blocks were allocated
  /// outside of sections before: it may publish them.
  ///
  /// @throws io.holdfast.core.RegionFullException if a log must grow and can't; nothing was stored
  public void write(long offset, long value) {
    ThreadSections thread = ThreadSections.current();
    if (thread.inSection()) {
      thread.in(region).write(offset, value);
    } else if (thread.isSettled(state) && !thread.in(region).hasPrepared()) {
      checkUsable();
      unlogged.increment();
      memory.writeRelease(offset, value);
      // P3: before anybody's next section, to whom this thread may tell of it without a section of
      // its own. Test: OutsideCrashTest.p3PublishedByAnotherThread.
      memory.releaseFence();
    } else {
      logged.increment();
      thread.enter();
      try {
        thread.in(region).write(offset, value);
      } finally {
        thread.exit();
      }
    }
  }

  /// Stores outside of sections that took no log.
  public long storesUnlogged() {
    return unlogged.sum();
  }

  /// Stores outside of sections that were logged, because the thread's last section waited.
  public long storesLogged() {
    return logged.sum();
  }

  /// Whether any thread has ever held changes back.
  public boolean hasHeldBack() {
    return everHeldBack;
  }

  /// What the calling thread holds back; `null` if that is nothing, as a rule. One field is read
  /// where nobody ever held anything back.
  public HeldChanges heldBack() {
    return everHeldBack ? ThreadSections.current().heldBack() : null;
  }

  /// Holds changes of the calling thread back from now on ({@link ThreadSections#holdBack}).
  public void holdBack(HeldChanges changes) {
    if (!everHeldBack) { // else its line would go from thread to thread
      everHeldBack = true;
    }
    ThreadSections.current().holdBack(changes);
  }

  /// Stores what the calling thread holds back, if its section ends next ({@link
  /// ThreadSections#storeHeldBack}).
  public void storeHeldBack() {
    if (everHeldBack) {
      ThreadSections.current().storeHeldBack();
    }
  }

  /// Says that a collection has changed, and {@link #acknowledge}s that: the calling thread has
  /// given up the collection's locks.
  public void changed() {
    changes.changed(); // as a rule nobody waits for that
    if (Findings.isOn()) {
      ThreadSections thread = ThreadSections.current();
      if (!thread.inSection()) {
        thread.changedOutside();
      }
    }
    acknowledge();
  }

  /// Outside of sections, waits until all that the thread did is durable, where the memory makes it
  /// so for many at once. What a section under a lock of the program's did is waited for after the
  /// release ({@link ThreadSections#released}).
  ///
  /// **ACK-2** Nobody waits for a device while holding a lock, of the program's, a collection's or
  /// the store's. Tests: DiskPowerFailureTest.ack2ALockIsGivenUpFirst,
  /// EarlyReleaseTest.ack2NobodyWaitsWithALock.
  ///
  /// @throws io.holdfast.core.RegionAccessException if the device refuses
  public void acknowledge() {
    if (region.isWaitedFor) {
      ThreadSections thread = ThreadSections.current();
      if (thread.depth == 0 && thread.own == 0) {
        region.acknowledge();
        thread.in(region).isOwed = false;
      }
    }
  }

  /// Runs an operation that does not wait for the device: the caller does, when it has given up a
  /// lock (ACK-2), or need not ({@link #relax}).
  public <T> T withoutWaiting(Supplier<T> operation) {
    ThreadSections thread = ThreadSections.current();
    thread.leaveLost();
    if (thread.inSection()) {
      return operation.get();
    }
    thread.own++;
    try {
      return operation.get();
    } finally {
      thread.own--;
    }
  }

  /// Waits until somebody says so, or for some milliseconds.
  ///
  /// @param condition whether it is time to go on
  /// @return what it says
  public boolean awaitChange(BooleanSupplier condition) {
    return changes.await(condition);
  }

  /// How many dependencies of one section on another there were.
  public long dependencies() {
    return region.dependencies.sum();
  }

  /// Has an action run when the section that the calling thread is in has become durable; outside
  /// of sections, when all that the thread did before is durable.
  ///
  /// Actions run after each other in a thread of their own, those of a section that happened before
  /// another one before the other's (Atlas 3.5). A crash can come between a section's becoming
  /// durable and its action, which then never runs; it never runs for a section that is undone.
  public void onDurable(Runnable action) {
    ThreadSections thread = ThreadSections.current();
    thread.inBlock(
        () -> {
          thread.in(region).onDurable(action);
          return null;
        });
  }

  /// Waits until the actions of sections that are durable have run.
  public void finishActions() {
    region.actions.finish();
  }

  /// Tells when everything is durable that this thread did before: by a value, or by the exception
  /// with which the region ends before that.
  ///
  /// @throws IllegalStateException inside of a section, which can't be durable before it ends
  public CompletableFuture<Void> receipt() {
    ThreadSections thread = ThreadSections.current();
    refuseInside(thread, "receipt");
    checkUsable();
    boolean waits =
        thread.mayCarry()
            || thread.in(region).lastWaiting() != null
            || region.isWaitedFor && !memory.isDurable();
    if (!waits) {
      return CompletableFuture.completedFuture(null);
    }
    CompletableFuture<Void> receipt = region.receipts.add(this::onDurable);
    if (state.isOver()) { // who ended it may have looked before
      region.receipts.refuse(state::refusal);
    }
    return receipt;
  }

  /// Waits until everything that this thread did before is durable.
  ///
  /// @throws IllegalStateException inside of a section, which can't be durable before it ends
  /// @throws NotYetDurableException if a thread whose section it waits for waits for this one
  ///   (WAIT-1)
  public void sync() {
    ThreadSections thread = ThreadSections.current();
    refuseInside(thread, "sync");
    awaitAll(thread, "sync()", Long.MAX_VALUE);
    region.awaitDurable();
    thread.in(region).isOwed = false;
    checkUsable();
  }

  private void refuseInside(ThreadSections thread, String call) {
    if (thread.inSection()) {
      throw new IllegalStateException(
          "%s: %s inside of a section, which is durable only when it has ended. Call it after the last lock is released"
              .formatted(memory.name(), call));
    }
  }

  /// Waits until the section that the thread has just ended is durable, with all that it depends
  /// on. Does nothing inside of an outer section. As a rule it is durable already: that costs a
  /// look at three fields.
  ///
  /// @param call what the program has called, for messages
  /// @throws NotYetDurableException if that would close a circle (WAIT-1), or takes too long
  ///   (WAIT-2)
  public void awaitDurable(String call) {
    awaitDurable(call, WAIT_NANOS);
  }

  void awaitDurable(String call, long limitNanos) {
    ThreadSections thread = ThreadSections.current();
    if (thread.inSection()) {
      return;
    }
    // What a region that was closed meanwhile will undo is not among what the thread carries.
    SectionRecord ended = thread.in(region).lastWaiting();
    if (ended != null && !ended.isDurable()) {
      await(ended, call, limitNanos);
    }
    if (thread.mayCarry()) {
      awaitAll(thread, call, limitNanos);
    }
    region.acknowledge();
    thread.in(region).isOwed = false;
  }

  /// Says that the calling thread does not wait for what it did, which is to be durable soon all
  /// the same. Inside of a section that is for who ends it to say.
  public void relax() {
    if (region.isWaitedFor) {
      memory.makeDurableSoon();
      ThreadSections thread = ThreadSections.current();
      if (thread.depth == 0) {
        thread.in(region).isOwed = false;
      }
    }
  }

  private void awaitAll(ThreadSections thread, String call, long limitNanos) {
    for (SectionRecord section : List.copyOf(thread.before())) {
      if (section.region == state) {
        await(section, call, limitNanos);
      }
    }
  }

  private void await(SectionRecord section, String call, long limitNanos) {
    region.groupCommit.await(
        section,
        limitNanos,
        () -> tellOfWait(call),
        (waitedFor, isCircle) ->
            notYetDurable(
                call,
                waitedFor,
                isCircle
                    ? "for a lock of this thread"
                    : "for something that can't be seen, for %d ms by now"
                        .formatted(TimeUnit.NANOSECONDS.toMillis(limitNanos))));
  }

  private NotYetDurableException notYetDurable(String call, Thread waitedFor, String what) {
    return new NotYetDurableException(
        "%s: %s: what this thread did has ended and is kept, but is not durable yet, because it depends on a section of %s that has not ended. That thread waits %s. A crash before its section ends undoes both. Give up what it waits for and call sync(), or use onDurable for what must come after; relaxed(...) returns without this wait. The thread is here:%s"
            .formatted(memory.name(), call, waitedFor, what, WaitingWatch.frames(waitedFor)),
        waitedFor);
  }

  /// Once a second at most. Of thousands of threads that wait for the same, each would have a stack
  /// in the log, and look through what waits, in the monitor that the ends of sections need.
  private void tellOfWait(String call) {
    long now = System.nanoTime();
    long last = toldOfWait.get();
    if (now - last < GroupCommit.LIMIT_NANOS || !toldOfWait.compareAndSet(last, now)) {
      return;
    }
    Waiting found = waiting();
    if (found != null) {
      System.getLogger("io.holdfast")
          .log(
              Level.WARNING,
              "%s: %s has waited for more than a second, since what this thread did before depends on sections that have not ended; %d sections wait. Most of them, %d, wait for %s"
                  .formatted(
                      memory.name(),
                      call,
                      found.sections(),
                      found.waiters(),
                      WaitingWatch.blocker(found)));
    }
  }

  /// Tells of sections that are open for too long, from now on, and looks once a second whether the
  /// file has been truncated (FAULT-1).
  ///
  /// @param limit how long one may be open
  /// @param withStacks whether the black box gets the stacks of sections that are open for a look
  public synchronized void watch(Duration limit, boolean withStacks) {
    if (watch != null) {
      watch.interrupt();
    }
    watch =
        Thread.ofPlatform() // a process's first virtual thread takes some 20 ms to start
            .daemon()
            .name("holdfast-watch")
            .start(
                new SectionWatch(
                    memory, limit, withStacks, region.leases::holders, this::lookBesides));
  }

  private void lookBesides() {
    try {
      checkLength();
      if (state.isOver()) {
        region.receipts.refuse(state::refusal);
      }
    } finally {
      waitingWatch.look(System.nanoTime());
    }
  }

  /// What waits; `null` if nothing does.
  public Waiting waiting() {
    WaitingSections.Look look = region.groupCommit.look();
    if (look == null || look.blocker() == null) {
      return null;
    }
    SectionRecord blocker = look.blocker();
    String lock = "";
    for (WatchedSection section : region.leases.holders()) {
      if (section.owner().equals(blocker.owner)) {
        lock = section.firstLock();
      }
    }
    return new Waiting(look.sections(), look.longestNanos(), blocker.owner, lock, look.waiters());
  }

  /// A section that has stored something and has not ended.
  ///
  /// @param slot of its log
  /// @param lock the class's name of the first lock that its thread holds; empty if that is not
  ///   known, or there is none
  public record OpenSection(int slot, long number, String thread, String lock) {}

  /// The sections that are open, looked at in a race: for people.
  public List<OpenSection> open() {
    List<OpenSection> open = new ArrayList<>();
    for (WatchedSection section : region.leases.holders()) {
      long number = section.openNumber();
      if (number != 0) {
        open.add(
            new OpenSection(
                section.openSlot(), number, section.owner().getName(), section.firstLock()));
      }
    }
    return open;
  }

  /// Refuses a region that is closed or has failed.
  ///
  /// **CLOSE-1** A section that is refused something is never durable: closing lets operations be
  /// refused some time before the memory goes, and meanwhile the exception that leaves the section
  /// would end it with what it had done before. Test:
  /// CloseInASectionTest.close1WhatIsRefusedSomethingIsUndone,
  /// close1WhatIsToldBehindAnOperationIsUndone.
  ///
  /// **CLOSE-2** Nor is one that ends after the refusals' beginning: from then on uncommitted
  /// releases are told to nobody, so it may have seen what will be undone (P2). Test:
  /// CloseInASectionTest.close2WhatEndsBehindTheClosingIsUndone,
  /// SectionsTest.close2ASingleStoreIsRefused.
  public void checkUsable() {
    if (state.isOver()) {
      throw cutOff();
    }
  }

  /// Whether the store was closed, or is about to be: from now on it refuses what it is asked.
  public boolean isClosed() {
    return state.isClosed();
  }

  private HoldfastException cutOff() {
    HoldfastException refusal = state.refusal();
    ThreadSections thread = ThreadSections.current();
    if (thread.inSection() && thread.in(region).isActive()) {
      thread.in(region).fail(refusal);
    }
    return refusal;
  }

  /// Refuses to acknowledge a section that has ended, if an end could not be done: hooks can't say
  /// so themselves. A section whose store was closed under it is undone by the next opening; so is
  /// the one that the thread is still in, since it ends where this leaves it (CLOSE-1).
  public void checkCommitted() {
    if (state.hasFailed()) {
      throw cutOff();
    }
  }

  /// After an access to the region's memory that the system could not do, in the thread that did it
  /// (FAULT-1): latches the region, and leaves the thread's section to the next opening.
  ///
  /// @return what is to be thrown
  /// @throws InternalError this one, if it is none, or another library's (FAULT-3)
  public RuntimeException faulted(InternalError error) {
    if (!MemoryFault.is(error) || MemoryFault.isOutOfCallersCode(error) && memory.canBeRead()) {
      throw error;
    }
    ThreadSections.current().in(region).fail(error);
    return state.refusal();
  }

  /// Runs an operation on the region: a page that is missing is an exception of ours (FAULT-1).
  public <R> R guarded(Supplier<R> operation) {
    try {
      return operation.get();
    } catch (InternalError e) {
      throw faulted(e);
    }
  }

  /// Latches the region if its file was truncated.
  private void checkLength() {
    RegionAccessException truncated = memory.checkLength();
    if (truncated != null) {
      region.fail(truncated);
    }
  }

  /// {@link Section#breakOff}, of the section that the calling thread may be in.
  public void breakOff(Error cause) {
    state.latch(cause);
    ThreadSections.current().in(region).breakOff(cause);
  }

  /// Refuses new sections.
  public synchronized void close() {
    if (watch != null) {
      watch.interrupt();
    }
    region.close();
    region.receipts.refuse(state::refusal);
    UncommittedReleases.forgetSettled();
    UncommittedReleases.coverTheDead();
  }

  /// Whether every section has ended and is durable, and none has failed. Certain only when the
  /// region's memory is closed, so that no thread can be on its way into one.
  public boolean isQuiet() {
    boolean idle = region.leases.allIdle();
    // A section whose end fails says so before it is idle. Read in the reverse order: a failure
    // between the two reads would pass for an end, and what is half done would be called closed.
    // Test: PersistentQueueTest.closingUnderThreadsThatAreBusy.
    VarHandle.acquireFence();
    return idle && !state.hasFailed();
  }
}
