package io.holdfast.testkit;

/// How far the explorer goes where there are too many images for all of them.
///
/// @param exhaustiveStores up to so many stores that could be early, all their subsets are built:
///   2^n images
/// @param picks of more, so many are taken alone, left out alone, and taken with all before them:
///   those next to the crash, some from the end, and some at random
/// @param samples and so many random subsets
/// @param pointsMax so many crash points between two release fences, or windows of a loss of power:
///   the first, the last, and some at random
public record Bounds(int exhaustiveStores, int picks, int samples, int pointsMax) {
  /// 1,024 images a point at most, some 100 where there are more.
  public static final Bounds DEFAULT = new Bounds(10, 24, 24, 400);

  /// For long bodies: 64 images a point at most, some 50 where there are more.
  public static final Bounds SPARSE = new Bounds(6, 12, 12, 60);

  /// For crashes inside of an opening, of which there are as many as there are images.
  static final Bounds OF_RECOVERY = new Bounds(5, 6, 4, 24);

  /// The same in the short form of tests.
  static final Bounds OF_RECOVERY_IN_SHORT = new Bounds(2, 2, 2, 8);

  /// About a quarter of these, for the short form of tests.
  Bounds inShort() {
    return new Bounds(
        Math.min(exhaustiveStores, 4),
        Math.ceilDiv(picks, 4),
        Math.ceilDiv(samples, 4),
        Math.min(pointsMax, 20));
  }
}
