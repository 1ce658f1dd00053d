package io.holdfast.core.section;

import io.holdfast.core.PersistenceCounts;
import io.holdfast.core.RegionFullException;
import io.holdfast.core.log.SectionLog;
import io.holdfast.core.memory.Memory;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;

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
///    (**SECTION-1**); where the power may fail, when its line is flushed is the memory's choice
///    (DATA-2);
/// 3. at the end, with release and behind the flushes of all data, the log's DURABLE
///    (**SECTION-2**), and a fence behind it (LOG-1).
///
/// Memory that was allocated in this section is not logged, because nobody finds it unless the
/// section is durable: write it with {@link Memory#writePlain} and publish it with {@link #write}.
///
/// If an exception leaves a method here (the device is full), the store in question was not done,
/// and the section is otherwise as before.
///
/// Confined to its thread; see {@link Sections#current()}.
public final class Section {
  /// Entries that a section can begin with: fewer than a log has room for at a time.
  private static final int PREPARED_MAX = 1_000;

  private final Sections region;
  private final ThreadSections thread;
  private final Thread owner = Thread.currentThread();
  private final Memory memory;

  private SectionLog log;
  private boolean active;

  /// Whether it is active, and no event counts its stores: one check for each store.
  private boolean unobserved;

  /// `null` as long as nobody records sections.
  private SectionEvent event;

  /// Whether its end takes more than a commit: one of `exposed`, `dependencies`, `whenDurable`,
  /// `actions`, `event` and `failed` is set, or the log must be given back. One check for the
  /// common section, which has none of these.
  private boolean entangled = owner.isVirtual();

  /// Whether others may know of it, by its record.
  private boolean exposed;

  /// What it is known by; used again for later sections (RECORD-1). `null` until one is exposed.
  private SectionRecord record;

  /// `null` while there are none.
  private List<SectionRecord> dependencies;

  /// What the next section begins with; `null` while there is nothing.
  private List<Consumer<Section>> prepared;

  /// `null` while there are none.
  private List<Runnable> whenDurable;

  /// `null` while there are none.
  private List<DurableActions.Action> actions;

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

  /// Leaves the lock that {@link SectionLock#lock} took: ends the section, or comes one up.
  void exit(Object lock) {
    thread.exit(lock);
  }

  /// Makes sure that the log has room for some stores, so that a change of several can't fail
  /// between two of them.
  ///
  /// @param stores of a word, at most 2,045; a bulk store takes its own room, and may take this
  ///   one: reserve behind it
  /// @throws RegionFullException if the log must grow and can't
  public void reserve(int stores) {
    if (!active) {
      activate();
    }
    log.reserve(stores, thread.stamp());
  }

  /// Stores a word; undone if the section does not become durable.
  ///
  /// @param offset a multiple of 8
  /// @throws RegionFullException if the log must grow and can't; nothing was stored
  public void write(long offset, long value) {
    if (!unobserved) {
      begin();
    }
    log.store(offset, value, thread.stamp());
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
    if (!unobserved) {
      begin();
    }
    log.storeBytes(offset, from, at, count, thread.stamp());
  }

  /// Stores bytes of the region in another place of it; the ranges may overlap. Otherwise as {@link
  /// #copy(long, byte[], int, int)}.
  ///
  /// @param from where the bytes are, any offset
  /// @param to where they go: a multiple of 8
  public void copy(long from, long to, long count) {
    Objects.checkFromIndexSize(from, count, memory.length());
    if (!unobserved) {
      begin();
    }
    log.storeCopy(from, to, count, thread.stamp());
  }

  /// Stores a word again and again. Otherwise as {@link #copy(long, byte[], int, int)}.
  ///
  /// @param offset a multiple of 8
  /// @param words how many
  public void fill(long offset, long words, long value) {
    if (!unobserved) {
      begin();
    }
    log.storeFill(offset, words, value, thread.stamp());
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
    if (!isAlone()) {
      write(offset, value);
    } else {
      // SECTION-2: the store is the commit. Orders what it publishes before it, and by the fence
      // what follows behind it. Test: SectionCrashTest.writeOnlyPublishesWhole.
      memory.writeRelease(offset, value);
      memory.releaseFence();
    }
  }

  /// Whether what the thread does now can be durable by itself, without a log: it is in its
  /// outermost section, which has stored nothing yet, depends on nobody, and begins with nothing
  /// that was prepared.
  public boolean isAlone() {
    return !active && prepared == null && !thread.isNested() && thread.before().isEmpty();
  }

  /// Sets bits of a word that sections of other threads write too, in other bits. The caller holds
  /// the lock that guards the word's value. Undone by clearing them, so the other bits are left
  /// alone.
  ///
  /// @param mask bits that are clear, and that no other section touches until this one is durable
  public void setBits(long offset, long mask) {
    if (!unobserved) {
      begin();
    }
    log.setBits(offset, mask, thread.stamp());
  }

  /// Clears bits; the counterpart of {@link #setBits}.
  public void clearBits(long offset, long mask) {
    if (!unobserved) {
      begin();
    }
    log.clearBits(offset, mask, thread.stamp());
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
    if (!active) {
      activate();
    }
    if (actions == null) {
      actions = new ArrayList<>();
      entangled = true;
    }
    actions.add(new DurableActions.Action(thread.stamp(), log.number(), action));
  }

  /// Before a store: of a section that has not begun, or is recorded.
  private void begin() {
    if (!active) {
      activate();
    }
    if (event != null) {
      event.stores++;
    }
  }

  private void observe() {
    SectionEvent began = new SectionEvent();
    if (began.isEnabled()) {
      began.countsBefore = memory.threadCounts();
      began.logBefore = log.position();
      event = began;
      entangled = true;
      began.begin();
    } else {
      unobserved = true;
    }
  }

  private void commit(SectionEvent ending, Object lock, boolean waits) {
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
  }

  /// Short, with what is rare in methods of its own, or the JIT compiler leaves a store uninlined.
  private void activate() {
    region.checkUsable();
    if (log == null || lastWaiting != null) {
      takeLog();
    } else {
      log.reset();
    }
    log.begin();
    List<SectionRecord> before = thread.before();
    if (prepared == null && before.isEmpty()) {
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

  private void activated() {
    active = true;
    thread.activated();
    observe();
  }

  private void activateBehind(List<SectionRecord> before) {
    // All or nothing: a section that lacks a dependency could be durable without it.
    log.reserve((prepared == null ? 0 : prepared.size()) + before.size(), thread.stamp());
    activated();
    for (int i = 0; i < before.size(); i++) {
      if (before.get(i).region == region) {
        dependOn(before.get(i));
      }
    }
    if (prepared != null) {
      List<Consumer<Section>> changes = prepared;
      prepared = null;
      changes.forEach(change -> change.accept(this));
    }
  }

  /// Whether its thread is in it, rather than outside of sections.
  public boolean isOpen() {
    return thread.inSection();
  }

  /// Whether something waits for the thread's next section.
  boolean hasPrepared() {
    return prepared != null;
  }

  /// Makes a change at the first store of the thread's next section: for what was prepared outside
  /// of sections and is nobody's until then. If that section never ends, it was never made.
  ///
  /// @param change takes one entry of the log
  /// @throws IllegalStateException if some 1,000 changes wait already
  public void changeNext(Consumer<Section> change) {
    region.checkUsable();
    if (prepared == null) {
      prepared = new ArrayList<>();
    }
    if (prepared.size() == PREPARED_MAX) {
      throw new IllegalStateException(
          "%s: too much was prepared outside of sections: changes=%d. Store something in a section first"
              .formatted(memory.name(), PREPARED_MAX));
    }
    prepared.add(change);
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
  /// @return `null` if the region has failed
  SectionRecord exposeFromHook() {
    try {
      return expose();
    } catch (RuntimeException | Error e) {
      fail(e);
      return null;
    }
  }

  /// Latches the region and leaves this section open in its log for ever: the next opening undoes
  /// it.
  private void fail(Throwable cause) {
    failed = true;
    entangled = true;
    region.fail(cause);
    VarHandle.releaseFence(); // before the section is idle: Sections.isQuiet
  }

  /// Ends the section, in a hook, before its last lock is given up.
  ///
  /// @param lock the lock; `null` if there is none
  /// @return `null` if the section is durable, else the record of what it waits with
  SectionRecord endFromHook(Object lock) {
    SectionRecord waits = null;
    try {
      if (entangled) {
        waits = endEntangled();
        if (event != null) {
          commit(event, lock, waits != null);
        }
      } else {
        log.end();
      }
    } catch (RuntimeException | Error e) {
      fail(e);
      waits = retire();
    }
    active = false;
    unobserved = false;
    if (entangled) {
      event = null;
      exposed = false;
      dependencies = null;
      whenDurable = null;
      actions = null;
      entangled = failed || owner.isVirtual();
    }
    return waits;
  }

  private SectionRecord endEntangled() {
    SectionRecord waits = null;
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
    } else {
      waits = endTogether();
    }
    if (owner.isVirtual() && (lastWaiting == null || lastWaiting.isDurable())) {
      region.giveBack(this);
    }
    return waits;
  }

  private SectionRecord endTogether() {
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

  /// Whether the log could be another's: nothing in it is open or waiting.
  boolean isIdle() {
    return !active && (lastWaiting == null || lastWaiting.isDurable());
  }

  /// Whether the thread is gone, so that the log can be taken from it.
  boolean isAbandoned() {
    return !owner.isAlive() && isIdle();
  }

  /// Gives up the log.
  SectionLog surrender() {
    SectionLog surrendered = log;
    log = null;
    retire();
    lastWaiting = null;
    surrendered.reset();
    return surrendered;
  }
}
