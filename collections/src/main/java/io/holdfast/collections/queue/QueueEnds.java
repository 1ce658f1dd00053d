package io.holdfast.collections.queue;

import io.holdfast.codec.EncodedOutput;
import io.holdfast.core.RootDeletedException;
import io.holdfast.core.memory.LinePadding;
import io.holdfast.core.region.Region;
import io.holdfast.core.section.Section;
import io.holdfast.core.section.VolatileState;
import io.holdfast.core.section.hooks.SectionHooks;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;

/// A queue's two ends in memory ({@link QueueEnd}): a lock, a counter and a condition each. The put
/// lock guards the tail, the take lock the head, as in Michael and Scott's two-lock queue (PODC
/// 1996), which is also Atlas's first benchmark (6.4.1). The counters say how many elements were
/// ever published, and how many are gone. Each end reads the other's counter.
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
/// What either end stores with each element is in lines of its own ({@link LinePadding}).
///
/// Thread-safe.
public final class QueueEnds<E> {
  private final Region region;
  private final QueueChain<E> chain;
  private final int capacity;

  /// Stands for the queue in dependencies: for both locks, since each end sees what the other does.
  private final Object key = new Object();

  /// Counts elements that were ever added.
  private final QueueEnd put;

  /// Counts elements that are gone.
  private final QueueEnd take;

  /// What adding changes in memory, and what taking does.
  private final Side putSide;

  private final Side takeSide;

  /// Whether the queue is in the store no more; stored under both locks.
  private volatile boolean deleted;

  /// Elements that open sections and transactions have taken.
  private final QueueClaims<E> claims;

  /// Places that these have for what they will add. It grows under the put lock.
  private final AtomicInteger reserved = new AtomicInteger();

  /// Whose end lets go of the put lock; guarded by it.
  private QueueOverlay<E> puts;

  /// Whose end lets go of the take lock; guarded by it.
  private QueueOverlay<E> takes;

  /// An end with what it is on media: what a rollback sets back.
  private final class Side extends LinePadding implements VolatileState {
    private final QueueEnd end;
    private final VolatileState onMedia;
    private long saved;

    Side(QueueEnd end, VolatileState onMedia) {
      this.end = end;
      this.onMedia = onMedia;
    }

    @Override
    public void save() {
      onMedia.save();
      saved = end.knownCount();
    }

    @Override
    public void restore() {
      onMedia.restore();
      end.setBack(saved);
      rolledBack();
    }
  }

  public QueueEnds(Region region, QueueChain<E> chain, int capacity) {
    this.region = region;
    this.chain = chain;
    this.capacity = capacity;
    this.claims = new QueueClaims<>(chain);
    this.put = new QueueEnd(region.sections(), key, chain.sizeAtOpening(), true, this::admitPut);
    this.take = new QueueEnd(region.sections(), key, 0, false, this::admitTake);
    this.putSide = new Side(put, chain.tail());
    this.takeSide = new Side(take, chain.head());
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
    QueueEnd from = put; // read once: this is on the way of each operation
    QueueEnd to = take;
    long gone;
    long count;
    do {
      gone = to.count();
      count = from.count() - gone;
    } while (to.count() != gone); // it is of one moment
    return count;
  }

  /// About so many, depending on nobody and waiting for nobody.
  public long knownSize() {
    // The smaller counter first: the other only grows meanwhile, so the difference is never
    // negative.
    long before = take.knownCount();
    return put.knownCount() - before;
  }

  long published() {
    return put.count();
  }

  long gone() {
    return take.count();
  }

  /// Elements that came and went since the queue was opened.
  public long changes() {
    return put.knownCount() + take.knownCount();
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
      count = count() - take.moved() - claims.count();
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
    return put.lock.lockUnlessHoldingBack();
  }

  /// Of a thread that may hold changes back, for a change in place.
  public Section lockPutInPlace() {
    return put.lock.lock();
  }

  /// Under the put lock.
  public boolean hasRoom(Section section) {
    return capacity == Integer.MAX_VALUE || size(section) + reserved.get() < capacity;
  }

  /// Under the put lock.
  public void add(Section section, EncodedOutput bytes) {
    try {
      chain.tail().add(section, bytes, putSide);
      put.move();
    } catch (VirtualMachineError | LinkageError e) {
      section.breakOff(e);
      throw e;
    }
  }

  /// Ends the section and gives up the put lock.
  public void endPut(Section section) {
    if (put.end(section)) {
      changed();
    }
  }

  private void changed() {
    region.sections().changed();
    region.sections().checkCommitted();
  }

  /// Waits for a place; returns the nanoseconds that are left ({@link QueueEnd#await}).
  public long awaitPlace(long nanos) throws InterruptedException {
    return take.await(this::hasPlace, this::checkUsable, nanos);
  }

  // Taking

  /// @return `null`, and nothing is locked, if the thread holds changes back
  public Section lockTake() {
    return take.lock.lockUnlessHoldingBack();
  }

  /// Of a thread that may hold changes back, for a change in place.
  public Section lockTakeInPlace() {
    return take.lock.lock();
  }

  /// Runs something under the take lock, in a section.
  public <R> R underTake(Function<Section, R> action) {
    Section section = lockTakeInPlace();
    R result;
    try {
      checkUsable();
      result = region.sections().guarded(() -> action.apply(section));
    } finally {
      try {
        endTake(section);
      } catch (StackOverflowError | OutOfMemoryError | LinkageError e) {
        section.cut = e;
        section.breakOff(e); // where the very call fails, the lock is kept (LOCK-4); told below
      }
    }
    region.sections().checkCommitted();
    return result;
  }

  /// Decodes the first element that nobody has claimed; under the take lock.
  ///
  /// @return `null` if there is none
  public E first(Section section) {
    boolean isClaimed = claims.count() > 0;
    if (size(section) - take.moved() - (isClaimed ? claims.count() : 0) <= 0) {
      return null;
    }
    return isClaimed ? claims.first() : chain.head().first();
  }

  /// The same without a section: to look is no release.
  public E peek() {
    return holdingTake(
        () -> {
          checkUsable();
          if (unclaimed() <= 0) {
            return null;
          }
          return claims.count() > 0 ? claims.first() : chain.head().first();
        });
  }

  /// Takes what {@link #first} has found; under the take lock.
  public void removeFirst(Section section) {
    try {
      if (claims.count() > 0) {
        claims.removeFirst(section, takeSide);
      } else {
        chain.head().removeFirst(section, takeSide);
      }
      take.move();
    } catch (VirtualMachineError | LinkageError e) {
      section.breakOff(e);
      throw e;
    }
  }

  /// Ends the section and gives up the take lock.
  public void endTake(Section section) {
    if (take.end(section)) {
      changed();
    }
  }

  /// Waits for an element; returns the nanoseconds that are left ({@link QueueEnd#await}).
  public long awaitElement(long nanos) throws InterruptedException {
    return put.await(this::hasUnclaimed, this::checkUsable, nanos);
  }

  // Both ends

  /// Runs something under both locks, in one section: it is enough for both, which share their key.
  public <R> R underBoth(Function<Section, R> action) {
    checkUsable();
    return holdingPut(() -> underTake(action));
  }

  /// Runs something under both locks that changes nothing, so that it is no release.
  public <R> R reading(Supplier<R> action) {
    return holdingPut(
        () ->
            holdingTake(
                () -> {
                  checkUsable();
                  return region.sections().guarded(action);
                }));
  }

  /// Removes an element, under both locks.
  ///
  /// @return false if it is gone already, or claimed
  public boolean remove(Section section, QueueWalk.Place place) {
    boolean isThere = place.isOccupied(chain.head()) && !isClaimed(place.number());
    if (isThere) {
      try {
        section.enlist(takeSide); // begins it: there may be other stores in it
        claims.remove(section, place.position(), place.number(), takeSide);
        take.move();
      } catch (VirtualMachineError | LinkageError e) {
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

  <R> R holdingPut(Supplier<R> action) {
    return put.lock.holding(action);
  }

  <R> R holdingTake(Supplier<R> action) {
    return take.lock.holding(action);
  }

  void holdPut() {
    put.lock.hold();
  }

  void unlockPut() {
    put.lock.unlock();
  }

  void holdTake() {
    take.lock.hold();
  }

  void unlockTake() {
    take.lock.unlock();
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
    } catch (VirtualMachineError | LinkageError e) {
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
    } catch (VirtualMachineError | LinkageError e) {
      section.breakOff(e);
      throw e;
    }
  }

  /// Marks the counters that are about to change (QUEUE-6).
  ///
  /// @param areTaken whether elements were removed, under the take lock
  /// @param areAdded whether elements were added, under the put lock
  void letGoSoon(boolean areTaken, boolean areAdded) {
    if (areTaken) {
      take.willChange();
    }
    if (areAdded) {
      put.willChange();
    }
  }

  /// Gives up the take lock after the end of an overlay's section. By then a reader of the counter
  /// finds what the section waits for (QUEUE-4).
  void letGoTake(QueueOverlay<E> overlay) {
    takes = overlay;
    take.lock.letGo();
    region.sections().changed();
  }

  private void admitTake() {
    take.advance(takes.dropTaken()); // the counter last: a thread that waits must not see too few
    take.hasChanged();
    takes = null;
  }

  /// Gives up the put lock after the end of an overlay's section, as above.
  void letGoPut(QueueOverlay<E> overlay) {
    puts = overlay;
    put.lock.letGo();
    region.sections().changed();
  }

  private void admitPut() {
    puts.usePlaces(); // before the counter: as in admitTake
    put.advance(puts.pending());
    put.hasChanged();
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
            take.move();
          }
          claim.takenAs = QueueClaim.STORED;
          claims.drop(claim);
        }
      }
    } catch (VirtualMachineError | LinkageError e) {
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
          put.move();
        }
        each.remove();
      }
    } catch (VirtualMachineError | LinkageError e) {
      section.breakOff(e); // as above
      throw e;
    } finally {
      overlay.freePlaces();
      endPut(section);
      take.wakeAll(); // a place may be left over
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
    if (take.lock.takeUnlessLost()) {
      try {
        overlay.giveUp(isAll);
      } finally {
        take.lock.unlock();
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
    put.wakeAll();
    take.wakeAll();
  }
}
