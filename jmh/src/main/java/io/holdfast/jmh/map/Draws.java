package io.holdfast.jmh.map;

/// Numbers drawn at random for one thread, quickly (Marsaglia's xorshift).
///
/// Confined to its thread.
public final class Draws {
  private long state;

  /// @param seed any; neighbours have nothing in common
  public Draws(long seed) {
    state = Items.scatter(seed) | 1;
  }

  /// All values but 0 are equally likely.
  public long next() {
    long x = state;
    x ^= x << 13;
    x ^= x >>> 7;
    x ^= x << 17;
    state = x;
    return x;
  }

  /// An item, all equally likely.
  public long item(long items) {
    return Math.unsignedMultiplyHigh(next(), items);
  }

  /// From 0 to 1, the latter excluded.
  double unit() {
    return (next() >>> 11) * 0x1p-53;
  }
}
