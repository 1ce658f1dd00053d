package io.holdfast.core.section;

import io.holdfast.core.RegionFullException;
import io.holdfast.core.log.SectionLog;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.section.commit.DurableActions;
import io.holdfast.core.section.commit.FollowUps;
import io.holdfast.core.section.commit.MemoryFault;
import io.holdfast.core.section.commit.RegionState;
import io.holdfast.core.section.commit.SectionRecord;
import io.holdfast.core.section.hooks.SectionHooks;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.Objects;

/// A thread's failure-atomic section in one region: the way in which persistent memory that others
/// may already see is changed.
///
/// Lazy: it takes a log at its first store, and a section that stores nothing writes nothing. How a
/// store is made atomic is the log's matter ({@link SectionLog}); with an undo log, a word is
/// logged once for a section and then stored, and the end is one store. The order on media:
///
/// 1. the entry's words, and its meta word with release (ENTRY-1); for a range, one entry for all
///    of it (RANGE-1 to 4);
/// 2. the data, with release or after a fence, so that nothing lifts it above the entry
///    (SECTION-1); where the power may fail, when its line is flushed is the memory's choice
///    (DATA-2);
/// 3. at the end, with release and after the flushes of all data, the log's DURABLE (SECTION-2),
///    and a fence after it (LOG-1).
///
/// Memory that was allocated in this section is not logged, because nobody finds it unless the
/// section is durable: write it with {@link Memory#writePlain} and publish it with {@link #write}.
///
/// If the device is full, the store in question is not done, and the section is rolled back ({@link
/// #undo}). If another exception leaves a method here, the store was not done either, and the
/// section is otherwise as before.
///
/// - **ROLLBACK-1** What a section stores last, when it is rolled back, is what was there before
///   it. So to recovery it is a section like any other, before its end and after it. Test:
///   RollbackCrashTest.p1NothingStays.
/// - **ROLLBACK-2** A thread that may have seen anything of it has taken its record; then it is not
///   rolled back ({@link SectionRecord#undo}).
/// - **ROLLBACK-3** What it allocated is used again when it is durable: until then recovery would
///   free it once more. Test: RollbackCrashTest.blocksAreNotUsedAgainBeforeTheEnd.
/// - **ROLLBACK-4** Volatile state is set back before anybody takes the record.
/// - **KEEP-1** A section that has failed keeps its log for ever: recovery needs the entries. The
///   log is not reset, not given back and not taken from a thread that died. Once a region is
///   closed or has failed, it leases no log and takes none back. Test: FailedSectionTest.
///
/// Confined to its thread; see {@link Sections#current()}.
public final class Section extends LogLeases.Holder {
  /// Changes that may be deferred outside of sections: fewer than a log has room for at a time.
  private static final int DEFERRED_MAX = 1_000;

  private final SectionRegion region;
  final ThreadSections thread;
  private final Thread owner = Thread.currentThread();
  private final Memory memory;
  private final SectionTrace trace;
  private final SectionRollback rollback;
  private final SectionExposure exposure;
  private final FollowUps followUps = new FollowUps();

  /// Made before it is needed, when there may be no memory for it.
  private final Runnable rollingBack = this::rollBack;

  private SectionLog log;
  private boolean active;

  /// Whether it is active, and no event counts its stores: one check for each store.
  private boolean unobserved;

  /// Whether its end takes more than a commit: it is exposed, has changes deferred, dependencies,
  /// follow-ups, a trace or enlisted states, was refused something, has failed, or must give its
  /// log back. One check for the common section, which does none of these.
  private boolean endsSlowly = owner.isVirtual();

  /// What the thread changes in its sections besides stores; `null` before the first such change.
  private DeferredChanges changes;

  /// Whether there are any in this section, or for the next one.
  private boolean deferred;

  /// Whether one was made in this section, which has not begun otherwise.
  private boolean begunDeferred;

  /// Whether the thread has not waited yet until its sections in this region are durable (ACK-2).
  boolean isOwed;

  /// An error whose {@link #breakOff} may have found no frame: the caller stores it here first, and
  /// the thread breaks off when it leaves the level (LEVEL-2). `null` as a rule.
  public Error cut;

  /// Never cleared: the region takes no further section, and the log is kept (KEEP-1).
  private boolean failed;

  /// The last section in this log that ended and had to wait.
  private SectionRecord lastWaiting;

  Section(SectionRegion region, ThreadSections thread) {
    this.region = region;
    this.thread = thread;
    this.memory = region.memory;
    this.trace = new SectionTrace(memory);
    this.rollback = new SectionRollback(memory.name());
    this.exposure = new SectionExposure(region.state);
  }

  SectionRegion region() {
    return region;
  }

  @Override
  public String regionName() {
    return memory.name();
  }

  /// Whether it has begun: it has stored something, or others know of it.
  boolean isActive() {
    return active;
  }

  /// Depends on what was released openly under a key, as after {@link SectionHooks#observed}.
  public void observe(Object key) {
    thread.observe(key);
  }

  /// Makes sure that the log has room for some stores, so that a change of several can't fail
  /// between two of them.
  ///
  /// @param stores of a word, at most 2,045; a bulk store takes its own room, and may take this
  ///   one: reserve after it
  /// @throws RegionFullException if the log must grow and can't
  public void reserve(int stores) {
    try {
      ready();
      log.reserve(stores, thread.stamp());
    } catch (RegionFullException e) {
      throw undo(e);
    }
  }

  /// Stores a word; undone if the section does not become durable.
  ///
  /// @param offset a multiple of 8
  /// @throws RegionFullException if the log must grow and can't; nothing was stored
  public void write(long offset, long value) {
    try {
      if (!unobserved) {
        begin();
      }
      log.store(offset, value, thread.stamp());
    } catch (RegionFullException e) {
      throw undo(e);
    }
  }

  /// Stores bytes; undone if the section does not become durable. Words are logged whole, so those
  /// that the bytes lie in are this section's to write.
  ///
  /// One entry of the log, and one round trip to the media, for up to 63 KiB; more takes more
  /// entries, and a chunk of log for each, but still one fence between them and the data.
  ///
  /// @param offset a multiple of 8
  /// @param count bytes, any number
  /// @throws IllegalArgumentException if the region has no such words
  /// @throws RegionFullException if the log must grow and can't; nothing was stored
  public void copy(long offset, byte[] from, int at, int count) {
    Objects.checkFromIndexSize(at, count, from.length);
    try {
      if (!unobserved) {
        begin();
      }
      log.storeBytes(offset, from, at, count, thread.stamp());
    } catch (RegionFullException e) {
      throw undo(e);
    }
  }

  /// Stores bytes of the region in another place of it; the ranges may overlap. Otherwise as {@link
  /// #copy(long, byte[], int, int)}.
  ///
  /// @param from where the bytes are, any offset
  /// @param to where they go: a multiple of 8
  public void copy(long from, long to, long count) {
    Objects.checkFromIndexSize(from, count, memory.length());
    try {
      if (!unobserved) {
        begin();
      }
      log.storeCopy(from, to, count, thread.stamp());
    } catch (RegionFullException e) {
      throw undo(e);
    }
  }

  /// Stores a word again and again. Otherwise as {@link #copy(long, byte[], int, int)}.
  ///
  /// @param offset a multiple of 8
  /// @param words how many
  public void fill(long offset, long words, long value) {
    try {
      if (!unobserved) {
        begin();
      }
      log.storeFill(offset, words, value, thread.stamp());
    } catch (RegionFullException e) {
      throw undo(e);
    }
  }

  /// Stores a word that is all this section changes, now and later: what else it wrote is memory
  /// that nobody finds without this word.
  ///
  /// If that is all the thread's outermost section does, and it depends on nobody, the store is the
  /// section: a word does not tear (MEDIA-1), so it is there whole or not at all, and needs no log.
  /// Inside of an outer section this is {@link #write}.
  ///
  /// @param state what else the store changes, kept ({@link #enlist}) if the store is not the
  ///   section; `null` for nothing
  /// @throws RegionFullException if the log must grow and can't; nothing was stored
  public void writeOnly(long offset, long value, VolatileState state) {
    if (!isAlone()) {
      if (state != null) {
        enlist(state);
      }
      write(offset, value);
    } else {
      // SECTION-2: the store is the commit. Orders what it publishes before it, and by the fence
      // what follows after it. Test: SectionCrashTest.writeOnlyPublishesWhole.
      memory.writeRelease(offset, value);
      memory.releaseFence();
    }
  }

  /// Whether what the thread does now can be durable by itself, without a log: it is in its
  /// outermost section, which has stored and deferred nothing yet, depends on nobody, and was not
  /// refused, in a region that refuses nothing (CLOSE-2).
  public boolean isAlone() {
    return !active
        && !deferred
        && !rollback.isRefused()
        && !thread.isNested()
        && thread.before().isEmpty()
        && !region.state.isOver();
  }

  /// The same for a section that may have begun, for others to know of it: it has stored nothing,
  /// and depends on nobody.
  ///
  /// **ALONE-1** What a section holds back may be a single change that is durable by itself. Made
  /// when the section ends, without the log, it is the section. Whoever builds on that section
  /// (CLAIM-1) is durable later than it, as ever: after the end. Test:
  /// MapOverlayCrashTest.alone1ASingleEntry, alone1WhoDependsOnAnOpenSection.
  public boolean isAloneAtEnd() {
    return !rollback.isRefused()
        && !failed
        && !deferred
        && !thread.isNested()
        && thread.before().isEmpty() // looks for what was missed, before the next question
        && exposure.dependencies().isEmpty()
        && !(active && log.hasStored())
        && !region.state.isOver();
  }

  /// The thread's changes of this region that are deferred; `null` if there never were any.
  public DeferredChanges changes() {
    return changes;
  }

  /// Keeps what {@link #changes} returns from now on.
  public void keepChanges(DeferredChanges kept) {
    changes = kept;
  }

  /// Makes one more of the deferred changes belong to this section, or to the thread's next one if
  /// it is in none. If that never ends, or never stores anything, it was never made.
  ///
  /// @throws RegionFullException if the log must grow and can't; the change must be taken back
  /// @throws IllegalStateException outside of sections, if some 1,000 wait for the next one
  ///   already; the same
  public void defer() {
    rollback.check();
    if (active) {
      changes.log(log, thread.stamp());
    } else if (!thread.inSection()) {
      deferNext();
    } else if (changes.unlogged() == 1 && thread.before().isEmpty()) {
      region.state.check();
      begunDeferred = true;
      thread.activated();
    } else {
      // DEFER-1: it has its entry now, or its caller is told, since the end could tell nobody.
      boolean before = deferred;
      deferred = true;
      try {
        activate();
      } finally {
        deferred = before;
      }
    }
    deferred = true;
    endsSlowly = true;
  }

  private void deferNext() {
    region.state.check();
    if (changes.unlogged() > DEFERRED_MAX) {
      throw new IllegalStateException(
          "%s: too much was prepared outside of sections: changes=%d. Store something in a section first"
              .formatted(memory.name(), DEFERRED_MAX));
    }
  }

  /// Has a word be what it is now, if the section is undone. The section has begun, and stores the
  /// word later by {@link Memory#writeLogged}.
  public void willStore(long offset) {
    log.willStore(offset, thread.stamp());
  }

  /// Has an action run once the section is durable, in whichever thread finds that out; never after
  /// a crash. The action must be short and take no section's lock.
  public void whenDurable(Runnable action) {
    if (!active) {
      activate();
    }
    endsSlowly = true;
    followUps.whenDurable(action);
  }

  /// Has an action of the program's run once the section is durable ({@link DurableActions}).
  void onDurable(Runnable action) {
    try {
      ready();
    } catch (RegionFullException e) {
      throw undo(e);
    }
    endsSlowly = true;
    followUps.add(new DurableActions.Action(thread.stamp(), log.number(), action));
  }

  /// Remembers what a collection keeps in memory, before the section changes it for the first time,
  /// so that it is set back if the section is rolled back.
  ///
  /// @throws RegionFullException if the section can't begin, or is rolled back
  public void enlist(VolatileState state) {
    try {
      ready();
    } catch (RegionFullException e) {
      throw undo(e);
    }
    endsSlowly = true;
    rollback.enlist(state);
  }

  /// What others know the section by who build on what it holds back ({@link HeldChanges}).
  ///
  /// @throws RegionFullException if the section can't begin, or is rolled back
  public SectionRecord claim() {
    try {
      ready();
      return expose();
    } catch (RegionFullException e) {
      throw undo(e);
    }
  }

  /// Lamport's clock of the section's thread.
  public long stamp() {
    return thread.stamp();
  }

  /// Depends on another section, whose held change this one is about to build on. If it has stored
  /// nothing by then, its thread does, and it with its first store: one that only looks has no end
  /// to wait for.
  ///
  /// @param number of that section
  /// @param stamp of its thread when it held the change back
  public void buildOn(SectionRecord other, long number, long stamp) {
    try {
      rollback.check();
      if (other.take(number)) {
        thread.stamp = Math.max(thread.stamp, stamp + 1);
        if (active) {
          dependOn(other);
        } else {
          thread.dependOn(other);
        }
      }
    } catch (RegionFullException e) {
      throw undo(e);
    }
  }

  /// Rolls the section back because its program asks for that, unless others have taken hold of it.
  ///
  /// @return whether nothing that it did is there
  public boolean undo() {
    if (!active || rollback.isRefused()) {
      return true;
    }
    endsSlowly = true;
    unobserved = false;
    if (!exposure.isExposed()) {
      rollBack();
      return true;
    }
    return exposure.undo(rollingBack);
  }

  /// Whether it was rolled back, or could not begin, so that nothing it did is there, and every
  /// further store is refused.
  public boolean isUndone() {
    return rollback.isRefused();
  }

  /// Rolls the section back because the device is full, unless others have taken hold of it.
  /// Outside of sections it does nothing. The caller holds no lock that guards shared bits.
  ///
  /// @return what is to be thrown
  public RegionFullException undo(RegionFullException cause) {
    if (rollback.isSettledFor(cause) || !thread.inSection()) {
      return cause;
    }
    if (!active) {
      refuse(cause);
      return cause;
    }
    endsSlowly = true;
    unobserved = false;
    if (!exposure.isExposed()) {
      rollBack();
    } else if (!exposure.undo(rollingBack)) {
      RegionFullException impossible = rollback.isImpossible(cause);
      unobserved = !trace.isRecording();
      return impossible;
    }
    return rollback.isDone(cause);
  }

  private void rollBack() {
    try {
      followUps.forget();
      log.undo();
      if (deferred) {
        changes.undo();
      }
      rollback.restoreStates();
    } catch (RuntimeException | Error e) {
      fail(e);
    }
  }

  /// It can't begin: what it was to store is refused until it is over.
  private void refuse(RegionFullException cause) {
    rollback.refuse(cause);
    thread.activated();
    if (deferred) {
      changes.undo();
    }
  }

  /// The section that could not begin is over.
  void forgetRefusal() {
    rollback.forgetRefusal();
  }

  /// For code that is about to leave a section and has seen no exception: an earlier one may have
  /// been caught in between.
  ///
  /// @throws RegionFullException if the section was rolled back, or could not begin
  public void checkNotUndone() {
    rollback.check();
  }

  /// Before something that only a section does which has begun, and goes on.
  private void ready() {
    rollback.check();
    if (!active) {
      activate();
    }
  }

  /// Before a store: of a section that has not begun, or is recorded, or was rolled back.
  private void begin() {
    ready();
    trace.stored();
  }

  /// Short, with what is rare in methods of its own, or the JIT compiler leaves a store uninlined.
  private void activate() {
    if (thread.lost != null) {
      region.fail(thread.lost); // HOOKS-2
    }
    region.state.check();
    if (log == null || lastWaiting != null) {
      takeLog();
    } else {
      log.reset();
    }
    log.begin();
    List<SectionRecord> before = thread.before();
    if (!deferred && before.isEmpty()) {
      activated();
    } else {
      activateAfter(before);
    }
  }

  private void takeLog() {
    if (log == null) {
      log = region.leases.lease(this);
    }
    if (lastWaiting == null || lastWaiting.isDurable()) {
      lastWaiting = null;
      log.reset();
    }
  }

  /// The thread is told first: a section that is active, and that its thread does not know of,
  /// would never end.
  private void activated() {
    thread.activated();
    active = true;
    trace.begin(log);
    unobserved = !trace.isRecording();
    if (!unobserved) {
      endsSlowly = true;
    }
  }

  private void activateAfter(List<SectionRecord> before) {
    // All or nothing: a section that lacks a dependency could be durable without it, and one that
    // has not logged all changes would store the others without a log.
    log.reserve((deferred ? changes.unlogged() : 0) + before.size(), thread.stamp());
    boolean complete = false;
    try {
      dependOnAll(before);
      complete = true;
    } finally {
      if (!complete) {
        exposure.forgetDependencies(); // it is not active, and begins anew at the next store
      }
    }
    activated();
    if (deferred) {
      try {
        endsSlowly = true;
        changes.log(log, thread.stamp());
      } catch (Throwable e) {
        failed = true;
        RegionState state = region.state;
        state.over = state.over == null ? e : state.over; // LATCH-1
        throw e;
      }
    }
  }

  private void dependOnAll(List<SectionRecord> before) {
    for (int i = 0; i < before.size(); i++) {
      if (before.get(i).region == region.state) {
        dependOn(before.get(i));
      }
    }
  }

  /// Whether it ends when its thread leaves the last lock.
  boolean hasBegun() {
    return active || begunDeferred;
  }

  /// Whether it has stored something, and has not only begun for others to know of it.
  @Override
  public boolean hasStored() {
    return active && !rollback.isRefused() && log.hasStored();
  }

  /// Whether changes of this section, or for the thread's next one, are not stored yet.
  boolean hasPrepared() {
    return deferred;
  }

  /// From now on, and in the log, this section is durable only if another one is.
  void dependOn(SectionRecord other) {
    endsSlowly = true;
    if (exposure.dependOn(other, log, thread.stamp())) {
      region.dependencies.increment();
    }
  }

  /// The last one of the thread that ended and had to wait, perhaps; `null` for none.
  SectionRecord lastWaiting() {
    return lastWaiting;
  }

  /// What it depends on so far.
  List<SectionRecord> dependencies() {
    return exposure.dependencies();
  }

  /// The same for a hook, which can't throw: if the entry can't be logged, the section can never be
  /// durable.
  void dependOnFromHook(SectionRecord other) {
    try {
      dependOn(other);
    } catch (RuntimeException | Error e) {
      fail(e);
    }
  }

  /// Makes this section known to others, who are about to see what it did. It takes its number now,
  /// even if it has stored nothing yet, because theirs will name it on media.
  SectionRecord expose() {
    if (!active) {
      activate();
    }
    if (deferred) {
      // Others may go on from here: free a block that this section has allocated, say. Test:
      // HeapDependencyCrashTest.aBlockOfAnOpenSectionIsFreedByAnother.
      changes.publish();
    }
    memory.publishData(); // POST-2: what the changes have stored, too
    endsSlowly = true;
    return exposure.expose(log);
  }

  /// The same for a hook.
  ///
  /// @return `null` if the region has failed, or has no room for the section to begin: then it has
  ///   stored nothing, and will not
  SectionRecord exposeFromHook() {
    try {
      return rollback.isRefused() && !active ? null : expose();
    } catch (RegionFullException e) {
      refuse(e);
      return null;
    } catch (RuntimeException | Error e) {
      fail(e);
      return null;
    }
  }

  /// Latches the region and leaves this section open in its log for ever: the next opening undoes
  /// it.
  void fail(Throwable cause) {
    failed = true;
    endsSlowly = true;
    region.fail(cause);
    VarHandle.releaseFence(); // before the section is idle: Sections.isQuiet
  }

  /// After an error of the JVM in the middle of a change of several stores: the section can never
  /// be durable, and the region takes no more changes. No calls: there may be no frame for one.
  ///
  /// **BREAK-1** What an OutOfMemoryError or a StackOverflowError has left half done is undone by
  /// the next opening, and nobody builds on it. So is what a LinkageError, or an InternalError,
  /// has: where memory ends at a lambda's or a class's first use, the JVM throws these. Test:
  /// FailuresTest.
  public void breakOff(Error cause) {
    cut = null;
    if (!(cause instanceof InternalError) || !MemoryFault.is(cause)) { // else FAULT-1
      thread.brokenOff = true;
      failed = true;
      endsSlowly = true;
      region.state.latch(cause);
    }
  }

  /// Ends the section, in a hook, before its last lock is given up.
  ///
  /// @param lock the lock; `null` if there is none
  /// @return `null` if the section is durable, else the record of what it waits with
  SectionRecord endFromHook(Object lock) {
    SectionRecord waits = null;
    try {
      if (active && !failed && region.state.isOver()) {
        fail(region.state.refusal()); // CLOSE-2
      }
      if (endsSlowly) {
        waits = endSlowly();
        trace.end(lock, exposure.dependencies().size(), waits != null);
      } else {
        log.end();
      }
    } catch (RuntimeException | Error e) {
      failed = true;
      RegionState state = region.state;
      state.over = state.over == null ? e : state.over; // LATCH-1
      fail(e);
      waits = exposure.retire();
    }
    if (endsSlowly && failed && hasStored()) {
      thread.failedAtEnd = region.state;
      ThreadDependencies.hasAnyFailedAtEnd = true;
    }
    active = false;
    unobserved = false;
    if (endsSlowly) {
      deferred = false;
      begunDeferred = false;
      try {
        forget();
      } catch (StackOverflowError | OutOfMemoryError | LinkageError e) {
        // The next section would begin with it.
        failed = true;
        RegionState state = region.state;
        state.over = state.over == null ? e : state.over; // LATCH-1
      }
    }
    return waits;
  }

  /// What has ended was more than a commit.
  private void forget() {
    exposure.end();
    followUps.forget();
    rollback.forget();
    trace.forget();
    endsSlowly = failed || owner.isVirtual();
  }

  private SectionRecord endSlowly() {
    if (!active) {
      if (changes.unlogged() == 0) {
        changes.durable();
        return null; // all was changed back, or undone
      }
      if (changes.unlogged() == 1 && thread.before().isEmpty()) {
        endDeferredAlone();
        return null;
      }
      activate(); // the thread has come to depend on others since
    }
    SectionRecord waits = null;
    if (deferred && !failed) {
      changes.store();
    }
    trace.ending(log);
    if (failed) {
      waits = exposure.retire();
    } else if (exposure.isSatisfied()) {
      log.end();
      followUps.handOver(region.actions); // ACTIONS-1
      exposure.becameDurable(region.groupCommit);
      followUps.run();
      if (deferred) {
        changes.durable();
      }
    } else {
      waits = endTogether();
    }
    if (!failed && owner.isVirtual() && (lastWaiting == null || lastWaiting.isDurable())) {
      region.leases.giveBack(this);
    }
    return waits;
  }

  /// DEFER-2. Test: HeapCrashTest.defer2OneChangeTakesNoLog.
  private void endDeferredAlone() {
    region.state.check();
    changes.store();
    // SECTION-2: the store is the commit. It comes after what it was allocated for, being a release
    // store, and before what the thread does next, above all with memory that it has freed.
    memory.makeDataDurable();
    memory.releaseFence();
    changes.durable();
  }

  private SectionRecord endTogether() {
    if (deferred) {
      whenDurable(changes.takeFollowUps());
    }
    expose();
    SectionRecord ending = exposure.end(followUps);
    if (region.groupCommit.end(ending)) {
      return null;
    }
    lastWaiting = ending;
    return ending;
  }

  @Override
  public long openNumber() {
    SectionLog its = log;
    return active && its != null ? its.number() : 0;
  }

  @Override
  public Thread owner() {
    return owner;
  }

  @Override
  public int openSlot() {
    SectionLog its = log;
    return its != null ? its.slot() : -1;
  }

  @Override
  public String firstLock() {
    return thread.firstLock();
  }

  @Override
  boolean isIdle() {
    return !active && !failed && (lastWaiting == null || lastWaiting.isDurable());
  }

  @Override
  boolean isAbandoned() {
    return log != null && !owner.isAlive() && isIdle();
  }

  @Override
  SectionLog surrender() {
    SectionLog surrendered = log;
    surrendered.reset(); // if that fails, the section still has its log
    log = null;
    exposure.retire();
    lastWaiting = null;
    return surrendered;
  }
}
