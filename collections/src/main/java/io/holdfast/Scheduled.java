package io.holdfast;

import io.holdfast.collections.Due;
import java.time.Instant;
import java.util.Objects;

/// A call that is to be accepted later, as it is stored.
///
/// @param at to the millisecond
/// @param id `null` if the caller gave none
/// @param everyMillis between one and the next; 0 for one alone
/// @param version of the function that it was scheduled for
record Scheduled<A>(Instant at, String id, A argument, long everyMillis, int version) {
  Due<Scheduled<A>> due() {
    return new Due<>(at, this);
  }

  /// As it comes next: at the first of its times that is not over.
  Scheduled<A> next(long nowMillis) {
    long over = Math.max(0, nowMillis - at.toEpochMilli()) / everyMillis;
    return new Scheduled<>(
        at.plusMillis((over + 1) * everyMillis), id, argument, everyMillis, version);
  }

  /// Whether a repetition was put off while the system's clock ran ahead: the next call is at most
  /// a period from now, or the first one. Two periods, for a clock may also have been set back a
  /// little.
  ///
  /// @param anew the same, as it would begin now
  boolean isPutOff(Scheduled<A> anew, long nowMillis) {
    return at.isAfter(anew.at) && at.toEpochMilli() - nowMillis > 2 * everyMillis;
  }

  Scheduled<A> withArgument(A other) {
    return new Scheduled<>(at, id, other, everyMillis, version);
  }

  Scheduled<A> upgraded(int newVersion, A other) {
    return new Scheduled<>(at, id, other, everyMillis, newVersion);
  }

  /// Without the argument: one that is an array, or has one, is equal to none that was read. Of an
  /// id there is one call (SCHEDULE-2).
  @Override
  public boolean equals(Object other) {
    return other instanceof Scheduled<?> call
        && at.equals(call.at)
        && Objects.equals(id, call.id)
        && everyMillis == call.everyMillis;
  }

  @Override
  public int hashCode() {
    return Objects.hash(at, id, everyMillis);
  }
}
