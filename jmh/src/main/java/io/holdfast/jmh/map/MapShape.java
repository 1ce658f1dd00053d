package io.holdfast.jmh.map;

/// What a map will hold: some peers must know it when they are created.
///
/// @param entries how many
/// @param keyBytes of each key
/// @param valueBytes of each value
public record MapShape(long entries, int keyBytes, int valueBytes) {
  /// Longs to longs.
  public static MapShape ofLongs(long entries) {
    return new MapShape(entries, Long.BYTES, Long.BYTES);
  }

  /// YCSB's, as issue and paper have them: keys of 16 bytes, values of 100.
  public static MapShape ofYcsb(long entries) {
    return new MapShape(entries, 16, 100);
  }

  boolean isOfLongs() {
    return keyBytes == Long.BYTES && valueBytes == Long.BYTES;
  }
}
