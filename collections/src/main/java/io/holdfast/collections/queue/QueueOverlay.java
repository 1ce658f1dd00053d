package io.holdfast.collections.queue;

import io.holdfast.collections.overlay.CollectionOverlay;
import io.holdfast.collections.overlay.HeldBytes;
import io.holdfast.collections.overlay.TransactionOverlay;
import io.holdfast.core.RegionFullException;
import io.holdfast.core.heap.Heap;
import io.holdfast.core.section.Section;
import io.holdfast.core.section.Sections;
import io.holdfast.core.section.VolatileState;
import java.util.LinkedHashSet;
import java.util.List;

/// What a section or a transaction holds back of a queue: the elements that it has claimed
/// (CLAIM-4), and those that it has added, which are in memory until it ends.
///
/// The elements that it has added are behind all others: it takes them when it finds no other.
///
/// **HELD-2** For each element that is added a place is reserved, or that of a claimed element is
/// used: the end can't fail for want of a place. Test: QueueClaimsTest.held2APlaceIsReserved.
///
/// **HELD-3** A further run of a transaction takes the elements of the run before, in their order;
/// what the last run leaves of them is given back. Test: TransactionQueueTest.held3AFurtherRun.
///
/// Confined to its thread; what it claims is guarded by the queue's locks.
public final class QueueOverlay<E> extends CollectionOverlay implements VolatileState {
  private final OverlaidQueue<E> queue;
  private final QueueEnds<E> ends;
  private final HeldBytes bytes;

  /// `null` for a section.
  private final TransactionOverlay transaction;

  /// What the enclosing section of a transaction holds back; `null` as a rule.
  private final QueueOverlay<E> outer;

  private final QueueReads reads;

  private final HeldClaims claims = new HeldClaims();

  /// Added and not taken again, with those of the enclosing section.
  private LinkedHashSet<QueueOffer> offers = new LinkedHashSet<>();

  /// What {@link #lookAhead} has found among these; `null` if it is none of them.
  private QueueOffer ahead;

  /// How many places are reserved, as claims are kept for a further run. With those of the taken
  /// elements they are enough.
  private int places;

  /// How often it was stored openly, or undone.
  private int version;

  private int outerVersion;

  /// When a transaction that waits runs again in any case.
  private long wakeAt;

  private boolean hasWakeTime;

  /// Whether what a section has claimed is to be given back: it was rolled back, or has ended.
  private boolean isOver;

  /// Whether it has locked both ends before the body ran.
  private boolean isLocked;

  private boolean holdsPut;
  private boolean holdsTake;

  /// The enclosing section's, which has taken what this did; `null` as a rule.
  private QueueOverlay<E> heir;

  /// Whether all was stored in the section that is about to end.
  private boolean isStored;

  QueueOverlay(
      OverlaidQueue<E> queue,
      Heap heap,
      Sections sections,
      TransactionOverlay transaction,
      QueueOverlay<E> outer) {
    super(sections);
    this.queue = queue;
    this.ends = queue.ends();
    this.bytes = new HeldBytes(heap);
    this.transaction = transaction;
    this.outer = outer;
    this.reads = new QueueReads(ends, this);
    beginWithOuter();
  }

  private void beginWithOuter() {
    offers = new LinkedHashSet<>();
    if (outer != null) {
      offers.addAll(outer.offers);
      outerVersion = outer.version;
    }
  }

  HeldClaims claims() {
    return claims;
  }

  HeldBytes heldBytes() {
    return bytes;
  }

  /// How many places it has reserved.
  int places() {
    return places;
  }

  // What a program does

  private void beginReading() {
    if (transaction != null) {
      transaction.beGoingOn();
    }
    settle();
  }

  private void beginChange() {
    if (transaction != null) {
      transaction.beWriting();
    } else {
      sections.current().enlist(this);
    }
    settle();
  }

  private void check() {
    if (transaction != null) {
      transaction.check();
    }
  }

  /// What a transaction has read is still so, or it ends here (T2).
  void checkReadings() {
    beginReading();
    check();
  }

  /// Gives back what was claimed when the section was rolled back.
  private void settle() {
    if (isOver) {
      giveAllBack();
      isOver = false;
    }
  }

  private void giveAllBack() {
    if (hasAny()) {
      ends.giveBack(this, true);
    }
  }

  /// Whether it has claimed or reserved anything.
  private boolean hasAny() {
    return !claims.isEmpty() || places > 0;
  }

  /// What it has claimed is there again; under the take lock. A second time it does nothing.
  ///
  /// @param isAll or only what it has not taken
  void giveUp(boolean isAll) {
    claims.drop(ends.claims(), isAll, true);
    if (isAll) {
      freePlaces();
    }
  }

  /// The places of what it has added are those of elements. Others that are left over are given
  /// back with a wake-up for those who wait for them.
  void usePlaces() {
    int used = Math.min(places, offers.size());
    ends.free(used);
    places -= used;
  }

  /// Its places are not reserved any more, but free, or those of elements.
  void freePlaces() {
    ends.free(places);
    places = 0;
  }

  /// What it has taken is removed; under the take lock.
  ///
  /// @return how many elements these were
  int dropTaken() {
    int count = claims.taken();
    claims.drop(ends.claims(), true, false);
    return count;
  }

  /// Adds an element.
  ///
  /// @return false if there is no place
  public boolean offer(byte[] element) {
    beginChange();
    ends.checkUsable();
    if (ends.isBounded() && offers.size() >= ownPlaces() && !ends.holdingPut(this::reserve)) {
      check();
      return false;
    }
    offers.add(new QueueOffer(element));
    bytes.add(QueueOffer.BYTES + (long) element.length);
    return true;
  }

  private int ownPlaces() {
    return places + claims.taken() + (outer == null ? 0 : outer.ownPlaces());
  }

  /// Under the put lock.
  private boolean reserve() {
    reads.prepare();
    boolean isReserved = ends.reserve();
    if (isReserved) {
      places++;
      reads.reserved();
    } else {
      reads.full(ends.published() - ends.gone() + ends.reserved() - places);
    }
    return isReserved;
  }

  /// Takes the first element that nobody else has claimed; else one that this has added.
  ///
  /// @return `null` if there is none
  public E poll() {
    beginChange();
    E element = ends.holdingTake(this::takeFirst);
    check();
    return element;
  }

  private E takeFirst() {
    ends.checkUsable();
    E element = claimFirst();
    if (element != null) {
      claims.take(claims.firstKept());
    } else if (!offers.isEmpty()) {
      QueueOffer first = offers.getFirst();
      element = ends.chain().head().decode(first.bytes);
      offers.remove(first);
    }
    return element;
  }

  /// Decodes the first element that is claimed and not taken, or can be claimed.
  ///
  /// @return `null` if there is none
  private E claimFirst() {
    QueueClaim kept = firstKept();
    if (kept != null) {
      return ends.chain().head().decode(kept.at);
    }
    reads.prepare();
    E element = ends.claimFirst(claims);
    if (element != null) {
      reads.claimed(claims.firstKept().number);
      bytes.add(QueueOffer.BYTES);
    } else {
      reads.all(new QueueSnapshot(ends.chain().rollbacks()));
    }
    return element;
  }

  /// What is claimed and not taken, if it is before all that can be claimed: what an earlier run
  /// took from the middle is not.
  private QueueClaim firstKept() {
    QueueClaim kept = claims.firstKept();
    long unclaimed = kept == null ? -1 : ends.firstUnclaimed();
    return unclaimed < 0 || kept.number < unclaimed ? kept : null;
  }

  /// The element that {@link #poll} would return; `null` if there is none.
  public E peek() {
    beginReading();
    E element = ends.holdingTake(this::first);
    check();
    return element;
  }

  private E first() {
    ends.checkUsable();
    reads.prepare();
    QueueHead<E> head = ends.chain().head();
    QueueClaim kept = firstKept();
    if (kept != null) {
      reads.first(kept.number); // what others give back may come before it
      return head.decode(kept.at);
    }
    long first = ends.firstUnclaimed();
    if (first >= 0) {
      E element = ends.claims().first();
      reads.first(first);
      return element;
    }
    reads.all(new QueueSnapshot(ends.chain().rollbacks()));
    return offers.isEmpty() ? null : head.decode(offers.getFirst().bytes);
  }

  /// How many elements there are; those that others have claimed are.
  public long size() {
    beginReading();
    reads.prepare();
    long inPlace = ends.size();
    reads.size(inPlace);
    check();
    return inPlace - allTaken() + offers.size();
  }

  private int allTaken() {
    return claims.taken() + (outer == null ? 0 : outer.allTaken());
  }

  public boolean isEmpty() {
    beginReading();
    if (!offers.isEmpty()) {
      return false;
    }
    reads.prepare();
    long inPlace = ends.size();
    boolean isEmpty = inPlace == allTaken();
    if (isEmpty) {
      reads.size(inPlace);
    } else {
      reads.atLeast(allTaken() + 1L);
    }
    check();
    return isEmpty;
  }

  /// The element that {@link #takeAhead} will take: it is claimed already, or was added by this.
  ///
  /// @return `null` if there is none
  public E lookAhead() {
    beginChange();
    E element = ends.holdingTake(this::claimNext);
    check();
    return element;
  }

  private E claimNext() {
    ends.checkUsable();
    E element = claimFirst();
    ahead = null;
    if (element == null && !offers.isEmpty()) {
      ahead = offers.getFirst();
      element = ends.chain().head().decode(ahead.bytes);
    }
    return element;
  }

  /// Takes what {@link #lookAhead} has returned.
  public void takeAhead() {
    beginChange();
    if (ahead == null) {
      claims.take(claims.firstKept());
    } else if (!offers.remove(ahead)) { // it was stored openly meanwhile
      claim(ahead.word, ahead.number, ends.chain().rollbacks());
    }
  }

  /// Leaves what {@link #lookAhead} has returned where it is.
  public void leaveAhead() {
    settle();
    if (transaction == null && claims.firstKept() != null) {
      ends.giveBack(this, false);
    }
  }

  /// All elements, for going through them.
  public HeldElements<E> elements() {
    beginReading();
    QueueSnapshot all =
        ends.reading(
            () -> {
              reads.prepare();
              QueueSnapshot found = new QueueSnapshot(ends.chain().rollbacks());
              QueueWalk<E> walk = ends.chain().walk();
              while (walk.advance()) {
                if (isThere(walk.number())) {
                  found.add(walk.word(), walk.number());
                }
              }
              return found;
            });
    reads.all(all);
    check();
    return new HeldElements<>(queue, ends, all, List.copyOf(offers));
  }

  /// Whether nobody has taken an element; under both locks.
  boolean isThere(long number) {
    return claims.kept(number) != null || !ends.isClaimed(number);
  }

  /// How many elements it has added.
  public int pending() {
    return offers.size();
  }

  boolean isPending(QueueOffer offer) {
    return offers.contains(offer);
  }

  /// Takes an element that is not stored yet.
  boolean remove(QueueOffer offer) {
    beginChange();
    return offers.remove(offer);
  }

  /// Takes an element wherever it is.
  ///
  /// @return false if it is gone, or others have claimed it
  boolean claim(long word, long number, int seenRollbacks) {
    beginChange();
    boolean isClaimed =
        ends.reading(
            () -> {
              QueueWalk.Place place = ends.chain().place(word, number, seenRollbacks);
              return place != null && claim(place);
            });
    check();
    return isClaimed;
  }

  /// The same for a place that an iterator has kept.
  public boolean claimAt(QueueWalk.Place place) {
    beginChange();
    boolean isClaimed = ends.reading(() -> claim(place));
    check();
    return isClaimed;
  }

  private boolean claim(QueueWalk.Place place) {
    if (!place.isOccupied(ends.chain().head()) || !isThere(place.number())) {
      return false;
    }
    QueueClaim claim = claims.kept(place.number());
    if (claim == null) {
      reads.prepare();
      claim = ends.claims().claim(place.position(), place.number(), claims);
      reads.claimed(place.number());
      bytes.add(QueueOffer.BYTES);
    }
    claims.take(claim);
    return true;
  }

  // Waiting in a transaction

  /// Whether a wait of the transaction is over, which began with its first one.
  public boolean isOver(long nanos) {
    return System.nanoTime() - transaction.waitingSince() >= nanos;
  }

  /// Ends this run: the next one begins when what was read has changed.
  public RuntimeException retry() {
    return transaction.retry();
  }

  /// The same, or when the wait is over.
  public RuntimeException retryFor(long nanos) {
    long at = transaction.waitingSince() + nanos;
    wakeAt = hasWakeTime && wakeAt - at < 0 ? wakeAt : at; // of alternatives, the first to end
    hasWakeTime = true;
    return transaction.retry();
  }

  private boolean isTimeUp() {
    return hasWakeTime && System.nanoTime() - wakeAt >= 0;
  }

  // The end

  @Override
  protected long lockOrder() {
    return queue.lockOrder();
  }

  @Override
  protected void prepare() {
    settle();
  }

  @Override
  protected void hold() {
    if (isLocked) {
      return;
    }
    boolean both = transaction != null && reads.isAny();
    if (both || !offers.isEmpty() || places > 0) {
      ends.holdPut();
      holdsPut = true;
    }
    if (both || claims.taken() > 0) {
      ends.holdTake();
      holdsTake = true;
    }
    if (transaction != null) {
      ends.checkUsable(); // before anything is stored
    }
  }

  @Override
  protected void store(boolean isAll) {
    if (transaction != null && transaction.isInner()) {
      handOver();
      return;
    }
    if (!isChanging() || ends.isDeleted()) {
      return; // what is added to a queue that is deleted meanwhile is deleted with it
    }
    Section section = sections.current();
    section.enlist(this);
    isStored = true;
    if (claims.taken() > 0) {
      ends.storeTaken(section, claims.all());
    }
    if (!offers.isEmpty()) {
      ends.storeOffers(section, offers);
    }
  }

  /// The enclosing section goes on with what the transaction did.
  private void handOver() {
    if (!isChanging()) {
      return;
    }
    QueueOverlay<E> to = queue.inSection();
    sections.current().enlist(to);
    to.bytes.add((long) claims.taken() * QueueOffer.BYTES);
    claims.handOver(to.claims);
    for (QueueOffer offer : offers) {
      if (!to.offers.contains(offer)) {
        to.bytes.add(QueueOffer.BYTES + (long) offer.bytes.length);
      }
    }
    to.offers = new LinkedHashSet<>(offers);
    to.places += places;
    offers.clear();
    places = 0;
    heir = to;
  }

  @Override
  protected void stored() {
    // letGo says so, after the section's end
  }

  @Override
  protected void letGoSoon() {
    if (isStored) {
      ends.letGoSoon(holdsTake, holdsPut);
    }
  }

  @Override
  protected void letGo() {
    if (isStored) {
      letGoStored();
    } else {
      giveWay();
      if (transaction == null) {
        undo(); // it could not be stored
      }
    }
    isLocked = false;
    isOver = transaction == null; // else there may be a further run
  }

  private void letGoStored() {
    isStored = false;
    if (holdsTake) {
      holdsTake = false;
      ends.letGoTake(this);
    }
    if (holdsPut) {
      holdsPut = false;
      ends.letGoPut(this);
    }
    clear();
  }

  @Override
  protected void giveWay() {
    if (holdsTake) {
      holdsTake = false;
      ends.unlockTake();
    }
    if (holdsPut) {
      holdsPut = false;
      ends.unlockPut();
    }
  }

  @Override
  protected void giveBack() {
    settle();
    if (heir != null) {
      QueueOverlay<E> its = heir;
      heir = null;
      try {
        its.bytes.admits(0, its); // or its section's end would find that there is no room
      } catch (RegionFullException e) {
        // its section was rolled back, and says so; or tries again
      }
    }
  }

  /// Forgets all but what it has claimed.
  private void clear() {
    offers.clear();
    bytes.clear();
    reads.forget();
  }

  @Override
  protected void storeOpenly() {
    settle();
    if (transaction != null) {
      return; // it lets nobody look
    }
    if (claims.taken() > 0) {
      try {
        ends.storeTakenOpenly(claims.all());
      } finally {
        claims.forgetStored();
      }
    }
    if (!offers.isEmpty() || places > 0) {
      ends.storeOffersOpenly(this, offers);
    }
    bytes.clear();
    version++;
  }

  @Override
  protected void forget() {
    giveAllBack();
    clear();
  }

  @Override
  public void save() {
    // it is empty
  }

  /// The section is rolled back. Takes no lock: a thread that has it may wait for this.
  @Override
  public void restore() {
    isStored = false;
    if (transaction == null) { // else it is forgotten when it is over
      undo();
      isOver = true;
      if (hasAny()) {
        ends.giveBackLater(this);
      }
    }
  }

  private void undo() {
    clear();
    version++;
  }

  // Of a transaction

  @Override
  protected void holdAll() {
    isLocked = true;
    ends.holdPut();
    holdsPut = true;
    ends.holdTake();
    holdsTake = true;
    ends.checkUsable();
  }

  @Override
  protected boolean isChanging() {
    return claims.taken() > 0 || (outer == null ? !offers.isEmpty() : !offers.equals(outer.offers));
  }

  @Override
  protected boolean isStill() {
    return isOuterTheSame() && !isTimeUp() && reads.isStill();
  }

  private boolean isOuterTheSame() {
    return outer == null || outer.version == outerVersion;
  }

  @Override
  protected boolean isSame() {
    return isOuterTheSame() && !isTimeUp() && ends.reading(reads::isSame);
  }

  @Override
  protected boolean isClaimedByOthers() {
    return false; // what it takes is its own
  }

  @Override
  protected void runAgain() {
    claims.keepAfter(0);
    beginWithOuter();
    reads.forget();
    hasWakeTime = false;
  }

  @Override
  protected void beforeWait() {
    claims.all().forEach(reads::givenBack);
    giveAllBack();
  }

  private record Mark(int taken, LinkedHashSet<QueueOffer> offers) {}

  @Override
  protected Object mark() {
    return new Mark(claims.taken(), new LinkedHashSet<>(offers));
  }

  @Override
  protected void backTo(Object mark) {
    if (mark == null) {
      claims.keepAfter(0);
      beginWithOuter();
    } else {
      Mark to = (Mark) mark;
      claims.keepAfter(to.taken());
      offers = new LinkedHashSet<>(to.offers());
    }
  }
}
