package io.holdfast.jmh.map;

/// How far back among the latest items a request goes: 0 most often, as Zipf has it (YCSB's
/// `SkewedLatestGenerator`). Drawn ahead, as {@link ScrambledZipf} does.
///
/// Confined to its thread.
final class RecentRanks {
  private static final int AHEAD = 1 << 21;

  private final int[] ranks = new int[AHEAD];
  private int next;

  /// @param items as far back as this, at most
  RecentRanks(int items, Draws draws) {
    Zipf zipf = new Zipf(items, ScrambledZipf.THETA);
    for (int i = 0; i < AHEAD; i++) {
      ranks[i] = (int) zipf.draw(draws) - 1;
    }
  }

  int rank() {
    next = next + 1 & AHEAD - 1;
    return ranks[next];
  }
}
