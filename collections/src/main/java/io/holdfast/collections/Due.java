package io.holdfast.collections;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.Delayed;
import java.util.concurrent.TimeUnit;

/// An element of a {@link PersistentDelayQueue} and when it is due, by the system's clock.
///
/// They are ordered by time alone, and equal if both parts are.
///
/// @param at to the millisecond; what is finer is cut off
/// @param element not `null`
public record Due<E>(Instant at, E element) implements Delayed {
  /// @throws IllegalArgumentException if the time is more than 292 million years from 1970
  public Due {
    Objects.requireNonNull(at, "at");
    Objects.requireNonNull(element, "element");
    try {
      at = Instant.ofEpochMilli(at.toEpochMilli());
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException(
          "no time that a delay queue can have: at=%s, min=%s, max=%s"
              .formatted(
                  at, Instant.ofEpochMilli(Long.MIN_VALUE), Instant.ofEpochMilli(Long.MAX_VALUE)),
          e);
    }
  }

  /// How long it is until then; negative when it is due.
  @Override
  public long getDelay(TimeUnit unit) {
    Instant now = Instant.ofEpochMilli(System.currentTimeMillis());
    return unit.convert(Duration.between(now, at)); // which is no overflow
  }

  @Override
  public int compareTo(Delayed other) {
    return other instanceof Due<?> due
        ? at.compareTo(due.at)
        : Long.compare(getDelay(TimeUnit.MILLISECONDS), other.getDelay(TimeUnit.MILLISECONDS));
  }
}
