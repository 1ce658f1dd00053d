package io.holdfast.core.section.commit;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/// A thread's wait until a section is durable, and whether it can end.
///
/// **WAIT-1** No wait closes a circle. The thread is in no section itself, so nobody waits for its
/// sections; but it may hold monitors and locks, of which Holdfast knows nothing. So it looks,
/// after 10 ms, 20, 40 and so on up to a second, along a chain: the thread whose open section it
/// waits for, the owner of the lock that this one is blocked on, and so on, also over threads in
/// such waits and in those for locks of collections ({@link #waitsFor}). A chain that leads back is
/// a circle. Test: DurableWaitTest.wait1ACircle.
///
/// **WAIT-2** Who waits for a latch, a future or a reply can't be seen. So a wait is given up if
/// the thread at the chain's end does nothing but wait at every look for as long as the limit says.
/// One that works is waited for: its section ends when the work does. Test:
/// DurableWaitTest.wait2AThreadThatOnlyWaits.
///
/// Confined to its thread, but for whom it waits for.
public final class DurableWait {
  private static final long FIRST_NANOS = 10_000_000;

  /// A second: thousands of threads that wait would else do nothing but look.
  private static final long LONGEST_NANOS = 1_000_000_000;

  /// By the ids of their threads, whom those wait for that take longer than the first look, or for
  /// a lock of a collection's.
  private static final Map<Long, Supplier<Thread>> WAITS = new ConcurrentHashMap<>();

  private final long me = Thread.currentThread().threadId();
  private final Supplier<Thread> blocker;
  private final long limitNanos;
  private long interval = FIRST_NANOS;
  private long nextLook = System.nanoTime() + interval;
  private Link last;
  private long since;
  private boolean isCircle;

  /// @param blocker the thread whose open section is waited for; `null` if none is known
  /// @param limitNanos see WAIT-2; for ever if it is `Long.MAX_VALUE`
  DurableWait(Supplier<Thread> blocker, long limitNanos) {
    this.blocker = blocker;
    this.limitNanos = limitNanos;
  }

  /// Says whom the calling thread waits for, which the JVM does not tell of a wait that has a time.
  ///
  /// @param other gives `null` if that is not known
  public static void waitsFor(Supplier<Thread> other) {
    WAITS.put(Thread.currentThread().threadId(), other);
  }

  /// The calling thread does not wait any more.
  public static void waitsNoMore() {
    WAITS.remove(Thread.currentThread().threadId());
  }

  /// The end of a chain.
  ///
  /// @param cpuNanos what the thread has used of a processor; less than 0 if that is not known
  private record Link(long id, Thread.State state, long cpuNanos) {
    /// A thread that is waiting in the system, for a socket say, is runnable to the JVM.
    boolean hasOnlyWaitedSince(Link before) {
      return before != null
          && before.id == id
          && (state != Thread.State.RUNNABLE || cpuNanos >= 0 && cpuNanos == before.cpuNanos);
    }
  }

  /// Looks, if it is time.
  ///
  /// @return the thread that it would wait for in vain; `null` as a rule
  Thread look() {
    long now = System.nanoTime();
    if (now - nextLook < 0) {
      return null;
    }
    interval = Math.min(2 * interval, LONGEST_NANOS);
    nextLook = now + interval;
    WAITS.put(me, blocker);
    Thread waitedFor = blocker.get();
    return waitedFor == null || !isInVain(waitedFor, now) ? null : waitedFor;
  }

  private boolean isInVain(Thread waitedFor, long now) {
    Link end = endOf(waitedFor);
    if (end.id == me
        && endOf(waitedFor).id == me) { // twice: the chain changes while it is followed
      isCircle = true;
      return true;
    }
    if (!end.hasOnlyWaitedSince(last)) {
      since = now;
    }
    last = end;
    return now - since >= limitNanos;
  }

  /// Whether what was found is a circle; else it has only taken too long.
  boolean isCircle() {
    return isCircle;
  }

  /// Milliseconds until the next look.
  long millis() {
    return Math.max(1, TimeUnit.NANOSECONDS.toMillis(nextLook - System.nanoTime()));
  }

  void end() {
    WAITS.remove(me);
  }

  private Link endOf(Thread first) {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    Set<Long> seen = new HashSet<>();
    Thread thread = first; // null if only its id is known
    long id = first.threadId();
    while (id != me && seen.add(id)) {
      Supplier<Thread> wait = WAITS.get(id);
      Thread next = wait == null ? null : wait.get();
      if (next != null) {
        thread = next;
        id = next.threadId();
        continue;
      }
      ThreadInfo info = threads.getThreadInfo(id);
      if (info == null) { // virtual, or dead
        return new Link(id, thread == null ? Thread.State.TERMINATED : thread.getState(), -1);
      }
      // What waits for a time gives up by itself.
      boolean isTimed = info.getThreadState() == Thread.State.TIMED_WAITING;
      long owner = isTimed ? -1 : info.getLockOwnerId();
      if (owner < 0) {
        return new Link(id, info.getThreadState(), cpuNanos(threads, id));
      }
      thread = null;
      id = owner;
    }
    return new Link(id, Thread.State.BLOCKED, -1);
  }

  private static long cpuNanos(ThreadMXBean threads, long id) {
    boolean isKnown = threads.isThreadCpuTimeSupported() && threads.isThreadCpuTimeEnabled();
    return isKnown ? threads.getThreadCpuTime(id) : -1;
  }
}
