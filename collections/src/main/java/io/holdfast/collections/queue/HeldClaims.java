package io.holdfast.collections.queue;

import java.util.ArrayList;
import java.util.List;

/// What a section or a transaction has claimed of a queue, in the elements' order. Those that are
/// not taken were claimed by an earlier run, or before an alternative was dropped.
///
/// Confined to its thread, but for what is said to be done under the take lock.
final class HeldClaims {
  private final List<QueueClaim> claims = new ArrayList<>();

  /// How many of these are taken.
  private int taken;

  /// All before this place are taken.
  private int keptFrom;

  boolean isEmpty() {
    return claims.isEmpty();
  }

  List<QueueClaim> all() {
    return claims;
  }

  int taken() {
    return taken;
  }

  /// A new claim, which is not taken yet; under the take lock.
  void add(QueueClaim claim) {
    int place = placeOf(claim.number);
    claims.add(place, claim);
    keptFrom = Math.min(keptFrom, place);
  }

  void remove(QueueClaim claim) {
    claims.remove(claim);
  }

  /// Where an element's claim is, or would be.
  private int placeOf(long number) {
    int low = 0;
    int high = claims.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (claims.get(middle).number < number) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /// The claim of an element that is not taken; `null` if it has none.
  QueueClaim kept(long number) {
    int place = placeOf(number);
    QueueClaim claim = place < claims.size() ? claims.get(place) : null;
    return claim != null && claim.number == number && claim.takenAs == 0 ? claim : null;
  }

  /// The first claim that is not taken; `null` if there is none.
  QueueClaim firstKept() {
    while (keptFrom < claims.size() && claims.get(keptFrom).takenAs != 0) {
      keptFrom++;
    }
    return keptFrom < claims.size() ? claims.get(keptFrom) : null;
  }

  void take(QueueClaim claim) {
    taken++;
    claim.takenAs = taken;
  }

  /// What was taken after so many others is not any more (HELD-3).
  void keepAfter(int count) {
    for (int i = 0; i < claims.size(); i++) {
      QueueClaim claim = claims.get(i);
      if (claim.takenAs > count) {
        claim.takenAs = 0;
      }
    }
    taken = count;
    keptFrom = 0;
  }

  /// Hands on what is taken, under the take lock.
  void handOver(HeldClaims to) {
    for (QueueClaim claim : claims) {
      if (claim.takenAs > 0) {
        to.add(claim);
        to.take(claim);
        claim.owner = to;
      }
    }
    claims.removeIf(claim -> claim.owner != this);
    taken = 0;
    keptFrom = 0;
  }

  /// Drops claims, under the take lock. Makes no object (GIVE-1).
  ///
  /// @param ofTaken those that are taken
  /// @param ofKept those that are not
  void drop(QueueClaims<?> from, boolean ofTaken, boolean ofKept) {
    for (int i = claims.size() - 1; i >= 0; i--) {
      QueueClaim claim = claims.get(i);
      if (claim.takenAs > 0 ? ofTaken : ofKept) {
        from.drop(claim);
        claims.remove(i);
      }
    }
    taken = ofTaken ? 0 : taken;
    keptFrom = 0;
  }

  /// Forgets those that were stored, and dropped.
  void forgetStored() {
    taken = 0;
    for (int i = claims.size() - 1; i >= 0; i--) {
      int takenAs = claims.get(i).takenAs;
      if (takenAs == QueueClaim.STORED) {
        claims.remove(i);
      } else if (takenAs > 0) {
        taken++;
      }
    }
    keptFrom = 0;
  }
}
