package io.holdfast.core.explorer;

import java.time.Duration;

/// What was explored.
///
/// @param stores stores of the body that change something
/// @param points crash points: prefixes of the body at which a crash was tried
/// @param images distinct images that were opened and checked
/// @param secondCrashes of them, those that a crash inside of an opening left
public record Exploration(
    String name, int stores, int points, int images, int secondCrashes, Duration duration) {
  /// Images opened and checked a minute.
  public long imagesPerMinute() {
    return images * 60_000_000_000L / Math.max(1, duration.toNanos());
  }

  @Override
  public String toString() {
    return "explored %s: stores=%d, points=%d, images=%d (%d of a second crash), %d ms, %d images/min"
        .formatted(
            name, stores, points, images, secondCrashes, duration.toMillis(), imagesPerMinute());
  }
}
