package io.holdfast.jmh.map;

/// A sorted map that is open, as benchmarks use it.
///
/// Thread-safe; what it hands out is not.
public interface BenchmarkTree extends BenchmarkMap {
  @Override
  SortedAccess longs();

  @Override
  SortedBytes bytes();

  /// Longs to longs, in the order of the keys.
  interface SortedAccess extends LongAccess {
    /// Reads entries from a key on, in order, decoding each key and each value.
    ///
    /// @param count how many, at most
    /// @return the sum of the keys and values
    long scan(long from, int count);
  }

  /// Bytes to bytes, in the order of the keys' bytes, without a sign.
  interface SortedBytes extends ByteAccess {
    /// Reads entries from a key on, in order, each key and each value into an array.
    ///
    /// @param count how many, at most
    /// @return the last value
    byte[] scan(byte[] from, int count);

    /// Reads all entries, the last first, each key and each value into an array.
    ///
    /// @return how many
    int scanBack();

    /// Removes an entry that is there; what a put survives, this survives when it returns.
    void remove(byte[] key);
  }
}
