package io.holdfast.testkit;

import java.util.function.Function;
import java.util.function.Predicate;

/// Makes a failing cut smaller: leaves out halves, quarters, … single ones of its early stores,
/// then of its lost ones.
final class Shrinker {
  private final Predicate<Cut> fails;

  /// @param fails whether a cut is possible and still fails
  Shrinker(Predicate<Cut> fails) {
    this.fails = fails;
  }

  Cut shrink(Cut cut) {
    Cut smaller = shrink(cut, cut.early(), cut::withEarly);
    return shrink(smaller, smaller.lost(), smaller::withLost);
  }

  private Cut shrink(Cut cut, int[] stores, Function<int[], Cut> with) {
    Cut smallest = cut;
    int[] left = stores;
    for (int part = Math.max(1, left.length / 2); part > 0; part /= 2) {
      // From the last: what comes after a store in its line must be lost with it.
      for (int end = left.length; end > 0; ) {
        int[] fewer = without(left, Math.max(0, end - part), end);
        if (fails.test(with.apply(fewer))) {
          left = fewer;
          smallest = with.apply(fewer);
        }
        end -= part;
      }
    }
    return smallest;
  }

  private static int[] without(int[] stores, int from, int to) {
    int[] fewer = new int[stores.length - (to - from)];
    System.arraycopy(stores, 0, fewer, 0, from);
    System.arraycopy(stores, to, fewer, from, stores.length - to);
    return fewer;
  }
}
