package io.holdfast.collections.queue;

import io.holdfast.core.section.Section;
import io.holdfast.core.section.VolatileState;
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
  HeldClaims owner(long number) {
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
  void claimFirst(HeldClaims owner) {
    claim(unclaimed.at(), unclaimed.number(), owner);
  }

  /// Claims an element for an owner, which has the claim then; or, after an error, has not.
  QueueClaim claim(Position at, long number, HeldClaims owner) {
    QueueClaim claim = new QueueClaim(at.copy(), number, owner);
    owner.add(claim); // first: what is among the claims is given up with the owner's
    try {
      byNumber.put(claim.number, claim);
      changed();
    } catch (VirtualMachineError | LinkageError e) {
      byNumber.remove(claim.number);
      owner.remove(claim);
      throw e;
    }
    return claim;
  }

  private void changed() {
    count = byNumber.size();
    long before = changes;
    changes = before + 1;
  }

  /// Drops a claim: its element was removed, or is there again. A second time it does nothing.
  void drop(QueueClaim claim) {
    if (byNumber.remove(claim.number, claim)) {
      unclaimed.comeBackTo(claim);
      changed();
    }
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
