package io.holdfast.jmh.map;

/// A map that is open, as benchmarks use it: by each thread through an access of its own, because
/// some peers keep buffers and transactions for a thread. It is of longs or of bytes, as its {@link
/// MapShape} says.
///
/// Thread-safe; what it hands out is not.
public interface BenchmarkMap extends AutoCloseable {
  /// The map's longs, for the calling thread.
  LongAccess longs();

  /// The map's bytes, for the calling thread.
  ByteAccess bytes();

  /// Has puts of this thread made in as few transactions as the map likes; when this returns, they
  /// survive what its puts survive.
  default void together(Runnable puts) {
    puts.run();
  }

  /// Puts the items from 0 on, with their numbers as values: what is measured comes after this.
  default void fill(long entries) {
    LongAccess access = longs();
    together(
        () -> {
          for (long i = 0; i < entries; i++) {
            access.put(Items.longKey(i), i);
          }
        });
  }

  /// The same with bytes.
  default void fillBytes(long entries, int valueBytes) {
    ByteAccess access = bytes();
    together(
        () -> {
          for (long i = 0; i < entries; i++) {
            access.put(Items.key(i), Items.value(i, valueBytes));
          }
        });
  }

  /// Closes all accesses too; their threads have finished.
  @Override
  void close();

  /// Longs to longs.
  interface LongAccess {
    /// Stores an entry; when this returns it survives the process, if the map does.
    void put(long key, long value);

    /// The value of a key that is there.
    long get(long key);
  }

  /// Bytes to bytes.
  interface ByteAccess {
    /// Stores an entry. The arrays are the map's from now on.
    void put(byte[] key, byte[] value);

    /// The value of a key that is there, in an array that nobody changes before this access is used
    /// again.
    byte[] get(byte[] key);
  }

  /// A key is not there that should be.
  final class MissingException extends IllegalStateException {
    private static final long serialVersionUID = 1;

    private MissingException(Object key) {
      super("a key is missing: key=" + key);
    }
  }

  /// Says that a key is not there that should be.
  static MissingException missing(Object key) {
    return new MissingException(key);
  }
}
