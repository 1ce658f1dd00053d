package io.holdfast.core.section;

import io.holdfast.core.RegionFullException;
import io.holdfast.core.log.UndoEntry.Kind;
import io.holdfast.core.log.UndoLog;
import io.holdfast.core.memory.Memory;
import io.holdfast.core.memory.RegionLayout;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/// A thread's failure-atomic section in one region: the way in which persistent memory that others
/// may already see is changed.
///
/// Lazy: it takes a log at its first store, and a section that stores nothing writes nothing. Each
/// store is logged once for a word and section, then done; the end is one store. The order on
/// media:
///
/// 1. the entry's words, and its meta word with release (ENTRY-1);
/// 2. the data, with release, so that nothing lifts it above the entry (**SECTION-1**);
/// 3. at the end, with release, the log's DURABLE (**SECTION-2**), and a fence behind it (LOG-1).
///
/// A bulk store ({@link #copy(long, byte[], int, int)}, {@link #fill}) is logged as one entry for
/// the whole range (RANGE-1 to 4 in `RangeEntry`), and a fence stands for the release in 2: so it
/// costs one round trip, however long it is.
///
/// Memory that was allocated in this section is not logged, because nobody finds it unless the
/// section is durable: write it with {@link Memory#writePlain} and publish it with {@link #write}.
///
/// If an exception leaves a method here (the device is full), the store in question was not done,
/// and the section is otherwise as before.
///
/// Confined to its thread; see {@link Sections#current()}.
public final class Section {
  /// Words of one section that are remembered as logged. A word that was forgotten is logged again,
  /// which costs an entry and is harmless: the older one is undone last.
  private static final int FILTER_SIZE = 1 << 8;

  /// The filter tells sections apart by 16 bits and is cleared when they wrap.
  private static final int EPOCH_MASK = 0xffff;

  /// What is copied at a time inside of the region: a page.
  private static final int PIECE_BYTES = RegionLayout.PAGE_BYTES;

  private final Sections region;
  private final ThreadSections thread;
  private final Thread owner = Thread.currentThread();
  private final Memory memory;

  private UndoLog log;
  private boolean active;

  /// Whether its end takes more than a commit: one of `record`, `dependencies`, `whenDurable` and
  /// `failed` is set, or the log must be given back. One check for the common section, which has
  /// none of these.
  private boolean entangled = owner.isVirtual();

  private long[] filter;
  private int epoch;
  private long firstLogged;
  private SectionRecord record;

  /// `null` while there are none.
  private List<SectionRecord> dependencies;

  /// `null` while there are none.
  private List<Runnable> whenDurable;

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
    if (!active) {
      activate();
    }
    if (!isLogged(offset)) {
      log.append(Kind.STORE, offset, memory.readPlain(offset), thread.stamp());
      remember(offset);
    }
    // SECTION-1: orders the entry before the data. As a plain store it could be seen without its
    // entry, and the crash would keep half a section. Test: SectionCrashTest.p1Atomic.
    memory.writeRelease(offset, value);
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
    logRange(offset, count);
    memory.writeBytesPlain(offset, from, at, count);
  }

  /// Stores bytes of the region in another place of it; the ranges may overlap. Otherwise as {@link
  /// #copy(long, byte[], int, int)}.
  ///
  /// @param from where the bytes are, any offset
  /// @param to where they go: a multiple of 8
  public void copy(long from, long to, long count) {
    Objects.checkFromIndexSize(from, count, memory.length());
    logRange(to, count);
    byte[] piece = new byte[(int) Math.min(count, PIECE_BYTES)];
    for (long done = 0; done < count; done += piece.length) {
      int part = (int) Math.min(count - done, piece.length);
      // From the end that is not overwritten before it is read.
      long at = from < to ? count - done - part : done;
      memory.readBytes(from + at, piece, 0, part);
      memory.writeBytesPlain(to + at, piece, 0, part);
    }
  }

  /// Stores a word again and again. Otherwise as {@link #copy(long, byte[], int, int)}.
  ///
  /// @param offset a multiple of 8
  /// @param words how many
  public void fill(long offset, long words, long value) {
    logRange(offset, Math.multiplyExact(words, RegionLayout.WORD_BYTES));
    for (long i = 0; i < words; i++) {
      memory.writePlain(offset + i * RegionLayout.WORD_BYTES, value);
    }
  }

  private void logRange(long offset, long bytes) {
    if (!active) {
      activate();
    }
    log.appendRange(offset, bytes, thread.stamp());
    // SECTION-1, RANGE-4: orders the entry before the data, which is stored plain behind it.
    // Without it the crash would keep part of the data and not its entry. Test:
    // RangeCrashTest.p1AtomicInOneLine.
    memory.releaseFence();
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
    if (active || thread.isNested() || !thread.before().isEmpty()) {
      write(offset, value);
    } else {
      // SECTION-2: the store is the commit. Orders what it publishes before it, and by the fence
      // what follows behind it. Test: SectionCrashTest.writeOnlyPublishesWhole.
      memory.writeRelease(offset, value);
      memory.releaseFence();
    }
  }

  /// Sets bits of a word that sections of other threads write too, in other bits. The caller holds
  /// the lock that guards the word's value. Undone by clearing them, so the other bits are left
  /// alone.
  ///
  /// @param mask bits that are clear, and that no other section touches until this one is durable
  public void setBits(long offset, long mask) {
    if (!active) {
      activate();
    }
    log.append(Kind.CLEAR_BITS, offset, mask, thread.stamp());
    memory.writeRelease(offset, memory.readPlain(offset) | mask); // SECTION-1
  }

  /// Clears bits; the counterpart of {@link #setBits}.
  public void clearBits(long offset, long mask) {
    if (!active) {
      activate();
    }
    log.append(Kind.SET_BITS, offset, mask, thread.stamp());
    memory.writeRelease(offset, memory.readPlain(offset) & ~mask); // SECTION-1
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

  private boolean isLogged(long offset) {
    return offset == firstLogged || filter != null && filter[place(offset)] == tag(offset);
  }

  /// The first word goes to a field of its own, so that a section of one store touches no filter,
  /// and a thread whose sections are all of that kind needs none.
  private void remember(long offset) {
    if (firstLogged == 0) {
      firstLogged = offset;
    } else {
      if (filter == null) {
        filter = new long[FILTER_SIZE];
      }
      filter[place(offset)] = tag(offset);
    }
  }

  private static int place(long offset) {
    return (int) ((offset >>> 3) * 0x9E3779B97F4A7C15L >>> 56);
  }

  /// An offset is below 2^51 and a multiple of 8, so shifted by 13 it leaves the low 16 bits free.
  private long tag(long offset) {
    return offset << 13 | epoch;
  }

  private void activate() {
    region.checkUsable();
    if (log == null) {
      log = region.lease(this);
    }
    if (lastWaiting != null && lastWaiting.isDurable()) {
      lastWaiting = null;
    }
    if (lastWaiting == null) {
      log.reset();
    }
    log.begin();
    active = true;
    thread.activated();
    firstLogged = 0;
    if (filter != null) {
      forgetLogged();
    }
    List<SectionRecord> before = thread.before();
    for (int i = 0; i < before.size(); i++) {
      if (before.get(i).region == region) {
        dependOn(before.get(i));
      }
    }
  }

  private void forgetLogged() {
    epoch = (epoch + 1) & EPOCH_MASK;
    if (epoch == 0) {
      Arrays.fill(filter, 0);
    }
  }

  /// From now on, and in the log, this section is durable only if another one is.
  void dependOn(SectionRecord other) {
    if (dependencies == null) {
      dependencies = new ArrayList<>();
      entangled = true;
    }
    if (other != record && SectionRecord.add(dependencies, other)) {
      log.append(Kind.DEPENDENCY, other.log.slot(), other.number, thread.stamp());
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
    if (record == null) {
      record = new SectionRecord(region, log, log.number());
      entangled = true;
      OpenReleases.exposed();
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
  /// @return `null` if the section is durable, else the record of what it waits with
  SectionRecord endFromHook() {
    SectionRecord waits = null;
    try {
      if (entangled) {
        waits = endEntangled();
      } else {
        log.commit();
      }
    } catch (RuntimeException | Error e) {
      fail(e);
      waits = record;
    }
    active = false;
    if (entangled) {
      record = null;
      dependencies = null;
      whenDurable = null;
      entangled = failed || owner.isVirtual();
    }
    return waits;
  }

  private SectionRecord endEntangled() {
    SectionRecord waits = null;
    if (record == null && allDurable(dependencies) && !failed) {
      log.commit();
      run(whenDurable);
    } else {
      waits = failed ? record : endTogether();
    }
    if (owner.isVirtual() && (lastWaiting == null || lastWaiting.isDurable())) {
      region.giveBack(this);
    }
    return waits;
  }

  private SectionRecord endTogether() {
    SectionRecord ending = expose();
    ending.dependencies = dependencies == null ? List.of() : dependencies;
    ending.whenDurable = whenDurable == null ? List.of() : whenDurable;
    if (region.settlement().end(ending)) {
      return null;
    }
    lastWaiting = ending;
    return ending;
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

  /// Whether the log could be another's: nothing in it is open or waiting.
  boolean isIdle() {
    return !active && (lastWaiting == null || lastWaiting.isDurable());
  }

  /// Whether the thread is gone, so that the log can be taken from it.
  boolean isAbandoned() {
    return !owner.isAlive() && isIdle();
  }

  /// Gives up the log.
  UndoLog surrender() {
    UndoLog surrendered = log;
    log = null;
    lastWaiting = null;
    surrendered.reset();
    return surrendered;
  }
}
