package io.holdfast.testkit;

import java.util.Random;
import java.util.SortedSet;
import java.util.TreeSet;

/// Chooses where there are too many images for all of them, and remembers that it had to.
final class Choice {
  private final Bounds bounds;
  private final Random random;
  private boolean tookAll = true;

  Choice(Bounds bounds, Random random) {
    this.bounds = bounds;
    this.random = random;
  }

  Bounds bounds() {
    return bounds;
  }

  Random random() {
    return random;
  }

  /// Some images are left out.
  void leftOut() {
    tookAll = false;
  }

  /// Whether no image was left out.
  boolean tookAll() {
    return tookAll;
  }

  /// Ascending numbers below a count, all if there are few: half of them from the beginning, a
  /// quarter from the end.
  SortedSet<Integer> some(int count, int most) {
    if (count > most) {
      leftOut();
    }
    SortedSet<Integer> chosen = new TreeSet<>();
    for (int i = 0; i < count && (count <= most || i < most / 2); i++) {
      chosen.add(i);
    }
    for (int i = 0; chosen.size() < Math.min(count, most); i++) {
      chosen.add(i < most / 4 ? count - 1 - i : random.nextInt(count));
    }
    return chosen;
  }
}
