package io.holdfast.core.section.commit;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;

/// Which thread released what without being durable yet: Atlas's release table (4.2.3), reduced to
/// uncommitted releases.
///
/// A lock is known by the stripe that its identity hashes to. Locks that share a stripe share
/// dependencies: an unneeded one only delays durability, and the table needs no references that
/// keep a lock alive.
///
/// A stripe is an immutable list of {@link UncommittedRelease}s, one for each record. A section
/// that releases openly where its record stands already stores a number, and that is all.
///
/// **RELEASES-1** A release is left out of a list only if one of these holds:
///
/// - It is over: settled, and its record retired or its owner dead. Until then it will be used
///   again.
/// - The section that is added in the same step depends on it.
///
/// **RELEASES-2** A reader of a list depends on all sections that released in the stripe before,
/// although the list names only some of them: each one that is left out is a dependency of one that
/// was added, which is durable only if that dependency is. So a lock that passes through n open
/// sections has a list of one, and n dependencies in all, not n²/2.
///
/// Nothing is lost when a section is left out whose thread stores a number there at that moment: a
/// section that others depend on has its record taken, so the record stands for that section alone
/// (RECORD-1), and the number is the one that is depended on. Only its stamp could be newer, and
/// stamps are the stripe's (RELEASES-3).
///
/// A reader goes through the list that it found, which nobody changes. So it never passes a new
/// head and then misses what that head has replaced.
///
/// **RELEASES-3** The stamp of a stripe is raised before a number is stored or a release added. A
/// reader reads it after the number, and so has a higher stamp than all who released there.
///
/// Only threads that are *exposed* have uncommitted releases. While there is no other one, the
/// whole costs an acquire one read. A thread is exposed from its first uncommitted release until it
/// has ended a section without one, or died, and nothing that it released is open any more.
///
/// Thread-safe.
public final class UncommittedReleases {
  /// 2^10 stripes: 4 KiB of references; with 32 locks in uncommitted releases at once, the chance
  /// that a given other lock meets one of them is 3 %.
  public static final int STRIPES = 1 << 10;

  private static final AtomicReferenceArray<Node> TABLE = new AtomicReferenceArray<>(STRIPES);

  /// Lamport's clock at the stripe's last release, or later: the highest of all.
  private static final AtomicLongArray STAMPS = new AtomicLongArray(STRIPES);

  /// The exposed threads by their ids; guarded by itself. Linked, since the first of a crowd's
  /// table that is all but empty is found at once.
  private static final Map<Long, ExposedThread> EXPOSED = new LinkedHashMap<>();

  /// Threads that were started by exposed ones.
  private static final WeakIdentityMap<Boolean> STARTED = new WeakIdentityMap<>();

  /// So many of them, and it is time to look for the dead; guarded by the same.
  private static int crowd = 64;

  /// `null` if there is none, the thread if there is one, and EXPOSED if there are several.
  private static volatile Object exposed;

  /// A place in a stripe's list.
  public static final class Node {
    public final UncommittedRelease release;
    public final Node next;

    private Node(UncommittedRelease release, Node next) {
      this.release = release;
      this.next = next;
    }
  }

  /// A release by the section that has a record and a number, if that is not settled.
  public static final class UncommittedRelease {
    private static final VarHandle NUMBER = number(MethodHandles.lookup());

    public final SectionRecord record;

    /// Stored with release: a thread that acquires the lock sees it, and no other has to, so that
    /// no fence is needed.
    private volatile long number;

    private UncommittedRelease(SectionRecord record) {
      this.record = record;
      number = record.number;
    }

    private void publish() {
      // Orders the stamp before the number (RELEASES-3). A thread that acquires the lock has both
      // in any case; one that shares the stripe could log with too low a stamp, and be undone too
      // late. No test shows it.
      NUMBER.setRelease(this, record.number);
    }

    private static VarHandle number(MethodHandles.Lookup lookup) {
      try {
        return lookup.findVarHandle(UncommittedRelease.class, "number", long.class);
      } catch (ReflectiveOperationException e) {
        throw new ExceptionInInitializerError(e);
      }
    }

    /// The section's number.
    public long number() {
      return number;
    }

    private boolean isOver() {
      return (record.retired || !record.owner.isAlive()) && record.isSettled(number)
          || record.region.isOver();
    }
  }

  public static int stripeOf(Object lock) {
    int hash = System.identityHashCode(lock);
    return (hash ^ hash >>> 15) & (STRIPES - 1);
  }

  /// Whether there may be an uncommitted release of another thread. A lock that was acquired orders
  /// this read after what its releaser did, so an uncommitted release of that lock is seen.
  @SuppressWarnings("ReferenceEquality") // threads
  public static boolean mayConcern(ExposedThread thread) {
    Object who = exposed;
    return who != null && who != thread;
  }

  /// Whether no thread is exposed.
  public static boolean isEmpty() {
    return exposed == null;
  }

  /// A thread is about to make an uncommitted release, and has not been exposed so far.
  public static void expose(ExposedThread thread) {
    synchronized (EXPOSED) {
      EXPOSED.put(thread.threadId(), thread);
      tell();
      if (EXPOSED.size() >= crowd) {
        coverTheDead();
        crowd = Math.max(64, 2 * EXPOSED.size());
      }
    }
  }

  /// A thread was started by one that had something open, which was published under it.
  public static void started(Thread thread) {
    STARTED.put(thread, true);
  }

  public static boolean wasStarted(Thread thread) {
    return exposed != null && STARTED.get(thread) != null;
  }

  /// The sections of a thread that is exposed; `null` if it isn't.
  public static ExposedThread exposed(Thread thread) {
    synchronized (EXPOSED) {
      return EXPOSED.get(thread.threadId());
    }
  }

  /// What a dead thread waits for. Others may look at the same, to see whether it is gone.
  public static List<SectionRecord> leftBy(ExposedThread dead) {
    synchronized (EXPOSED) {
      return List.copyOf(dead.before());
    }
  }

  /// Nothing that a thread has released is open any more.
  public static void cover(ExposedThread thread) {
    synchronized (EXPOSED) {
      EXPOSED.remove(thread.threadId());
      tell();
    }
  }

  /// Forgets the threads that died while they were exposed, unless they left something open.
  public static void coverTheDead() {
    synchronized (EXPOSED) {
      EXPOSED.values().removeIf(ExposedThread::isGone);
      tell();
    }
  }

  private static void tell() {
    exposed =
        switch (EXPOSED.size()) {
          case 0 -> null;
          case 1 -> EXPOSED.values().iterator().next();
          default -> EXPOSED;
        };
  }

  /// The releases in a stripe, some of them over.
  public static Node at(int stripe) {
    return TABLE.get(stripe);
  }

  /// At least Lamport's clock at a release whose number was read before (RELEASES-3).
  public static long stamp(int stripe) {
    return STAMPS.get(stripe);
  }

  /// Says that what follows an acquire of a stripe depends on the section that has a record now.
  ///
  /// @param dependencies of that section, as far as they are known
  public static void publish(
      int stripe, SectionRecord record, long stamp, List<SectionRecord> dependencies) {
    raise(stripe, stamp); // RELEASES-3
    for (Node node = TABLE.get(stripe); node != null; node = node.next) {
      if (node.release.record == record) {
        node.release.publish();
        return;
      }
    }
    UncommittedRelease added = new UncommittedRelease(record);
    Node head;
    do {
      head = TABLE.get(stripe);
    } while (!TABLE.compareAndSet(stripe, head, new Node(added, rest(head, record, dependencies))));
  }

  private static void raise(int stripe, long stamp) {
    long before = STAMPS.get(stripe);
    while (before < stamp && !STAMPS.compareAndSet(stripe, before, stamp)) {
      before = STAMPS.get(stripe);
    }
  }

  /// What has to stay of a list behind a section that is added (RELEASES-1). Shares with the list
  /// what is behind the last one that is left out.
  private static Node rest(Node head, SectionRecord added, List<SectionRecord> dependencies) {
    Node last = null;
    for (Node node = head; node != null; node = node.next) {
      if (isNeedless(node.release, added, dependencies)) {
        last = node;
      }
    }
    if (last == null) {
      return head;
    }
    Node rest = last.next;
    for (Node node = head; node != last; node = node.next) {
      if (!isNeedless(node.release, added, dependencies)) {
        rest = new Node(node.release, rest);
      }
    }
    return rest;
  }

  private static boolean isNeedless(
      UncommittedRelease release, SectionRecord added, List<SectionRecord> dependencies) {
    if (release.isOver() || added != null && release.record.isImpliedBy(added)) {
      return true;
    }
    for (int i = 0; i < dependencies.size(); i++) {
      // RELEASES-2. Test: DependencyCrashTest.releases2AChainOfOpenSections.
      if (release.record.isImpliedBy(dependencies.get(i))) {
        return true;
      }
    }
    return false;
  }

  /// Drops what nobody need depend on any more: after a region was closed, so that the table does
  /// not keep all that the region was.
  public static void forgetSettled() {
    for (int stripe = 0; stripe < STRIPES; stripe++) {
      Node head = TABLE.get(stripe);
      Node rest = rest(head, null, List.of());
      if (rest != head) {
        TABLE.compareAndSet(
            stripe, head, rest); // else one was just added, and the others looked at
      }
    }
  }

  private UncommittedReleases() {}
}
