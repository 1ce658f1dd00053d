package io.holdfast.collections.queue;

import java.util.HashMap;
import java.util.Map;

/// What a transaction has read of a queue. To take an element is no reading.
///
/// All readings speak of the elements that no other section or transaction has claimed, but for the
/// size.
///
/// Confined to its thread.
final class QueueReads {
  private final QueueEnds<?> ends;
  private final QueueOverlay<?> mine;

  /// Whether there are any.
  private boolean isAny;

  // The queue's numbers when all of it was so.
  private long published;
  private long gone;
  private long claimChanges;
  private int reserved;

  /// How many elements there were; -1 if that was not read.
  private long size;

  /// How many there were at least.
  private long atLeast;

  /// How many places others had, when there was none for one more; -1 if there was.
  private long full;

  /// The number of the element that was the first; -1 if that was not read.
  private long first;

  /// All elements; `null` if they were not read.
  private QueueSnapshot all;

  /// Whether it has claimed what was not there when it read.
  private boolean isOutdated;

  /// What was claimed, and given back before the thread waits: to see whether others take it.
  private final Map<Long, QueueClaim> givenBack = new HashMap<>(0);

  QueueReads(QueueEnds<?> ends, QueueOverlay<?> mine) {
    this.ends = ends;
    this.mine = mine;
    forget();
  }

  void forget() {
    isAny = false;
    size = -1;
    atLeast = 0;
    full = -1;
    first = -1;
    all = null;
    isOutdated = false;
    givenBack.clear();
  }

  boolean isAny() {
    return isAny;
  }

  /// Before a reading, under the lock that it needs. What was read before may have changed since,
  /// and is then looked at again.
  void prepare() {
    if (!isAny) {
      keepNumbers();
    }
  }

  private void keepNumbers() {
    published = ends.published();
    gone = ends.gone();
    claimChanges = ends.claims().changes();
    reserved = ends.reserved();
  }

  /// This transaction has claimed an element itself; under the take lock. One that it did not find
  /// before was added or given back since, which nobody could tell any more.
  void claimed(long number) {
    isOutdated |= number < first || all != null && !all.contains(number);
    if (ends.claims().changes() == claimChanges + 1) {
      claimChanges++;
    }
  }

  /// This transaction has reserved a place itself; under the put lock.
  void reserved() {
    if (ends.reserved() == reserved + 1) {
      reserved++;
    }
  }

  /// A second reading that differs from the first one ends the run: one of both is of the past.
  /// Test: TransactionQueueTest.aReadingIsRepeated.
  void size(long found) {
    isAny = true;
    isOutdated |= size >= 0 && size != found;
    size = found;
  }

  void atLeast(long found) {
    isAny = true;
    atLeast = Math.max(atLeast, found);
  }

  void full(long othersPlaces) {
    isAny = true;
    full = Math.max(full, othersPlaces);
  }

  /// As {@link #size}; but when this has taken the first one, another is the first.
  void first(long number) {
    isAny = true;
    isOutdated |= first >= 0 && first != number && !isMine(first);
    first = number;
  }

  void all(QueueSnapshot found) {
    isAny = true;
    if (all == null) {
      all = found; // else what was found first is compared
    }
  }

  void givenBack(QueueClaim claim) {
    isAny = true;
    givenBack.put(claim.number, claim);
  }

  boolean isStill() {
    return !isAny
        || published == ends.published()
            && gone == ends.gone()
            && claimChanges == ends.claims().changes()
            && reserved == ends.reserved()
            && !isOutdated;
  }

  /// Reads again; under both locks.
  boolean isSame() {
    boolean isSame =
        !isOutdated && isSizeTheSame() && areGivenBackThere() && isAllTheSame() && isFirstTheSame();
    if (isSame) {
      keepNumbers();
    }
    return isSame;
  }

  private boolean isSizeTheSame() {
    long inPlace = ends.published() - ends.gone();
    return (size < 0 || inPlace == size)
        && inPlace >= atLeast
        && (full < 0 || inPlace + ends.reserved() - mine.places() >= full);
  }

  private boolean areGivenBackThere() {
    for (QueueClaim claim : givenBack.values()) {
      if (claim.number < ends.chain().head().number()
          || !claim.at.findElement()
          || QueueLayout.isRemoved(claim.at.meta())
          || ends.isClaimed(claim.number)) {
        return false;
      }
    }
    return true;
  }

  private boolean isMine(long number) {
    return ends.claims().owner(number) == mine.claims() || givenBack.containsKey(number);
  }

  private boolean isAllTheSame() {
    if (all == null) {
      return true;
    }
    int others = 0;
    for (int i = 0; i < all.size(); i++) {
      if (!isMine(all.number(i))) {
        if (ends.isClaimed(all.number(i)) || all.place(ends.chain(), i) == null) {
          return false;
        }
        others++;
      }
    }
    long unclaimed = ends.published() - ends.gone() - ends.claims().count();
    return unclaimed == others + givenBack.size();
  }

  private boolean isFirstTheSame() {
    if (first < 0) {
      return true;
    }
    long now = givenBack.isEmpty() ? ends.firstUnclaimed() : firstOfOthers();
    return isMine(first) ? now < 0 || now > first : now == first;
  }

  /// The number of the first element that is neither claimed nor given back.
  private long firstOfOthers() {
    long unclaimed = ends.published() - ends.gone() - ends.claims().count() - givenBack.size();
    if (unclaimed <= 0) {
      return -1;
    }
    QueueWalk<?> walk = ends.chain().walk();
    while (walk.advance()) {
      if (!ends.isClaimed(walk.number()) && !givenBack.containsKey(walk.number())) {
        return walk.number();
      }
    }
    return -1;
  }
}
