package io.holdfast.collections.queue;

import io.holdfast.core.section.Section;
import io.holdfast.core.section.VolatileState;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/// The elements of a queue that open sections and transactions have taken.
///
/// **CLAIM-4** An element that is claimed is where it was until its section ends: others pass it
/// over, and when the section is undone it is the next one again. So sections that take different
/// elements share nothing, and no order is lost. Test: QueueClaimsTest.claim4OrderIsKept.
///
/// Guarded by the take lock, but for the two numbers.
final class QueueClaims<E> {
  private final QueueChain<E> chain;
  private final Map<Long, QueueClaim> byNumber = new HashMap<>();

  /// At the first element that is neither removed nor claimed.
  private final QueueCursor unclaimed;

  /// At the first element that is not removed.
  private final QueueCursor present;

  private volatile int count;
  private volatile long changes;

  QueueClaims(QueueChain<E> chain) {
    this.chain = chain;
    this.unclaimed = new QueueCursor(chain);
    this.present = new QueueCursor(chain);
  }

  /// How many there are.
  int count() {
    return count;
  }

  /// How often it has changed who has claimed what.
  long changes() {
    return changes;
  }

  /// @return `null` if nobody has claimed the element
  QueueOverlay<?> owner(long number) {
    QueueClaim claim = count == 0 ? null : byNumber.get(number);
    return claim == null ? null : claim.owner;
  }

  /// Decodes the first element that nobody has claimed, and that is known to be there.
  E first() {
    unclaimed.find(byNumber.keySet());
    return chain.head().decode(unclaimed.at());
  }

  /// The number of the first element that nobody has claimed, and that is known to be there.
  long firstNumber() {
    unclaimed.find(byNumber.keySet());
    return unclaimed.number();
  }

  /// Claims what {@link #first} has found.
  QueueClaim claimFirst(QueueOverlay<?> owner) {
    return claim(unclaimed.at(), unclaimed.number(), owner);
  }

  QueueClaim claim(Position at, long number, QueueOverlay<?> owner) {
    QueueClaim claim = new QueueClaim(at.copy(), number, owner);
    byNumber.put(number, claim);
    changed();
    return claim;
  }

  private void changed() {
    count = byNumber.size();
    long before = changes;
    changes = before + 1;
  }

  /// Hands a claim on to another owner.
  QueueClaim handOver(QueueClaim claim, QueueOverlay<?> to) {
    QueueClaim theirs = new QueueClaim(claim.at, claim.number, to);
    byNumber.put(claim.number, theirs);
    return theirs;
  }

  /// Drops claims: their elements were removed, or are there again. Those that were dropped before
  /// stay so.
  void drop(Collection<QueueClaim> claims) {
    if (claims.isEmpty()) {
      return;
    }
    for (QueueClaim claim : claims) {
      if (byNumber.remove(claim.number, claim)) {
        unclaimed.comeBackTo(claim);
      }
    }
    changed();
  }

  /// Removes what {@link #first} has found.
  void removeFirst(Section section, VolatileState changed) {
    remove(section, unclaimed.at(), unclaimed.number(), changed);
  }

  /// Removes an element that is there: by HEAD if all before it are removed.
  void remove(Section section, Position at, long number, VolatileState changed) {
    present.find(Set.of());
    if (present.number() == number) {
      chain.head().removeFront(section, at, number, changed);
    } else {
      chain.head().mark(section, at, changed);
    }
  }
}
