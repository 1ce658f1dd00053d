package io.holdfast.core.section;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReferenceArray;

/// Who released what without being durable yet: Atlas's release table (4.2.3), reduced to open
/// releases.
///
/// A lock is known by the stripe that its identity hashes to. Locks that share a stripe share
/// dependencies: an unneeded one only delays durability, and the table needs no references that
/// keep a lock alive.
///
/// A stripe is a list of {@link OpenRelease}s, one for each thread and record that it released
/// there. Who releases openly where it did before stores a number, and that is all.
///
/// **RELEASES-1** An open release is left out of its list only when it is settled and its record is
/// retired, or its owner dead: until then it will be used again.
///
/// Only threads that are *exposed* have open releases. While there is no other one, the whole costs
/// an acquire one read. A thread is exposed from its first open release until it has ended a
/// section without one, or died, and nothing that it released is open any more.
///
/// Thread-safe.
final class OpenReleases {
  /// 2^10 stripes: 4 KiB of references; with 32 locks in open releases at once, the chance that a
  /// given other lock meets one of them is 3 %.
  private static final int STRIPES = 1 << 10;

  private static final AtomicReferenceArray<OpenRelease> TABLE =
      new AtomicReferenceArray<>(STRIPES);

  /// The exposed threads; guarded by itself.
  private static final Set<ThreadSections> EXPOSED = new HashSet<>();

  /// Threads that were started by exposed ones.
  private static final WeakIdentityMap<Boolean> STARTED = new WeakIdentityMap<>();

  /// So many of them, and it is time to look for the dead; guarded by the same.
  private static int crowd = 64;

  /// `null` if there is none, the thread if there is one, and EXPOSED if there are several.
  private static volatile Object exposed;

  /// A release by the section that has a record and a number, if that is not settled.
  static final class OpenRelease {
    private static final VarHandle NUMBER = number(MethodHandles.lookup());

    /// Who releases. One thread alone, so that the stamp never decreases.
    private final long by = Thread.currentThread().threadId();

    private long stamp;

    /// Stored with release: who acquires the lock sees it, and nobody else has to, so that no fence
    /// is needed.
    private volatile long number;

    private volatile SectionRecord record;
    private volatile OpenRelease next;

    private OpenRelease(SectionRecord record, long stamp) {
      set(record, stamp);
    }

    /// Publishes a section as well, if one of it and what is published implies the other.
    private boolean publish(SectionRecord added, long newStamp) {
      if (record.isImpliedBy(added)) {
        set(added, newStamp);
        return true;
      }
      if (added.isImpliedBy(record)) {
        set(record, newStamp);
        return true;
      }
      return false;
    }

    /// In this order: who reads a record then sees no older number, and no older stamp. A number
    /// that is too high for the record makes it seem unsettled, which does no harm.
    private void set(SectionRecord newRecord, long newStamp) {
      stamp = newStamp;
      // Orders the stamp before the number. Who acquires the lock has both in any case; who shares
      // the stripe could log with too low a stamp, and be undone too late. No test shows it.
      NUMBER.setRelease(this, newRecord.number);
      if (record != newRecord) {
        record = newRecord;
      }
    }

    private static VarHandle number(MethodHandles.Lookup lookup) {
      try {
        return lookup.findVarHandle(OpenRelease.class, "number", long.class);
      } catch (ReflectiveOperationException e) {
        throw new ExceptionInInitializerError(e);
      }
    }

    SectionRecord record() {
      return record;
    }

    /// The section's number. To be read after the record.
    long number() {
      return number;
    }

    /// Lamport's clock at the release, or later. To be read after the number.
    long stamp() {
      return stamp;
    }

    OpenRelease next() {
      return next;
    }

    private boolean isOver() {
      SectionRecord last = record;
      return (last.retired || !last.owner.isAlive()) && last.isSettled(number)
          || last.region.isOver();
    }

    /// The first behind this one that is not over; leaves out those between (RELEASES-1).
    ///
    /// Lists grow at their heads alone, so two threads at once can at worst put back what is over.
    private OpenRelease cleared() {
      OpenRelease following = next;
      while (following != null && following.isOver()) {
        following = following.next;
      }
      if (following != next) {
        next = following;
      }
      return following;
    }
  }

  static int stripeOf(Object lock) {
    int hash = System.identityHashCode(lock);
    return (hash ^ hash >>> 15) & (STRIPES - 1);
  }

  /// Whether there may be an open release of another thread. A lock that was acquired orders this
  /// read behind what its releaser did, so an open release of that lock is seen.
  static boolean mayConcern(ThreadSections thread) {
    Object who = exposed;
    return who != null && who != thread;
  }

  /// Whether no thread is exposed.
  static boolean isEmpty() {
    return exposed == null;
  }

  /// A thread is about to make an open release, and has not been exposed so far.
  static void expose(ThreadSections thread) {
    synchronized (EXPOSED) {
      EXPOSED.add(thread);
      tell();
      if (EXPOSED.size() >= crowd) {
        coverTheDead();
        crowd = Math.max(64, 2 * EXPOSED.size());
      }
    }
  }

  /// A thread was started by one that had something open, which was published under it.
  static void started(Thread thread) {
    STARTED.put(thread, true);
  }

  static boolean wasStarted(Thread thread) {
    return exposed != null && STARTED.get(thread) != null;
  }

  /// The sections of a thread that is exposed; `null` if it isn't.
  static ThreadSections exposed(Thread thread) {
    synchronized (EXPOSED) {
      for (ThreadSections each : EXPOSED) {
        if (each.isOf(thread)) {
          return each;
        }
      }
      return null;
    }
  }

  /// What a dead thread waits for. Others may look at the same, to see whether it is gone.
  static List<SectionRecord> leftBy(ThreadSections dead) {
    synchronized (EXPOSED) {
      return List.copyOf(dead.before());
    }
  }

  /// Nothing that a thread has released is open any more.
  static void cover(ThreadSections thread) {
    synchronized (EXPOSED) {
      EXPOSED.remove(thread);
      tell();
    }
  }

  /// Forgets the threads that died while they were exposed, unless they left something open.
  static void coverTheDead() {
    synchronized (EXPOSED) {
      EXPOSED.removeIf(ThreadSections::isGone);
      tell();
    }
  }

  private static void tell() {
    exposed =
        switch (EXPOSED.size()) {
          case 0 -> null;
          case 1 -> EXPOSED.iterator().next();
          default -> EXPOSED;
        };
  }

  /// The newest of the releases in a stripe, some of them over.
  static OpenRelease at(int stripe) {
    return TABLE.get(stripe);
  }

  /// Says that what follows an acquire of a stripe depends on the section that has a record now.
  static void publish(int stripe, SectionRecord record, long stamp) {
    long by = Thread.currentThread().threadId();
    for (OpenRelease release = TABLE.get(stripe); release != null; release = release.next) {
      if (release.by == by && release.publish(record, stamp)) {
        return;
      }
    }
    add(stripe, record, stamp);
  }

  private static void add(int stripe, SectionRecord record, long stamp) {
    OpenRelease added = new OpenRelease(record, stamp);
    OpenRelease head;
    do {
      head = TABLE.get(stripe);
      added.next = cleared(head);
    } while (!TABLE.compareAndSet(stripe, head, added));
  }

  /// Leaves out what is over (RELEASES-1).
  ///
  /// @return the first that stays
  private static OpenRelease cleared(OpenRelease head) {
    OpenRelease first = head;
    while (first != null && first.isOver()) {
      first = first.next;
    }
    for (OpenRelease release = first; release != null; ) {
      release = release.cleared();
    }
    return first;
  }

  /// Drops what nobody need depend on any more: after a region was closed, so that the table does
  /// not keep all that the region was.
  static void forgetSettled() {
    for (int stripe = 0; stripe < STRIPES; stripe++) {
      OpenRelease head = TABLE.get(stripe);
      OpenRelease rest = cleared(head);
      if (rest != head) {
        TABLE.compareAndSet(stripe, head, rest); // else somebody has just added one, and cleared
      }
    }
  }

  private OpenReleases() {}
}
