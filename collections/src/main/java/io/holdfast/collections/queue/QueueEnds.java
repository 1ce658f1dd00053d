package io.holdfast.collections.queue;

import io.holdfast.codec.EncodedOutput;
import io.holdfast.core.RootDeletedException;
import io.holdfast.core.region.Region;
import io.holdfast.core.section.Section;
import io.holdfast.core.section.SectionLock;
import io.holdfast.core.section.VolatileState;
import io.holdfast.core.section.hooks.SectionHooks;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;

/// A queue's two ends in memory: a lock, a counter and a condition each. The put lock guards the
/// tail, the take lock the head, as in Michael and Scott's two-lock queue (PODC 1996), which is
/// also Atlas's first benchmark (6.4.1). The counters say how many elements were ever published,
/// and how many are gone. Each end reads the other's counter.
///
/// **QUEUE-4** A counter is stored after the end of the section that it speaks of (or after its
/// uncommitted release) and before the lock is given up; a thread that has read the other end's
/// counter looks for uncommitted releases before it changes anything. So a taker depends on the
/// section that added its element, as long as that is not durable, though they share no lock.
///
/// **QUEUE-5** If a section is rolled back, the counters go back to what they were (and after them
/// the number of rollbacks goes up). A thread that has seen a counter and then made sure of the
/// section that stored it looks whether there was a rollback in between, and if so looks again:
/// else it could rely on an element that is gone. Test: QueueRollbackTest.
///
/// **QUEUE-6** What a section or a transaction has held back is seen whole. Its end first marks the
/// counters that are about to change, then gives up the locks of its collections one by one. A
/// thread that reads a marked counter waits until it is stored. Test:
/// TransactionQueueTest.queue6WhatATransactionDidIsSeenWhole.
///
/// A thread that has to wait does so on a condition of the *other* end's lock, where the thread
/// that changes the counter finds it without a further lock or fence.
///
/// Thread-safe.
public final class QueueEnds<E> {
  private static final VarHandle PUBLISHED = counter("published");
  private static final VarHandle GONE = counter("gone");

  /// How long a thread waits before it looks whether there is who it waits for.
  private static final long LOOK_NANOS = 1_000_000_000;

  private final Region region;
  private final QueueChain<E> chain;
  private final int capacity;

  /// Stands for the queue in dependencies: for both locks, since each end sees what the other does.
  private final Object key = new Object();

  private final SectionLock putLock;
  private final SectionLock takeLock;

  /// Whether the queue is in the store no more; stored under both locks.
  private volatile boolean deleted;

  /// How many elements were ever added; stored under the put lock.
  private volatile long published;

  /// How many elements are gone; stored under the take lock.
  private volatile long gone;

  /// Whether {@link #published} is about to change; stored under the put lock.
  private volatile boolean isPublishing;

  /// Whether {@link #gone} is about to change; stored under the take lock.
  private volatile boolean isLeaving;

  /// Elements that open sections and transactions have taken.
  private final QueueClaims<E> claims;

  /// Places that these have for what they will add. It grows under the put lock.
  private final AtomicInteger reserved = new AtomicInteger();

  /// Whose end lets go of the put lock; guarded by it.
  private QueueOverlay<E> puts;

  /// Whose end lets go of the take lock; guarded by it.
  private QueueOverlay<E> takes;

  /// How many elements the thread that has the put lock has added.
  private int added;

  /// How many elements the thread that has the take lock has taken.
  private int taken;

  /// Threads that wait for an element. The condition and the count are the put lock's.
  private final Condition hasElement;

  private int waitingForElement;

  /// Threads that wait for a place. The condition and the count are the take lock's.
  private final Condition hasPlace;

  private int waitingForPlace;

  /// What adding changes in memory.
  private final VolatileState putSide =
      new VolatileState() {
        private long saved;

        @Override
        public void save() {
          chain.tail().save();
          saved = published;
        }

        @Override
        public void restore() {
          chain.tail().restore();
          published = saved;
          rolledBack();
        }
      };

  /// What taking changes in memory.
  private final VolatileState takeSide =
      new VolatileState() {
        private long saved;

        @Override
        public void save() {
          chain.head().save();
          saved = gone;
        }

        @Override
        public void restore() {
          chain.head().restore();
          gone = saved;
          rolledBack();
        }
      };

  public QueueEnds(Region region, QueueChain<E> chain, int capacity) {
    this.region = region;
    this.chain = chain;
    this.capacity = capacity;
    this.published = chain.sizeAtOpening();
    this.claims = new QueueClaims<>(chain);
    this.putLock = new SectionLock(region.sections(), key, this::admitPut);
    this.takeLock = new SectionLock(region.sections(), key, this::admitTake);
    this.hasElement = putLock.waiting().newCondition();
    this.hasPlace = takeLock.waiting().newCondition();
  }

  private static VarHandle counter(String name) {
    try {
      return MethodHandles.lookup().findVarHandle(QueueEnds.class, name, long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private void rolledBack() {
    chain.rolledBack(); // QUEUE-5: after the counter
    // Elements or places are there again that others have stopped to wait for. Their locks may be
    // held by who waits for this rollback, so not here.
    Thread.ofVirtual().name("holdfast-rollback").start(this::wakeAll);
  }

  /// @throws RootDeletedException if the queue was deleted
  public void checkUsable() {
    region.sections().checkUsable();
    if (deleted) {
      throw new RootDeletedException(
          "%s: the queue was deleted, or the section that created it was rolled back. Open or create it anew by its name"
              .formatted(region.memory().name()));
    }
  }

  // How long it is

  /// The calling thread depends on the sections that made it so.
  public long size() {
    checkUsable();
    int rollbacks;
    long size;
    do {
      rollbacks = chain.rollbacks();
      size = count();
      // QUEUE-4: a thread that has seen how long the queue is, or that it is empty, depends on the
      // sections that made it so. Test: PersistentQueueDependencyTest.p2WhatIsSeenIsDependedOn.
      SectionHooks.observed(key);
    } while (rollbacks != chain.rollbacks()); // QUEUE-5
    return size;
  }

  /// The same, in a section. QUEUE-4, QUEUE-5.
  public long size(Section section) {
    int rollbacks;
    long size;
    do {
      rollbacks = chain.rollbacks();
      size = count();
      section.observe(key);
    } while (rollbacks != chain.rollbacks());
    return size;
  }

  private long count() {
    long before;
    long count;
    do {
      before = gone();
      count = published() - before;
    } while (gone() != before); // it is of one moment
    return count;
  }

  /// About so many, depending on nobody and waiting for nobody.
  public long knownSize() {
    // The smaller counter first: the other only grows meanwhile, so the difference is never
    // negative.
    long before = gone;
    return published - before;
  }

  long published() {
    if (isPublishing) {
      await(() -> !isPublishing, putLock);
    }
    return published;
  }

  long gone() {
    if (isLeaving) {
      await(() -> !isLeaving, takeLock);
    }
    return gone;
  }

  /// Does not lock: the thread may have the other lock, and these have an order.
  private static void await(BooleanSupplier isStored, SectionLock lock) {
    long look = System.nanoTime() + LOOK_NANOS;
    while (!isStored.getAsBoolean()) {
      LockSupport.parkNanos(1_000);
      if (System.nanoTime() - look > 0) {
        lock.checkOwner();
        look = System.nanoTime() + LOOK_NANOS;
      }
    }
  }

  /// Elements that came and went since the queue was opened.
  public long changes() {
    return published + gone;
  }

  /// Whether there is no place. Takes no lock.
  public boolean isFull() {
    return capacity != Integer.MAX_VALUE && !hasPlace() && size() + reserved.get() >= capacity;
  }

  private boolean hasPlace() {
    return count() + reserved.get() < capacity;
  }

  /// Whether there may be an element that nobody has claimed.
  private boolean hasUnclaimed() {
    return count() - claims.count() > 0;
  }

  /// How many elements there are that nobody has claimed, and that the thread which has the take
  /// lock has not removed.
  private long unclaimed() {
    int rollbacks;
    long count;
    do {
      rollbacks = chain.rollbacks();
      count = count() - taken - claims.count();
      SectionHooks.observed(key); // QUEUE-4
    } while (rollbacks != chain.rollbacks()); // QUEUE-5
    return count;
  }

  /// Whether there is no element. Takes no lock.
  public boolean isEmpty() {
    return count() == 0 && size() == 0;
  }

  // Adding

  /// @return `null`, and nothing is locked, if the thread holds changes back
  public Section lockPut() {
    return putLock.lockUnlessHoldingBack();
  }

  /// Of a thread that may hold changes back, for a change in place.
  public Section lockPutInPlace() {
    return putLock.lock();
  }

  /// Under the put lock.
  public boolean hasRoom(Section section) {
    return capacity == Integer.MAX_VALUE || size(section) + reserved.get() < capacity;
  }

  /// Under the put lock.
  public void add(Section section, EncodedOutput bytes) {
    try {
      chain.tail().add(section, bytes, putSide);
      added++;
    } catch (VirtualMachineError e) {
      section.breakOff(e);
      throw e;
    }
  }

  /// Ends the section and gives up the put lock.
  public void endPut(Section section) {
    int done = 0;
    try {
      // Of several elements some may have been added before the section was rolled back.
      done = added > 0 && section.isUndone() ? 0 : added;
      putLock.endSection(section);
      if (done > 0) {
        // QUEUE-4: after the section's end. A taker that saw the element earlier could be durable
        // without the section that added it.
        // Test: PersistentQueueDependencyTest.queue4NothingIsSeenBeforeItsSectionEnds.
        publish(done);
      }
    } catch (VirtualMachineError e) {
      section.breakOff(e); // the counter could be wrong
      throw e;
    } finally {
      added = 0;
      putLock.unlock(); // a fault can be thrown late (FAULT-1)
    }
    if (done > 0) {
      region.sections().changed();
      region.sections().checkCommitted();
    }
  }

  private void publish(int done) {
    PUBLISHED.setRelease(this, published + done);
    if (waitingForElement > 0) {
      if (done == 1) {
        hasElement.signal();
      } else {
        hasElement.signalAll();
      }
    }
  }

  /// Waits for a place; outside of the sections, with nothing but the take lock.
  ///
  /// @return the nanoseconds that are left
  public long awaitPlace(long nanos) throws InterruptedException {
    takeLock.waiting().lockInterruptibly();
    waitingForPlace++;
    try {
      long left = nanos;
      while (!hasPlace() && left > 0) {
        checkUsable();
        left = hasPlace.awaitNanos(left);
      }
      return left;
    } finally {
      waitingForPlace--;
      takeLock.waiting().unlock();
    }
  }

  // Taking

  /// @return `null`, and nothing is locked, if the thread holds changes back
  public Section lockTake() {
    return takeLock.lockUnlessHoldingBack();
  }

  /// Of a thread that may hold changes back, for a change in place.
  public Section lockTakeInPlace() {
    return takeLock.lock();
  }

  /// Runs something under the take lock, in a section.
  public <R> R underTake(Function<Section, R> action) {
    Section section = lockTakeInPlace();
    try {
      checkUsable();
      return region.sections().guarded(() -> action.apply(section));
    } finally {
      endTake(section);
    }
  }

  /// Decodes the first element that nobody has claimed; under the take lock.
  ///
  /// @return `null` if there is none
  public E first(Section section) {
    boolean isClaimed = claims.count() > 0;
    if (size(section) - taken - (isClaimed ? claims.count() : 0) <= 0) {
      return null;
    }
    return isClaimed ? claims.first() : chain.head().first();
  }

  /// The same without a section: to look is no release.
  public E peek() {
    holdTake();
    try {
      checkUsable();
      if (unclaimed() <= 0) {
        return null;
      }
      return claims.count() > 0 ? claims.first() : chain.head().first();
    } finally {
      unlockTake();
    }
  }

  /// Takes what {@link #first} has found; under the take lock.
  public void removeFirst(Section section) {
    try {
      if (claims.count() > 0) {
        claims.removeFirst(section, takeSide);
      } else {
        chain.head().removeFirst(section, takeSide);
      }
      taken++;
    } catch (VirtualMachineError e) {
      section.breakOff(e);
      throw e;
    }
  }

  /// Ends the section and gives up the take lock.
  public void endTake(Section section) {
    int done = 0;
    try {
      // Of several elements some may have been taken before the section was rolled back.
      done = taken > 0 && section.isUndone() ? 0 : taken;
      takeLock.endSection(section);
      if (done > 0) {
        leave(done);
      }
    } catch (VirtualMachineError e) {
      section.breakOff(e); // the counter could be wrong
      throw e;
    } finally {
      taken = 0;
      takeLock.unlock();
    }
    if (done > 0) {
      region.sections().changed();
      region.sections().checkCommitted();
    }
  }

  private void leave(int done) {
    GONE.setRelease(this, gone + done); // QUEUE-4
    if (waitingForPlace > 0) {
      hasPlace.signalAll();
    }
  }

  /// Waits for an element; outside of the sections, with nothing but the put lock.
  ///
  /// @return the nanoseconds that are left
  public long awaitElement(long nanos) throws InterruptedException {
    putLock.waiting().lockInterruptibly();
    waitingForElement++;
    try {
      long left = nanos;
      while (!hasUnclaimed() && left > 0) {
        checkUsable();
        left = hasElement.awaitNanos(left);
      }
      return left;
    } finally {
      waitingForElement--;
      putLock.waiting().unlock();
    }
  }

  // Both ends

  /// Runs something under both locks, in one section.
  public <R> R underBoth(Function<Section, R> action) {
    Section section = lockBoth();
    try {
      return region.sections().guarded(() -> action.apply(section));
    } finally {
      unlockBoth(section);
    }
  }

  /// Runs something under both locks that changes nothing, so that it is no release.
  public <R> R reading(Supplier<R> action) {
    holdPut();
    try {
      holdTake();
      try {
        checkUsable();
        return region.sections().guarded(action);
      } finally {
        takeLock.unlock();
      }
    } finally {
      putLock.unlock();
    }
  }

  private Section lockBoth() {
    checkUsable();
    putLock.take(); // one section is enough for both: they share their key
    Section section;
    try {
      section = takeLock.lock();
    } catch (Throwable e) {
      putLock.unlock(); // LOCK-4
      throw e;
    }
    if (deleted) { // while this thread waited for the locks
      unlockBoth(section);
      checkUsable();
    }
    return section;
  }

  private void unlockBoth(Section section) {
    try {
      endTake(section);
    } finally {
      putLock.unlock();
    }
  }

  /// Removes an element, under both locks.
  ///
  /// @return false if it is gone already, or claimed
  public boolean remove(Section section, QueueWalk.Place place) {
    boolean isThere = place.isOccupied(chain.head()) && !isClaimed(place.number());
    if (isThere) {
      try {
        chain.head().remove(section, place, takeSide);
        taken++;
      } catch (VirtualMachineError e) {
        section.breakOff(e);
        throw e;
      }
    }
    return isThere;
  }

  /// Whether an open section or a transaction has taken an element. Under the take lock.
  boolean isClaimed(long number) {
    return claims.owner(number) != null;
  }

  /// Goes on to the next element that nobody has claimed; under both locks.
  ///
  /// @return whether there is one
  public boolean advance(QueueWalk<E> walk) {
    boolean isThere = walk.advance();
    while (isThere && isClaimed(walk.number())) {
      isThere = walk.advance();
    }
    return isThere;
  }

  // For what is held back

  void holdPut() {
    putLock.hold();
  }

  void unlockPut() {
    putLock.unlock();
  }

  void holdTake() {
    takeLock.hold();
  }

  void unlockTake() {
    takeLock.unlock();
  }

  boolean isDeleted() {
    return deleted;
  }

  QueueChain<E> chain() {
    return chain;
  }

  /// Guarded by the take lock.
  QueueClaims<E> claims() {
    return claims;
  }

  boolean isBounded() {
    return capacity != Integer.MAX_VALUE;
  }

  int reserved() {
    return reserved.get();
  }

  /// Reserves a place, under the put lock.
  boolean reserve() {
    boolean isPlace = size() + reserved.get() < capacity;
    if (isPlace) {
      reserved.incrementAndGet();
    }
    return isPlace;
  }

  /// Claims and decodes the first element that nobody has claimed; under the take lock. One that
  /// can't be decoded is not claimed.
  ///
  /// @return `null` if there is none
  E claimFirst(HeldClaims owner) {
    if (unclaimed() <= 0) {
      return null;
    }
    E first = claims.first();
    claims.claimFirst(owner);
    return first;
  }

  /// The number of the first element that nobody has claimed; under the take lock.
  ///
  /// @return -1 if there is none
  long firstUnclaimed() {
    return unclaimed() <= 0 ? -1 : claims.firstNumber();
  }

  /// Removes those of claimed elements that are taken, in a section, under the take lock.
  ///
  /// @param claimed in their order
  void storeTaken(Section section, List<QueueClaim> claimed) {
    try {
      section.enlist(takeSide); // begins it: several stores, so none is all that it does
      for (QueueClaim claim : claimed) {
        if (claim.takenAs > 0) {
          claims.remove(section, claim.at, claim.number, takeSide);
        }
      }
    } catch (VirtualMachineError e) {
      section.breakOff(e);
      throw e;
    }
  }

  /// Adds elements in a section, under the put lock.
  void storeOffers(Section section, Iterable<QueueOffer> offers) {
    try {
      section.enlist(putSide);
      for (QueueOffer offer : offers) {
        offer.number = chain.tail().nextNumber();
        chain.tail().add(section, offer.bytes, offer.bytes.length, putSide);
        offer.word = chain.tail().newest(offer.bytes.length);
      }
    } catch (VirtualMachineError e) {
      section.breakOff(e);
      throw e;
    }
  }

  /// Marks the counters that are about to change (QUEUE-6).
  ///
  /// @param take whether elements were removed, under the take lock
  /// @param put whether elements were added, under the put lock
  void letGoSoon(boolean take, boolean put) {
    if (take) {
      isLeaving = true;
    }
    if (put) {
      isPublishing = true;
    }
  }

  /// Gives up the take lock after the end of an overlay's section. Who reads the counter finds what
  /// the section waits for (QUEUE-4).
  void letGoTake(QueueOverlay<E> overlay) {
    takes = overlay;
    takeLock.letGo();
    region.sections().changed();
  }

  private void admitTake() {
    leave(takes.dropTaken()); // the counter last: a thread that waits must not see too few
    isLeaving = false;
    takes = null;
  }

  /// Gives up the put lock after the end of an overlay's section, as above.
  void letGoPut(QueueOverlay<E> overlay) {
    puts = overlay;
    putLock.letGo();
    region.sections().changed();
  }

  private void admitPut() {
    puts.freePlaces(); // before the counter: as in admitTake
    publish(puts.pending());
    isPublishing = false;
    puts = null;
  }

  /// Places that were reserved are not so any more.
  void free(int places) {
    reserved.addAndGet(-places);
  }

  /// Removes claimed elements that are taken, and says so, in the middle of a section.
  ///
  /// @param claimed in their order
  void storeTakenOpenly(List<QueueClaim> claimed) {
    Section section = lockTakeInPlace();
    try {
      for (QueueClaim claim : claimed) {
        if (claim.takenAs > 0) {
          if (!deleted) {
            storeTaken(section, List.of(claim));
            taken++;
          }
          claim.takenAs = QueueClaim.STORED;
          claims.drop(claim);
        }
      }
    } catch (VirtualMachineError e) {
      section.breakOff(e); // or one could be stored again
      throw e;
    } finally {
      endTake(section);
    }
  }

  /// Adds elements and says so, in the middle of a section.
  ///
  /// @param offers of the overlay, left with those that are not stored
  void storeOffersOpenly(QueueOverlay<E> overlay, Collection<QueueOffer> offers) {
    Section section = lockPutInPlace();
    try {
      for (Iterator<QueueOffer> each = offers.iterator(); each.hasNext(); ) {
        QueueOffer offer = each.next();
        if (!deleted) {
          storeOffers(section, List.of(offer));
          added++;
        }
        each.remove();
      }
    } catch (VirtualMachineError e) {
      section.breakOff(e); // as above
      throw e;
    } finally {
      overlay.freePlaces();
      endPut(section);
    }
  }

  /// Gives back what an overlay has claimed, and wakes those who wait for it; a second time there
  /// is nothing. Takes the locks, one after the other.
  ///
  /// **GIVE-1** To give up a claim or a lock makes no object: what that needs was made before there
  /// was anything to give up. So what fails for want of memory leaves nothing claimed or locked.
  /// Test: FailuresTest.give1NothingStaysClaimed.
  ///
  /// @param isAll or only what it has not taken
  void giveBack(QueueOverlay<E> overlay, boolean isAll) {
    if (takeLock.takeUnlessLost()) {
      try {
        overlay.giveUp(isAll);
      } finally {
        takeLock.unlock();
      }
      wakeAll();
      region.sections().changed();
    }
  }

  /// Gives all back later: the calling thread may hold locks.
  void giveBackLater(QueueOverlay<E> overlay) {
    Thread.ofVirtual().name("holdfast-rollback").start(() -> giveBack(overlay, true));
  }

  /// Says that the queue is not there, or there again: its section was rolled back.
  public void deleted(boolean isDeleted) {
    deleted = isDeleted;
  }

  /// Deletes the queue's root while nobody is in the queue.
  ///
  /// @param deletion in a section of its own, or the calling thread's
  /// @return what it returns
  public boolean delete(BooleanSupplier deletion) {
    boolean isGone =
        underBoth(
            section -> {
              deleted = deletion.getAsBoolean();
              return deleted;
            });
    wakeAll();
    return isGone;
  }

  /// Has all who wait look again.
  public void wakeAll() {
    wakeAll(putLock, hasElement);
    wakeAll(takeLock, hasPlace);
  }

  private static void wakeAll(SectionLock lock, Condition condition) {
    if (lock.takeUnlessLost()) {
      try {
        condition.signalAll();
      } finally {
        lock.unlock();
      }
    }
  }
}
