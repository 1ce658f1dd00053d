package io.holdfast.core.section;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// A thread's view of its sections: how deep it is in locks, and what is carried from one section
/// to the next. Confined to its thread.
///
/// Depth belongs to the thread, not to a region: a lock does not know which regions its section
/// will write. A section that writes to two regions is atomic in each of them by itself ({@link
/// TwoStoresWatch} tells of it).
///
/// **HOOKS-2** No error in a hook loses an edge. A hook after an acquire that can't look for open
/// releases notes that ({@link #missed}), and the thread looks through all of them before its
/// sections begin, end, or are depended on. A hook before a release that can't publish latches the
/// regions that the thread has something open in, since the release comes all the same; and each
/// region in which the section begins later ({@link #lost}). A hook before a write throws, and
/// there is no write. Test: StackEndTest.
final class ThreadSections {
  private static final ThreadLocal<ThreadSections> CURRENT =
      ThreadLocal.withInitial(ThreadSections::new);

  /// In front of CURRENT, by thread id: a section looks here three times, and a thread local is
  /// five dependent loads. Read and written in races, which the check of the id makes harmless, for
  /// it is final and never given to another thread. A power of two.
  private static final ThreadSections[] CACHE = new ThreadSections[1 << 8];

  /// An acquire that finds no open release where there could be one is cheap, but not nothing.
  /// After so many of them it is worth a look whether the threads that are exposed are dead.
  private static final int FRUITLESS = 1 << 12;

  private final Thread thread = Thread.currentThread();
  private final long threadId = thread.threadId();

  int depth;

  /// Whether an error has cut off a look at the open releases under some key.
  private boolean missed;

  /// The error that has cut off an open release of the section that the thread is in; `null` as a
  /// rule.
  Throwable lost;

  /// Lamport's clock: above the stamp of every open release that the thread has acquired.
  private long stamp;

  /// This thread's sections by region, as a rule one; reused.
  private Section[] sections = {};

  /// The one that was asked for last.
  private Section recent;

  /// Whether any of them has begun since the thread took its first lock. Not which: storing a
  /// reference on every section's way would be a collector's barrier, at worst with a fence.
  private boolean active;

  /// Sections that are not durable and that everything later in this thread depends on. It is here,
  /// not in a section, so that sections without persistent stores, and acquires outside of
  /// sections, carry the chain on (Atlas 3.3).
  private final List<SectionRecord> before = new ArrayList<>(0);

  /// Whether there may be any in it, as a field that can be read without a call.
  private boolean carries;

  /// Whether {@link OpenReleases} counts this thread among those that have open releases.
  private boolean exposed;

  /// Whether it has made one in the section that it is in.
  private boolean openly;

  private int fruitless;

  /// What woven code has told of; other levels of the depth are not in it.
  private final HeldLocks held = new HeldLocks();

  /// The lock of Holdfast's own that began the section which the thread is in, or an earlier one;
  /// and whether it is this one: a reference is stored as seldom as in {@link HeldLocks}.
  private Object begunBy;

  private boolean isBegunByLock;

  /// The lock in whose own method the thread is by a call that will be told, so that what that
  /// method does to the same lock is not told as well; `null` as a rule.
  private Object calling;

  /// A thread's first act here comes after its start.
  private ThreadSections() {
    if (OpenReleases.wasStarted(thread)) {
      observe(thread);
    }
  }

  static ThreadSections current() {
    long id = Thread.currentThread().threadId();
    ThreadSections cached = CACHE[place(id)];
    return cached != null && cached.threadId == id ? cached : find(id);
  }

  private static ThreadSections find(long id) {
    ThreadSections found = CURRENT.get();
    CACHE[place(id)] = found;
    return found;
  }

  /// Lets go of threads that died, and with them of the regions that they worked in: after a region
  /// was closed.
  static void forgetTheDead() {
    for (int i = 0; i < CACHE.length; i++) {
      ThreadSections cached = CACHE[i];
      if (cached != null && !cached.thread.isAlive()) {
        CACHE[i] = null; // or another thread's, which finds itself again
      }
    }
  }

  private static int place(long id) {
    return (int) id & (CACHE.length - 1);
  }

  boolean inSection() {
    return depth > 0;
  }

  /// Whether the thread was in a section when it entered the one that it is in.
  boolean isNested() {
    return depth > 1;
  }

  long stamp() {
    return stamp;
  }

  /// Enters a section, or goes one deeper.
  void enter() {
    depth++;
  }

  /// Enters a section, or goes one deeper, by a lock that was just acquired: inherits what its last
  /// releasers have left open.
  void enter(Object lock) {
    depth++;
    try {
      observe(lock);
    } catch (Throwable e) {
      depth--;
      throw e;
    }
  }

  /// The same, by a lock that tells itself.
  void enterBy(Object lock) {
    begun(lock);
    enter(lock);
  }

  /// Enters again what {@link #exit(Object, int)} has left.
  void enterBy(Object lock, int holds) {
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

  /// An edge without a lock: what was released openly under this key comes before all that follows.
  void observe(Object lock) {
    try {
      if (OpenReleases.mayConcern(this)) {
        inherit(OpenReleases.stripeOf(lock));
        if (depth == 0 && !before.isEmpty()) {
          expose(); // who joins the thread looks for it among the exposed
        }
      }
    } catch (RuntimeException | Error e) {
      missed = true; // HOOKS-2
      if (e instanceof InternalError) {
        throw e; // of an access, perhaps (FAULT-1)
      }
    }
  }

  /// Depends on all that is open, since it is not known what was missed.
  private void catchUp() {
    for (int stripe = 0; stripe < OpenReleases.STRIPES; stripe++) {
      inherit(stripe);
    }
    if (depth == 0 && !before.isEmpty()) {
      expose();
    }
    missed = false;
  }

  /// Takes a lock, as woven code tells. If that fails, nothing was taken.
  ///
  /// @param key what stands for the lock ({@link LockKeys})
  void take(Object lock, Object key) {
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

  @SuppressWarnings("ReferenceEquality") // locks
  private void observeLock(Object lock, Object key) {
    if (OpenReleases.mayConcern(this)) {
      inherit(OpenReleases.stripeOf(key));
      if (key != lock) { // it may have had another key, or none
        inherit(OpenReleases.stripeOf(lock));
        inherit(OpenReleases.stripeOf(LockKeys.UNPAIRED));
      }
    }
  }

  /// Leaves what {@link #take} has taken. A lock that was taken where nobody told is no level of
  /// the depth: to leave it is an edge. An error is as in {@link #exit(Object)}.
  @SuppressWarnings("ReferenceEquality") // locks
  void leave(Object lock, Object key) {
    int level = depth;
    int holds = held.size;
    int hold = holds - 1;
    while (hold >= 0 && held.locks[hold] != lock) {
      hold--;
    }
    try {
      if (hold < 0) {
        publish(key);
      } else if (held.isInner(hold)) {
        depth--;
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
        lost = e;
        if (active || carries) {
          for (Sections each : Sections.live) {
            each.over = each.over == null ? e : each.over; // LATCH-1
          }
        }
      }
      if (e instanceof InternalError) {
        throw e; // of an access, perhaps (FAULT-1)
      }
    }
  }

  boolean holds(Object lock) {
    return held.newest(lock) >= 0;
  }

  HeldLocks held() {
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
  int giveUp(Object lock, Object key) {
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
  void takeAgain(Object lock, Object key, int holds) {
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
  /// @return in whose it was, to be said again behind the call
  Object call(Object lock) {
    Object outer = calling;
    calling = lock;
    return outer;
  }

  @SuppressWarnings("ReferenceEquality") // locks
  boolean isCalling(Object lock) {
    return calling == lock;
  }

  private void inherit(int stripe) {
    boolean found = false;
    for (OpenReleases.Node node = OpenReleases.at(stripe); node != null; node = node.next) {
      SectionRecord record = node.release.record;
      // Its own are what it is in, or in BEFORE already.
      if (record.owner.threadId() != threadId && record.take(node.release.number())) {
        stamp = Math.max(stamp, OpenReleases.stamp(stripe) + 1);
        dependOn(record);
        found = true;
      }
    }
    // RELEASES-3: also where this thread's own release stands for those that it depends on. Test:
    // OpenSectionsTest.releases3TheStampOfAStripeIsPassedOn.
    stamp = Math.max(stamp, OpenReleases.stamp(stripe) + 1);
    if (!found && ++fruitless % FRUITLESS == 0) {
      OpenReleases.coverTheDead();
    }
  }

  private void dependOn(SectionRecord other) {
    for (Section section : sections) {
      if (section.isActive() && section.region() == other.region) {
        section.dependOnFromHook(other);
        return;
      }
    }
    carries = true;
    SectionRecord.add(before, other);
  }

  /// Leaves a section, or comes one up; ends the section before its last lock is given up.
  void exit() {
    try {
      if (depth == 1) {
        isBegunByLock = false;
        end(null);
        if (!before.isEmpty()) {
          expose();
        }
        cover();
      }
    } catch (Throwable e) {
      try {
        cutOff(e);
      } catch (Throwable again) {
        lost = e;
        if (active || carries) {
          for (Sections each : Sections.live) {
            each.over = each.over == null ? e : each.over; // LATCH-1
          }
        }
      }
      if (e instanceof InternalError) {
        throw e; // of an access, perhaps (FAULT-1)
      }
    } finally {
      depth--;
    }
  }

  /// The same, before a lock is released that others will acquire.
  void exit(Object lock) {
    try {
      if (depth == 1) {
        isBegunByLock = false;
        end(lock);
        if (!before.isEmpty()) {
          publishBefore(lock);
        }
        cover();
      } else {
        publishOpen(lock);
      }
    } catch (Throwable e) {
      try {
        cutOff(e);
      } catch (Throwable again) {
        lost = e;
        if (active || carries) {
          for (Sections each : Sections.live) {
            each.over = each.over == null ? e : each.over; // LATCH-1
          }
        }
      }
      if (e instanceof InternalError) {
        throw e; // of an access, perhaps (FAULT-1)
      }
    } finally {
      depth--; // also when a fault is thrown late (FAULT-1)
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
      }
    }
    for (int i = 0; i < before.size(); i++) {
      before.get(i).region.fail(cause);
    }
  }

  /// Leaves all levels of a lock that was taken several times. The inner ones are no releases:
  /// until the last of them nobody else has the lock. Test: WaitCrashTest.p1AtomicUpToAWait.
  void exit(Object lock, int holds) {
    int outer = depth;
    depth -= holds - 1;
    try {
      exit(lock);
    } catch (Throwable e) {
      depth = outer; // it has not begun, and there is no wait
      throw e;
    }
  }

  /// Whether {@link #publish} has anything to say.
  boolean mayPublish() {
    return depth > 0 || !before.isEmpty() || missed;
  }

  /// The other end of {@link #observe}: what is open comes before all that is observed under this
  /// key from now on.
  void publish(Object through) {
    if (depth > 0) {
      publishOpen(through);
    } else if (mayPublish()) {
      publishBefore(through);
    }
  }

  /// Releases openly what this thread is in the middle of: in all regions, since it is not known
  /// which of them the section will write. What a section depends on comes with it.
  private void publishOpen(Object lock) {
    expose();
    openly = true;
    boolean refused = false;
    int stripe = OpenReleases.stripeOf(lock);
    for (Sections region : Sections.live) {
      Section section = region.isOver() ? null : in(region);
      SectionRecord record = section == null ? null : section.exposeFromHook();
      if (record != null) {
        OpenReleases.publish(stripe, record, stamp, section.dependencies());
      } else if (!region.isOver()) {
        refused = true;
      }
    }
    if (refused) {
      publishBefore(lock); // what else the record would stand for
    }
  }

  private void publishBefore(Object lock) {
    for (SectionRecord record : before()) {
      expose();
      OpenReleases.publish(OpenReleases.stripeOf(lock), record, stamp, record.dependencies);
    }
  }

  private void expose() {
    if (!exposed) {
      OpenReleases.expose(this);
      exposed = true; // once all others look
    }
  }

  /// Between sections: says that nothing is open any more, if the last section has not just shown
  /// that this thread is one of those that make open releases.
  private void cover() {
    if (exposed) {
      if ((!openly || thread.isVirtual()) && before().isEmpty()) {
        exposed = false;
        OpenReleases.cover(this);
      }
      openly = false;
    }
  }

  /// After it was found that a thread has ended: depends on what that one has left open.
  void join(Thread ended) {
    ThreadSections other = ended.isAlive() ? null : OpenReleases.exposed(ended);
    if (other != null) {
      joinExposed(other);
    }
  }

  private void joinExposed(ThreadSections other) {
    try {
      for (SectionRecord record : OpenReleases.leftBy(other)) {
        if (record.take(record.number)) {
          stamp = Math.max(stamp, other.stamp + 1);
          dependOn(record);
        }
      }
      if (depth == 0 && !before.isEmpty()) {
        expose();
      }
    } catch (Throwable e) {
      for (Sections each : Sections.live) {
        each.over = each.over == null ? e : each.over; // LATCH-1, HOOKS-2
      }
    }
  }

  long threadId() {
    return threadId;
  }

  /// Whether the thread is dead, and has left nothing that others must wait for.
  boolean isGone() {
    if (thread.isAlive() || !before().isEmpty()) {
      return false;
    }
    for (Section section : sections) {
      if (section.isActive() && !section.region().isOver()) {
        return false;
      }
    }
    return true;
  }

  /// A section has begun in a region.
  void activated() {
    active = true;
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
        if (section.hasBegun()) {
          end(section, lock);
        } else {
          section.forgetRefusal();
        }
      }
      active = false; // when all have ended: an error before would leave one that never ends
    }
    if (lost != null) {
      lost = null;
    }
  }

  private void end(Section section, Object lock) {
    SectionRecord waits = section.endFromHook(lock);
    if (waits != null) {
      for (int i = before.size() - 1; i >= 0; i--) {
        if (before.get(i).region == waits.region) {
          before.remove(i);
        }
      }
      carries = true;
      before.add(waits);
    }
  }

  /// What everything later in this thread depends on.
  List<SectionRecord> before() {
    if (carries || missed) {
      sift();
    }
    return before;
  }

  /// Apart, so that a section that depends on nothing pays for two fields alone.
  private void sift() {
    if (missed) {
      catchUp();
    }
    for (int i = before.size() - 1; i >= 0; i--) {
      if (before.get(i).isSettled()) {
        before.remove(i);
      }
    }
    carries = !before.isEmpty();
  }

  /// Whether nothing that this thread did before still waits in a region.
  boolean isSettled(Sections region) {
    for (SectionRecord record : before()) {
      if (record.region == region) {
        return false;
      }
    }
    return true;
  }

  /// This thread's section in a region.
  Section in(Sections region) {
    Section section = recent;
    return section != null && section.region() == region ? section : find(region);
  }

  private Section find(Sections region) {
    Section found = null;
    for (Section section : sections) {
      if (section.region() == region) {
        found = section;
      }
    }
    if (found == null) {
      found = new Section(region, this);
      Stream<Section> open = Stream.of(sections).filter(section -> !section.region().isClosed());
      sections = Stream.concat(open, Stream.of(found)).toArray(Section[]::new);
    }
    recent = found;
    return found;
  }
}
