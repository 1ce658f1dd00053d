package io.holdfast.core.section;

import io.holdfast.core.memory.LinePadding;
import io.holdfast.core.section.commit.ExposedThread;
import io.holdfast.core.section.commit.RegionState;
import io.holdfast.core.section.commit.SectionRecord;
import io.holdfast.core.section.commit.UncommittedReleases;
import java.util.ArrayList;
import java.util.List;

/// What a thread carries from one section to the next: the sections that are not durable and that
/// its later work depends on. Confined to its thread.
///
/// **HOOKS-2** No error in a hook loses an edge. A hook after an acquire that can't look for
/// uncommitted releases notes that ({@link #missed}), and the thread looks through all of them
/// before its sections begin, end, or are depended on; one that can't ask whether threads meet at a
/// collection takes it that they do. A hook before a release that can't publish latches the regions
/// that the thread has something open in, since the release comes all the same; and each region in
/// which the section begins later ({@link #lost}). A hook before a write throws, and there is no
/// write. Test: StackEndTest.
public abstract class ThreadDependencies extends LinePadding implements ExposedThread {
  /// An acquire that finds no uncommitted release where there could be one is cheap, but not
  /// nothing. After so many of them it is worth a look whether the threads that are exposed are
  /// dead.
  private static final int FRUITLESS = 1 << 12;

  final Thread thread = Thread.currentThread();
  final long threadId = thread.threadId();

  int depth;

  /// How many levels of the depth are locks of collections.
  int own;

  /// Whether an error of the JVM has broken something off, so that levels of collections may be
  /// left that nobody will leave.
  boolean brokenOff;

  /// Whether an error has cut off a look at the uncommitted releases under some key.
  boolean missed;

  /// The error that has cut off an uncommitted release of the section that the thread is in; `null`
  /// as a rule.
  Throwable lost;

  /// The region of a section that was not made durable at its end; `null` as a rule.
  RegionState failedAtEnd;

  /// Whether any thread had one.
  static boolean hasAnyFailedAtEnd;

  /// Lamport's clock: above the stamp of every uncommitted release that the thread has acquired.
  long stamp;

  /// Whether any of its sections has begun since the thread took its first lock. Not which: storing
  /// a reference on every section's way would be a collector's barrier, at worst with a fence.
  boolean active;

  /// Sections that are not durable and that everything later in this thread depends on. It is here,
  /// not in a section, so that sections without persistent stores, and acquires outside of
  /// sections, carry the chain on (Atlas 3.3).
  final List<SectionRecord> before = new ArrayList<>(0);

  /// Whether there may be any in it, as a field that can be read without a call.
  boolean carries;

  /// Whether {@link UncommittedReleases} counts this thread among those that have uncommitted
  /// releases.
  boolean exposed;

  /// Whether it has made one in the section that it is in.
  private boolean openly;

  private int fruitless;

  public boolean inSection() {
    return depth > 0;
  }

  /// Whether the thread was in a section when it entered the one that it is in.
  boolean isNested() {
    return depth > 1;
  }

  @Override
  public final long stamp() {
    return stamp;
  }

  /// From now on this thread's work in a region depends on another section.
  abstract void dependOn(SectionRecord other);

  /// Releases openly all that this thread is in the middle of, also what it has held back.
  abstract void releaseOpenly(Object key);

  /// An edge without a lock: what was released openly under this key comes before all that follows.
  public void observe(Object lock) {
    try {
      if (UncommittedReleases.mayConcern(this)) {
        inherit(UncommittedReleases.stripeOf(lock));
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
  final void catchUp() {
    for (int stripe = 0; stripe < UncommittedReleases.STRIPES; stripe++) {
      inherit(stripe);
    }
    if (depth == 0 && !before.isEmpty()) {
      expose();
    }
    missed = false;
  }

  @SuppressWarnings("ReferenceEquality") // locks
  final void observeLock(Object lock, Object key) {
    if (UncommittedReleases.mayConcern(this)) {
      inherit(UncommittedReleases.stripeOf(key));
      if (key != lock) { // it may have had another key, or none
        inherit(UncommittedReleases.stripeOf(lock));
        inherit(UncommittedReleases.stripeOf(LockKeys.UNPAIRED));
      }
    }
  }

  final void inherit(int stripe) {
    boolean found = false;
    for (UncommittedReleases.Node node = UncommittedReleases.at(stripe);
        node != null;
        node = node.next) {
      SectionRecord record = node.release.record;
      // Its own are what it is in, or in BEFORE already.
      if (record.owner.threadId() != threadId && record.take(node.release.number())) {
        stamp = Math.max(stamp, UncommittedReleases.stamp(stripe) + 1);
        dependOn(record);
        found = true;
      }
    }
    // RELEASES-3: also where this thread's own release stands for those that it depends on. Test:
    // OpenSectionsTest.releases3TheStampOfAStripeIsPassedOn.
    stamp = Math.max(stamp, UncommittedReleases.stamp(stripe) + 1);
    if (!found && ++fruitless % FRUITLESS == 0) {
      UncommittedReleases.coverTheDead();
    }
  }

  /// Whether {@link #publish} has anything to say.
  public boolean mayPublish() {
    return depth > 0 || !before.isEmpty() || missed;
  }

  /// The other end of {@link #observe}: what is open comes before all that is observed under this
  /// key from now on.
  public void publish(Object through) {
    if (depth > 0) {
      releaseOpenly(through);
    } else if (mayPublish()) {
      publishBefore(through);
      cover(); // all others look as long as it is exposed, and a pool's may be in no section
    }
  }

  final void publishBefore(Object lock) {
    List<SectionRecord> waiting = before();
    for (int i = 0; i < waiting.size(); i++) { // makes no object where there is nothing (GIVE-1)
      expose();
      UncommittedReleases.publish(
          UncommittedReleases.stripeOf(lock), waiting.get(i), stamp, waiting.get(i).dependencies);
    }
  }

  final void expose() {
    if (!exposed) {
      UncommittedReleases.expose(this);
      exposed = true; // once all others look
    }
  }

  /// The same for a release in the middle of a section.
  final void exposeOpenly() {
    expose();
    openly = true;
  }

  /// Between sections: says that nothing is open any more, if the last section has not just shown
  /// that this thread is one of those that make uncommitted releases.
  final void cover() {
    if (exposed) {
      if ((!openly || thread.isVirtual()) && before().isEmpty()) {
        exposed = false;
        UncommittedReleases.cover(this);
      }
      openly = false;
    }
  }

  /// After it was found that a thread has ended: depends on what that one has left open.
  public void join(Thread ended) {
    ExposedThread other = ended.isAlive() ? null : UncommittedReleases.exposed(ended);
    if (other != null) {
      joinExposed(other);
    }
  }

  private void joinExposed(ExposedThread other) {
    try {
      for (SectionRecord record : UncommittedReleases.leftBy(other)) {
        if (record.take(record.number)) {
          stamp = Math.max(stamp, other.stamp() + 1);
          dependOn(record);
        }
      }
      if (depth == 0 && !before.isEmpty()) {
        expose();
      }
    } catch (Throwable e) {
      for (SectionRegion each : SectionRegion.live) {
        RegionState state = each.state;
        state.over = state.over == null ? e : state.over; // LATCH-1, HOOKS-2
      }
    }
  }

  @Override
  public final long threadId() {
    return threadId;
  }

  /// A section has begun in a region.
  void activated() {
    active = true;
  }

  /// What everything later in this thread depends on.
  @Override
  public final List<SectionRecord> before() {
    if (carries || missed) {
      sift();
    }
    return before;
  }

  /// Whether there may be any.
  final boolean mayCarry() {
    return carries || missed;
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
  boolean isSettled(RegionState region) {
    for (SectionRecord record : before()) {
      if (record.region == region) {
        return false;
      }
    }
    return true;
  }
}
