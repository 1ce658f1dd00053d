package io.holdfast.jmh.map;

/// A sorted map of longs that is open, as benchmarks use it.
///
/// Thread-safe; what it hands out is not.
public interface BenchmarkTree extends BenchmarkMap {
  @Override
  SortedAccess longs();

  @Override
  default ByteAccess bytes() {
    throw new UnsupportedOperationException("trees are measured with longs");
  }

  /// Longs to longs, in the order of the keys.
  interface SortedAccess extends LongAccess {
    /// Reads entries from a key on, in order, decoding each key and each value.
    ///
    /// @param count how many, at most
    /// @return the sum of the keys and values
    long scan(long from, int count);
  }
}
