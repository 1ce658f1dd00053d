package io.holdfast;

import io.holdfast.collections.Due;
import java.time.Instant;

/// A call that is to be accepted later, as it is stored.
///
/// @param at to the millisecond
/// @param id `null` if the caller gave none
/// @param everyMillis between one and the next; 0 for one alone
record Scheduled<A>(Instant at, String id, A argument, long everyMillis) {
  Due<Scheduled<A>> due() {
    return new Due<>(at, this);
  }

  /// As it comes next: at the first of its times that is not over.
  Scheduled<A> next(long nowMillis) {
    long over = Math.max(0, nowMillis - at.toEpochMilli()) / everyMillis;
    return new Scheduled<>(at.plusMillis((over + 1) * everyMillis), id, argument, everyMillis);
  }

  boolean isRepeatedAs(Scheduled<A> other) {
    return everyMillis == other.everyMillis && argument.equals(other.argument);
  }
}
