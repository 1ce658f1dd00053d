package io.holdfast;

import java.util.concurrent.locks.ReentrantLock;

/// A reentrant lock whose critical sections survive a crash whole or not at all.
///
/// ```java
/// private final Lock lock = new DurableLock();
///
/// lock.lock();
/// try {
///   bills.add("bill for " + orders.remove()); // both or neither
/// } finally {
///   lock.unlock();
/// }
/// ```
///
/// A *failure-atomic section* runs from a thread's first lock acquire to its last release, through
/// as many locks as it likes, in any order. The lock belongs to no store: the section is the
/// thread's, and concerns every store that it changes; one that changes several is atomic in each
/// of them by itself. `synchronized` under the agent, {@link Holdfast#atomically} and these locks
/// nest in each other.
///
/// Isolation is the lock's, atomicity is Holdfast's: as with any lock, other threads see what was
/// done under it once it is released, even if the section goes on under another lock. They then
/// depend on this section: what they do is durable only if it is (Atlas, property 2).
///
/// - The section ends before its last lock is given up: when `unlock` returns, what it did is
///   durable, unless it depends on a section that has not ended ({@link Holdfast#sync} waits for
///   that). If it can't be made durable, since the store has failed or was closed meanwhile,
///   `unlock` throws a {@link io.holdfast.core.HoldfastException} once the lock is given up, and a
///   wait throws one and does not wait. An exception that leaves it undoes nothing.
/// - Only giving up the last of several holds is a release. A `tryLock` that fails, an interrupted
///   acquire, and an `unlock` by a thread that does not hold the lock change nothing.
/// - Waiting on a condition gives the lock up. If it is the only one, the section ends there, and
///   another begins when the thread has the lock again, also if the wait is interrupted; else the
///   section goes on, and those who take the lock in between depend on it, and it on them.
/// - A thread that dies holding the lock leaves it locked, as with the JDK's. Its section never
///   ends: what it did, and what depends on that, is undone when the store is opened the next time.
///   A `sync` that waits for it says so.
///
/// Otherwise it is the JDK's {@link ReentrantLock}: fairness, interruption, memory effects.
///
/// Thread-safe, for platform and virtual threads alike.
public final class DurableLock extends DelimitingLock {
  private final ReentrantLock lock;

  /// A lock that is not fair.
  public DurableLock() {
    this(false);
  }

  /// @param fair whether the thread that has waited longest comes next
  public DurableLock(boolean fair) {
    this(new ReentrantLock(fair));
  }

  private DurableLock(ReentrantLock lock) {
    super(lock);
    this.lock = lock;
  }

  @Override
  int holds() {
    return lock.getHoldCount();
  }
}
