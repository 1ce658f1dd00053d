package io.holdfast.jmh.map;

/// YCSB's request distribution: ranks of a Zipf distribution of 10^10 and 0.99, each of which
/// stands for an item anywhere. The most popular item gets some 3.8 % of the requests, however many
/// items there are, since it is the ranks that are popular (Cooper and others: "Benchmarking Cloud
/// Serving Systems with YCSB", 2010, and its `ScrambledZipfianGenerator`).
///
/// Drawn ahead, because a draw takes longer than some maps do: over and over again the same two
/// million.
///
/// Confined to its thread.
public final class ScrambledZipf {
  static final long RANKS = 10_000_000_000L;
  static final double THETA = 0.99;

  private static final int AHEAD = 1 << 21;

  private final int[] items;
  private int next;

  /// @param items how many there are
  /// @param draws what they are drawn with
  public ScrambledZipf(int items, Draws draws) {
    this(items, draws, AHEAD);
  }

  ScrambledZipf(int items, Draws draws, int ahead) {
    Zipf zipf = new Zipf(RANKS, THETA);
    this.items = new int[ahead];
    for (int i = 0; i < ahead; i++) {
      long scattered = Items.scatter(zipf.draw(draws));
      this.items[i] = (int) Math.unsignedMultiplyHigh(scattered, items);
    }
  }

  /// The next item.
  public int item() {
    next = next + 1 == items.length ? 0 : next + 1;
    return items[next];
  }
}
