package io.holdfast.testkit;

import io.holdfast.core.Durability;
import java.time.Duration;

/// What was explored.
///
/// @param stores stores of the body that change something
/// @param points crash points: prefixes of the body at which a crash was tried
/// @param images distinct images that were opened and checked
/// @param secondCrashes of them, those that a crash inside of an opening left
/// @param bounds how far all images of the body were built
/// @param isWhole whether that was all of them; else the rest was sampled
/// @param seed of the samples
public record Exploration(
    String name,
    Durability durability,
    int stores,
    int points,
    int images,
    int secondCrashes,
    Bounds bounds,
    boolean isWhole,
    long seed,
    Duration duration) {
  /// Images opened and checked a minute.
  public long imagesPerMinute() {
    return images * 60_000_000_000L / Math.max(1, duration.toNanos());
  }

  @Override
  public String toString() {
    return "explored %s, %s: stores=%d, points=%d, images=%d (%d of a second crash), %s; %d ms, %d images/min"
        .formatted(
            name,
            durability,
            stores,
            points,
            images,
            secondCrashes,
            isWhole
                ? "all there are"
                : "all up to %d a point, then a sample, seed=%d"
                    .formatted(1 << bounds.exhaustiveStores(), seed),
            duration.toMillis(),
            imagesPerMinute());
  }
}
