package io.holdfast.core.section.watch;

import java.time.Duration;

/// What waits for sections that are open, looked at in a race: for people.
///
/// @param sections how many have ended and wait
/// @param longestNanos how long the oldest of them has waited
/// @param blocker the thread whose open section most of the oldest 5,000 wait for
/// @param lock the class's name of the first lock that it holds; empty if that is not known, or
///   there is none
/// @param waiters how many of these wait for it
public record Waiting(long sections, long longestNanos, Thread blocker, String lock, long waiters) {
  public long longestMillis() {
    return Duration.ofNanos(longestNanos).toMillis();
  }
}
