package io.holdfast.core.section;

import io.holdfast.core.PersistenceCounts;
import io.holdfast.core.RegionFullException;
import io.holdfast.core.log.SectionLog;
import io.holdfast.core.memory.Memory;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import jdk.jfr.FlightRecorder;

/// A thread's failure-atomic section in one region: the way in which persistent memory that others
/// may already see is changed.
///
/// Lazy: it takes a log at its first store, and a section that stores nothing writes nothing. How a
/// store is made atomic is the log's matter ({@link SectionLog}); with an undo log, a word is
/// logged once for a section and then stored, and the end is one store. The order on media:
///
/// 1. the entry's words, and its meta word with release (ENTRY-1); for a range, one entry for all
///    of it (RANGE-1 to 4);
/// 2. the data, with release or behind a fence, so that nothing lifts it above the entry
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
///   it. So to recovery it is a section like any other, before its end and behind it. Test:
///   RollbackCrashTest.p1NothingStays.
/// - **ROLLBACK-2** Who may have seen anything of it has taken its record; then it is not rolled
///   back ({@link SectionRecord#undo}).
/// - **ROLLBACK-3** What it allocated is used again when it is durable: until then recovery would
///   free it once more. Test: RollbackCrashTest.blocksAreNotUsedAgainBeforeTheEnd.
/// - **ROLLBACK-4** Volatile state is set back before anybody takes the record.
/// - **KEEP-1** A section that has failed keeps its log for ever: recovery needs the entries. The
///   log is not reset, not given back and not taken from a thread that died. Once a region is
///   closed or has failed, it leases no log and takes none back. Test: FailedSectionTest.
///
/// Confined to its thread; see {@link Sections#current()}.
public final class Section {
  /// Changes that may be deferred outside of sections: fewer than a log has room for at a time.
  private static final int DEFERRED_MAX = 1_000;

  private final Sections region;
  final ThreadSections thread;
  private final Thread owner = Thread.currentThread();
  private final Memory memory;

  private SectionLog log;
  private boolean active;

  /// Whether it is active, and no event counts its stores: one check for each store.
  private boolean unobserved;

  /// `null` as long as nobody records sections.
  private SectionEvent event;

  /// Whether its end takes more than a commit: one of `exposed`, `deferred`, `dependencies`,
  /// `whenDurable`, `actions`, `event`, `states`, `full`, `told` and `failed` is set, or the log
  /// must be given back. One check for the common section, which has none of these.
  private boolean entangled = owner.isVirtual();

  /// Whether others may know of it, by its record.
  private boolean exposed;

  /// What it is known by; used again for later sections (RECORD-1). `null` until one is exposed.
  private SectionRecord record;

  /// `null` while there are none.
  private List<SectionRecord> dependencies;

  /// What the thread changes in its sections besides stores; `null` before the first such change.
  private DeferredChanges changes;

  /// Whether there are any in this section, or for the next one.
  private boolean deferred;

  /// Whether one was made in this section, which has not begun otherwise.
  private boolean begunDeferred;

  /// `null` while there are none.
  private List<Runnable> whenDurable;

  /// `null` while there are none.
  private List<DurableActions.Action> actions;

  /// What the section changes and is not on media; `null` while there is nothing.
  private List<VolatileState> states;

  /// What further stores throw: the device was full and the section is rolled back, or could not
  /// begin. `null` as a rule.
  private RegionFullException full;

  /// What was thrown last because others had seen what the section did, so that who passes it on
  /// does not ask again.
  private RegionFullException told;

  /// Never cleared: the region takes no further section, and the log is kept (KEEP-1).
  private boolean failed;

  /// The last section in this log that ended and had to wait.
  private SectionRecord lastWaiting;

  Section(Sections region, ThreadSections thread) {
    this.region = region;
    this.thread = thread;
    this.memory = region.memory();
  }

  Sections region() {
    return region;
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
  ///   one: reserve behind it
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
  /// @throws RegionFullException if the log must grow and can't; nothing was stored
  public void writeOnly(long offset, long value) {
    writeOnly(offset, value, null);
  }

  /// The same, with what else the store changes: kept ({@link #keep}) if the store is not the
  /// section.
  public void writeOnly(long offset, long value, VolatileState state) {
    if (!isAlone()) {
      if (state != null) {
        keep(state);
      }
      write(offset, value);
    } else {
      // SECTION-2: the store is the commit. Orders what it publishes before it, and by the fence
      // what follows behind it. Test: SectionCrashTest.writeOnlyPublishesWhole.
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
        && full == null
        && !thread.isNested()
        && thread.before().isEmpty()
        && !region.isOver();
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
    if (full != null) {
      throw refusal();
    }
    if (active) {
      changes.log(this);
    } else if (!thread.inSection()) {
      deferNext();
    } else if (changes.unlogged() == 1 && thread.before().isEmpty()) {
      region.checkUsable();
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
    entangled = true;
  }

  private void deferNext() {
    region.checkUsable();
    if (changes.unlogged() > DEFERRED_MAX) {
      throw new IllegalStateException(
          "%s: too much was prepared outside of sections: changes=%d. Store something in a section first"
              .formatted(memory.name(), DEFERRED_MAX));
    }
  }

  /// Logs a word that {@link DeferredChanges#store} stores.
  public void willStore(long offset) {
    log.willStore(offset, thread.stamp());
  }

  /// Logs bits that {@link DeferredChanges#store} sets, in a word of which other sections store
  /// other bits.
  ///
  /// @param mask bits that are clear, and that no other section touches until this one is durable
  public void willSetBits(long offset, long mask) {
    log.willSetBits(offset, mask, thread.stamp());
  }

  /// Logs bits that {@link DeferredChanges#store} clears; the counterpart of {@link #willSetBits}.
  public void willClearBits(long offset, long mask) {
    log.willClearBits(offset, mask, thread.stamp());
  }

  /// Has an action run once the section is durable, in whichever thread finds that out; never after
  /// a crash. The action must be short and take no section's lock.
  public void whenDurable(Runnable action) {
    if (!active) {
      activate();
    }
    if (whenDurable == null) {
      whenDurable = new ArrayList<>();
      entangled = true;
    }
    whenDurable.add(action);
  }

  /// Has an action of the program's run once the section is durable ({@link DurableActions}).
  void onDurable(Runnable action) {
    try {
      ready();
    } catch (RegionFullException e) {
      throw undo(e);
    }
    if (actions == null) {
      actions = new ArrayList<>();
      entangled = true;
    }
    actions.add(new DurableActions.Action(thread.stamp(), log.number(), action));
  }

  /// Remembers what a collection keeps in memory, before the section changes it for the first time,
  /// so that it is set back if the section is rolled back.
  ///
  /// @throws RegionFullException if the section can't begin, or is rolled back
  public void keep(VolatileState state) {
    try {
      ready();
    } catch (RegionFullException e) {
      throw undo(e);
    }
    if (states == null) {
      states = new ArrayList<>();
    }
    for (int i = states.size() - 1; i >= 0; i--) {
      if (states.get(i).equals(state)) {
        return;
      }
    }
    entangled = true;
    state.save();
    states.add(state);
  }

  /// Whether it was rolled back, or could not begin, so that nothing it did is there, and every
  /// further store is refused.
  public boolean isUndone() {
    return full != null;
  }

  /// Rolls the section back because the device is full, unless others have taken hold of it.
  /// Outside of sections it does nothing. The caller holds no lock that guards shared bits.
  ///
  /// @return what is to be thrown
  public RegionFullException undo(RegionFullException cause) {
    if (full != null || cause.equals(told) || !thread.inSection()) {
      return cause;
    }
    if (!active) {
      refuse(cause);
      return cause;
    }
    entangled = true;
    unobserved = false;
    if (exposed && !record.undo(this::rollBack)) {
      told =
          new RegionFullException(
              cause.getMessage()
                  + ". The operation that needed room changed nothing; but the section was not"
                  + " rolled back, because others have already seen what it did before",
              cause);
      unobserved = event == null;
      return told;
    }
    if (!exposed) {
      rollBack();
    }
    full =
        new RegionFullException(
            cause.getMessage()
                + ". The section was rolled back: nothing that it did in this store since its first"
                + " lock is there",
            cause);
    return full;
  }

  private void rollBack() {
    whenDurable = null;
    actions = null;
    try {
      log.undo();
      if (deferred) {
        changes.undo();
      }
      for (int i = states == null ? -1 : states.size() - 1; i >= 0; i--) {
        states.get(i).restore(); // ROLLBACK-4
      }
    } catch (RuntimeException | Error e) {
      fail(e);
    }
  }

  /// It can't begin: what it was to store is refused until it is over.
  private void refuse(RegionFullException cause) {
    full = cause;
    thread.activated();
    if (deferred) {
      changes.undo();
    }
  }

  /// The section that could not begin is over.
  void forgetRefusal() {
    full = null;
  }

  /// Says so if nothing of this section is there, though whoever is about to leave it has seen no
  /// exception: somebody in between has caught it.
  public void checkNotUndone() {
    if (full != null) {
      throw refusal();
    }
  }

  private RegionFullException refusal() {
    return new RegionFullException(
        "%s: this section found no room, and nothing that it did in this store is there. It takes no more stores; release its outermost lock, and the next one does"
            .formatted(memory.name()),
        full);
  }

  /// Before something that only a section does which has begun, and goes on.
  private void ready() {
    if (full != null) {
      throw refusal();
    }
    if (!active) {
      activate();
    }
  }

  /// Before a store: of a section that has not begun, or is recorded, or was rolled back.
  private void begin() {
    ready();
    if (event != null) {
      event.stores++;
    }
  }

  private void observe() {
    try {
      if (FlightRecorder.isInitialized()) { // else a new process would wait for the event's class
        SectionEvent began = new SectionEvent();
        if (began.isEnabled()) {
          began.countsBefore = memory.threadCounts();
          began.logBefore = log.position();
          began.begin();
          event = began;
          entangled = true;
        }
      }
    } catch (RuntimeException | Error e) {
      event = null; // the section needs none
    }
    unobserved = event == null;
  }

  private void commit(SectionEvent ending, Object lock, boolean waits) {
    try {
      ending.end();
      if (ending.shouldCommit()) {
        PersistenceCounts counts = memory.threadCounts().since(ending.countsBefore);
        ending.region = memory.name();
        ending.lockClass = lock == null ? null : lock.getClass();
        ending.flushes = counts.flushes();
        ending.fences = counts.fences();
        ending.dependencies = dependencies == null ? 0 : dependencies.size();
        ending.waits = waits;
        ending.commit();
      }
    } catch (RuntimeException | Error e) {
      // The section has ended, and there is no event.
    }
  }

  /// Short, with what is rare in methods of its own, or the JIT compiler leaves a store uninlined.
  private void activate() {
    if (thread.lost != null) {
      region.fail(thread.lost); // HOOKS-2
    }
    region.checkUsable();
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
      activateBehind(before);
    }
  }

  private void takeLog() {
    if (log == null) {
      log = region.lease(this);
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
    observe();
  }

  private void activateBehind(List<SectionRecord> before) {
    // All or nothing: a section that lacks a dependency could be durable without it, and one that
    // has not logged all changes would store the others without a log.
    log.reserve((deferred ? changes.unlogged() : 0) + before.size(), thread.stamp());
    boolean complete = false;
    try {
      dependOnAll(before);
      complete = true;
    } finally {
      if (!complete) {
        dependencies = null; // it is not active, and begins anew at the next store
      }
    }
    activated();
    if (deferred) {
      try {
        entangled = true;
        changes.log(this);
      } catch (Throwable e) {
        failed = true;
        region.over = region.over == null ? e : region.over; // LATCH-1
        throw e;
      }
    }
  }

  private void dependOnAll(List<SectionRecord> before) {
    for (int i = 0; i < before.size(); i++) {
      if (before.get(i).region == region) {
        dependOn(before.get(i));
      }
    }
  }

  /// Whether it ends when its thread leaves the last lock.
  boolean hasBegun() {
    return active || begunDeferred;
  }

  /// Whether it has stored something, and has not only begun for others to know of it.
  boolean hasStored() {
    return active && full == null && log.hasStored();
  }

  /// Whether changes of this section, or for the thread's next one, are not stored yet.
  boolean hasPrepared() {
    return deferred;
  }

  /// From now on, and in the log, this section is durable only if another one is.
  void dependOn(SectionRecord other) {
    if (dependencies == null) {
      dependencies = new ArrayList<>();
      entangled = true;
    }
    if (other != record && SectionRecord.add(dependencies, other)) {
      log.dependOn(other.log, other.number, thread.stamp());
    }
  }

  /// What it depends on so far.
  List<SectionRecord> dependencies() {
    return dependencies == null ? List.of() : dependencies;
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
    if (!exposed) {
      if (record == null) {
        record = new SectionRecord(region, log);
      }
      record.number = log.number();
      exposed = true;
      entangled = true;
    }
    return record;
  }

  /// The same for a hook.
  ///
  /// @return `null` if the region has failed, or has no room for the section to begin: then it has
  ///   stored nothing, and will not
  SectionRecord exposeFromHook() {
    try {
      return full != null && !active ? null : expose();
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
    entangled = true;
    region.fail(cause);
    VarHandle.releaseFence(); // before the section is idle: Sections.isQuiet
  }

  /// After an error of the JVM in the middle of a change of several stores: the section can never
  /// be durable, and the region takes no more changes. No calls: there may be no frame for one.
  ///
  /// **BREAK-1** What an OutOfMemoryError or a StackOverflowError has left half done is undone by
  /// the next opening, and nobody builds on it. Test: FailuresTest.
  public void breakOff(VirtualMachineError cause) {
    if (!(cause instanceof InternalError)) { // else FAULT-1
      failed = true;
      entangled = true;
      region.latch(cause);
    }
  }

  /// Ends the section, in a hook, before its last lock is given up.
  ///
  /// @param lock the lock; `null` if there is none
  /// @return `null` if the section is durable, else the record of what it waits with
  SectionRecord endFromHook(Object lock) {
    SectionRecord waits = null;
    try {
      if (active && !failed && region.isOver()) {
        fail(region.refusal()); // CLOSE-2
      }
      if (entangled) {
        waits = endEntangled();
        if (event != null) {
          commit(event, lock, waits != null);
        }
      } else {
        log.end();
      }
    } catch (RuntimeException | Error e) {
      failed = true;
      region.over = region.over == null ? e : region.over; // LATCH-1
      fail(e);
      waits = retire();
    }
    active = false;
    unobserved = false;
    if (entangled) {
      event = null;
      exposed = false;
      dependencies = null;
      deferred = false;
      begunDeferred = false;
      whenDurable = null;
      actions = null;
      full = null;
      told = null;
      if (states != null) {
        states.clear();
      }
      entangled = failed || owner.isVirtual();
    }
    return waits;
  }

  private SectionRecord endEntangled() {
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
    if (event != null) {
      event.logBytes = log.position() - event.logBefore; // while it has its log
    }
    if (failed) {
      waits = retire();
    } else if (allDurable(dependencies)) {
      log.end();
      if (actions != null) {
        region.actions().add(actions); // ACTIONS-1
      }
      if (exposed && record.becameDurable()) {
        region.settlement().ended(retire());
      }
      run(whenDurable);
      if (deferred) {
        changes.durable();
      }
    } else {
      waits = endTogether();
    }
    if (!failed && owner.isVirtual() && (lastWaiting == null || lastWaiting.isDurable())) {
      region.giveBack(this);
    }
    return waits;
  }

  /// DEFER-2. Test: HeapCrashTest.defer2OneChangeTakesNoLog.
  private void endDeferredAlone() {
    region.checkUsable();
    changes.store();
    // SECTION-2: the store is the commit. It is behind what it was allocated for, being a release
    // store, and before what the thread does next, above all with memory that it has freed.
    memory.makeDataDurable();
    memory.releaseFence();
    changes.durable();
  }

  private SectionRecord endTogether() {
    if (deferred) {
      Runnable followUps = changes.takeFollowUps();
      whenDurable(followUps);
    }
    expose();
    SectionRecord ending = retire();
    ending.dependencies = dependencies;
    ending.whenDurable = whenDurable == null ? List.of() : whenDurable;
    ending.actions = actions == null ? List.of() : actions;
    if (region.settlement().end(ending)) {
      return null;
    }
    lastWaiting = ending;
    return ending;
  }

  /// Leaves the record to those who hold it.
  ///
  /// @return it, or `null` if nobody can know of this section
  private SectionRecord retire() {
    SectionRecord retired = record;
    if (retired == null) {
      return null;
    }
    record = null;
    retired.retired = true;
    return exposed ? retired : null;
  }

  static void run(List<Runnable> actions) {
    if (actions == null) {
      return;
    }
    for (int i = 0; i < actions.size(); i++) {
      actions.get(i).run();
    }
  }

  static boolean allDurable(List<SectionRecord> sections) {
    if (sections == null) {
      return true;
    }
    for (int i = 0; i < sections.size(); i++) {
      if (!sections.get(i).isDurable()) {
        return false;
      }
    }
    return true;
  }

  /// For {@link SectionWatch}, which looks on from another thread: the number of the section that
  /// is open, or 0.
  long openNumber() {
    SectionLog its = log;
    return active && its != null ? its.number() : 0;
  }

  Thread owner() {
    return owner;
  }

  /// The slot of the log that it has, -1 if none; a race, as {@link #openNumber}.
  int openSlot() {
    SectionLog its = log;
    return its != null ? its.slot() : -1;
  }

  /// The class's name of the first lock that its thread holds; empty if that is not known. A race,
  /// for people.
  String firstLock() {
    return thread.firstLock();
  }

  /// Whether the log could be another's: nothing in it is open, waiting or to be undone (KEEP-1).
  boolean isIdle() {
    return !active && !failed && (lastWaiting == null || lastWaiting.isDurable());
  }

  boolean hasLog() {
    return log != null;
  }

  /// Whether the thread is gone, so that the log can be taken from it.
  boolean isAbandoned() {
    return !owner.isAlive() && isIdle();
  }

  /// Gives up the log, which is empty then.
  SectionLog surrender() {
    SectionLog surrendered = log;
    surrendered.reset(); // if that fails, the section still has its log
    log = null;
    retire();
    lastWaiting = null;
    return surrendered;
  }
}
