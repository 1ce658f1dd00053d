package io.holdfast.collections.queue;

import io.holdfast.collections.overlay.CollectionOverlay;
import io.holdfast.collections.overlay.HeldBytes;
import io.holdfast.collections.overlay.TransactionOverlay;
import io.holdfast.collections.queue.QueueEnds.Returns;
import io.holdfast.core.RegionFullException;
import io.holdfast.core.heap.Heap;
import io.holdfast.core.section.Section;
import io.holdfast.core.section.Sections;
import io.holdfast.core.section.VolatileState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Consumer;

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
  private static final Returns NOTHING = new Returns(List.of(), 0);

  private final OverlaidQueue<E> queue;
  private final QueueEnds<E> ends;
  private final Sections sections;
  private final HeldBytes bytes;

  /// `null` for a section.
  private final TransactionOverlay transaction;

  /// What the enclosing section of a transaction holds back; `null` as a rule.
  private final QueueOverlay<E> outer;

  private final QueueReads reads;
  private final long begun = System.nanoTime();

  /// Claimed and taken, in this order.
  private final List<QueueClaim> taken = new ArrayList<>();

  /// Claimed, by an earlier run or before an alternative was dropped, and not taken.
  private final TreeMap<Long, QueueClaim> kept = new TreeMap<>();

  /// Added and not taken again, with those of the enclosing section.
  private LinkedHashSet<QueueOffer> offers = new LinkedHashSet<>();

  /// What {@link #lookAhead} has found among these; `null` if it is none of them.
  private QueueOffer ahead;

  /// How many places are reserved. With those of the taken elements they are enough.
  private int places;

  /// How often it was stored openly, or undone.
  private int version;

  private int outerVersion;

  /// When a transaction that waits runs again in any case.
  private long wakeAt;

  private boolean hasWakeTime;

  /// What its section had claimed when it was rolled back.
  private Returns returns = NOTHING;

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
    this.queue = queue;
    this.ends = queue.ends();
    this.sections = sections;
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

  HeldBytes heldBytes() {
    return bytes;
  }

  /// How many places it has reserved.
  int places() {
    return places;
  }

  public boolean isTransaction() {
    return transaction != null;
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
    if (!returns.isEmpty()) {
      ends.giveBack(returns);
      returns = NOTHING;
    }
  }

  /// Adds an element.
  ///
  /// @return false if there is no place
  public boolean offer(byte[] element) {
    beginChange();
    ends.checkUsable();
    if (ends.isBounded() && offers.size() >= ownPlaces() && !reserve()) {
      check();
      return false;
    }
    offers.add(new QueueOffer(element));
    bytes.add(QueueOffer.BYTES + (long) element.length);
    return true;
  }

  private int ownPlaces() {
    return places + taken.size() + (outer == null ? 0 : outer.ownPlaces());
  }

  private boolean reserve() {
    ends.holdPut();
    try {
      reads.prepare();
      boolean isReserved = ends.reserve();
      if (isReserved) {
        places++;
        reads.reserved();
      } else {
        reads.full(ends.published() - ends.gone() + ends.reserved() - places);
      }
      return isReserved;
    } finally {
      ends.unlockPut();
    }
  }

  /// Takes the first element that nobody else has claimed; else one that this has added.
  ///
  /// @return `null` if there is none
  public E poll() {
    beginChange();
    E element;
    ends.holdTake();
    try {
      ends.checkUsable();
      element = kept.isEmpty() ? claimFirst(taken::add) : takeKept();
      if (element == null && !offers.isEmpty()) {
        QueueOffer first = offers.getFirst();
        element = ends.chain().head().decode(first.bytes);
        offers.remove(first);
      }
    } finally {
      ends.unlockTake();
    }
    check();
    return element;
  }

  private E takeKept() {
    QueueClaim claim = kept.firstEntry().getValue();
    E element = ends.chain().head().decode(claim.at);
    kept.remove(claim.number);
    taken.add(claim);
    return element;
  }

  private E claimFirst(Consumer<QueueClaim> into) {
    reads.prepare();
    E element = ends.claimFirst(this, into);
    if (element != null) {
      reads.claimed();
      bytes.add(QueueOffer.BYTES);
    } else {
      reads.all(new QueueSnapshot(ends.chain().rollbacks()));
    }
    return element;
  }

  /// The element that {@link #poll} would return; `null` if there is none.
  public E peek() {
    beginReading();
    E element = null;
    ends.holdTake();
    try {
      ends.checkUsable();
      reads.prepare();
      QueueHead<E> head = ends.chain().head();
      if (!kept.isEmpty()) {
        element = head.decode(kept.firstEntry().getValue().at);
      } else {
        long first = ends.firstUnclaimed();
        if (first >= 0) {
          element = ends.claims().first();
          reads.first(first);
        } else {
          reads.all(new QueueSnapshot(ends.chain().rollbacks()));
          element = offers.isEmpty() ? null : head.decode(offers.getFirst().bytes);
        }
      }
    } finally {
      ends.unlockTake();
    }
    check();
    return element;
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
    return taken.size() + (outer == null ? 0 : outer.allTaken());
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
    E element;
    ends.holdTake();
    try {
      ends.checkUsable();
      if (kept.isEmpty()) {
        claimFirst(claim -> kept.put(claim.number, claim));
      }
      ahead = null;
      if (!kept.isEmpty()) {
        element = ends.chain().head().decode(kept.firstEntry().getValue().at);
      } else if (!offers.isEmpty()) {
        ahead = offers.getFirst();
        element = ends.chain().head().decode(ahead.bytes);
      } else {
        element = null;
      }
    } finally {
      ends.unlockTake();
    }
    check();
    return element;
  }

  /// Takes what {@link #lookAhead} has returned.
  public void takeAhead() {
    beginChange();
    if (ahead == null) {
      QueueClaim claim = kept.pollFirstEntry().getValue();
      taken.add(claim);
    } else if (!offers.remove(ahead)) { // it was stored openly meanwhile
      claim(ahead.word, ahead.number, ends.chain().rollbacks());
    }
  }

  /// Leaves what {@link #lookAhead} has returned where it is.
  public void leaveAhead() {
    if (transaction == null && !kept.isEmpty()) {
      ends.giveBack(new Returns(kept.values(), 0));
      kept.clear();
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
    return kept.containsKey(number) || !ends.isClaimed(number);
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
    QueueClaim claim = kept.remove(place.number());
    if (claim == null) {
      reads.prepare();
      claim = ends.claims().claim(place.position(), place.number(), this);
      reads.claimed();
      bytes.add(QueueOffer.BYTES);
    }
    return taken.add(claim);
  }

  // Waiting in a transaction

  /// Whether a wait that began with the transaction is over.
  public boolean isOver(long nanos) {
    return System.nanoTime() - begun >= nanos;
  }

  /// Ends this run: the next one begins when what was read has changed.
  public RuntimeException retry() {
    return transaction.retry();
  }

  /// The same, or when the wait is over.
  public RuntimeException retryFor(long nanos) {
    wakeAt = begun + nanos;
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
  protected void hold() {
    if (isLocked) {
      return;
    }
    boolean both = transaction != null && (reads.isAny() || !kept.isEmpty());
    if (both || !offers.isEmpty() || places > 0) {
      ends.holdPut();
      holdsPut = true;
    }
    if (both || !taken.isEmpty()) {
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
    if (!taken.isEmpty()) {
      taken.sort(Comparator.comparingLong(claim -> claim.number));
      ends.storeTaken(section, taken);
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
    for (QueueClaim claim : taken) {
      to.taken.add(ends.claims().handOver(claim, to));
      to.bytes.add(QueueOffer.BYTES);
    }
    for (QueueOffer offer : offers) {
      if (!to.offers.contains(offer)) {
        to.bytes.add(QueueOffer.BYTES + (long) offer.bytes.length);
      }
    }
    to.offers = new LinkedHashSet<>(offers);
    to.places += places;
    taken.clear();
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
    boolean its = isStored;
    isStored = false;
    if (holdsTake) {
      holdsTake = false;
      if (its) {
        ends.letGoTake(taken, kept.values());
      } else {
        ends.unlockTake();
      }
    }
    if (holdsPut) {
      holdsPut = false;
      if (its) {
        ends.letGoPut(offers.size(), places, !kept.isEmpty());
      } else {
        ends.unlockPut();
      }
    }
    isLocked = false;
    if (its) {
      clear();
    } else if (transaction == null) {
      restore(); // it could not be stored
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

  private void clear() {
    taken.clear();
    kept.clear();
    offers.clear();
    places = 0;
    bytes.clear();
    reads.forget();
  }

  @Override
  protected void storeOpenly() {
    settle();
    if (transaction != null) {
      return; // it lets nobody look
    }
    if (!taken.isEmpty()) {
      taken.sort(Comparator.comparingLong(claim -> claim.number));
      ends.storeTakenOpenly(taken);
    }
    if (!offers.isEmpty() || places > 0) {
      int its = places;
      places = 0;
      ends.storeOffersOpenly(offers, its);
    }
    bytes.clear();
    version++;
  }

  @Override
  protected void forget() {
    Returns all = allClaimed();
    clear();
    if (!all.isEmpty()) {
      ends.giveBack(all);
    }
  }

  private Returns allClaimed() {
    List<QueueClaim> all = new ArrayList<>(taken);
    all.addAll(kept.values());
    return new Returns(all, places);
  }

  @Override
  public void save() {
    // it is empty
  }

  /// The section is rolled back. Takes no lock: a thread that has it may wait for this.
  @Override
  public void restore() {
    isStored = false;
    if (transaction != null) {
      return; // it is forgotten when it is over
    }
    Returns all = allClaimed();
    clear();
    version++;
    if (!all.isEmpty()) {
      returns = all;
      ends.giveBackLater(all);
    }
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
    return !taken.isEmpty() || (outer == null ? !offers.isEmpty() : !offers.equals(outer.offers));
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
    keepFrom(0);
    givePlacesBack(0);
    beginWithOuter();
    reads.forget();
    hasWakeTime = false;
  }

  /// HELD-3.
  private void keepFrom(int first) {
    List<QueueClaim> again = taken.subList(first, taken.size());
    again.forEach(claim -> kept.put(claim.number, claim));
    again.clear();
  }

  private void givePlacesBack(int left) {
    if (places > left) {
      ends.giveBack(new Returns(List.of(), places - left));
      places = left;
    }
  }

  @Override
  protected void beforeWait() {
    Returns all = allClaimed();
    taken.forEach(reads::givenBack);
    kept.values().forEach(reads::givenBack);
    taken.clear();
    kept.clear();
    places = 0;
    if (!all.isEmpty()) {
      ends.giveBack(all);
    }
  }

  private record Mark(int taken, int places, LinkedHashSet<QueueOffer> offers) {}

  @Override
  protected Object mark() {
    return new Mark(taken.size(), places, new LinkedHashSet<>(offers));
  }

  @Override
  protected void backTo(Object mark) {
    if (mark == null) {
      keepFrom(0);
      givePlacesBack(0);
      beginWithOuter();
    } else {
      Mark to = (Mark) mark;
      keepFrom(to.taken());
      givePlacesBack(to.places());
      offers = new LinkedHashSet<>(to.offers());
    }
  }
}
