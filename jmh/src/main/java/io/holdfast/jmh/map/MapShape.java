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

  /// YCSB's: keys of 16 bytes.
  public static MapShape ofYcsb(long entries, int valueBytes) {
    return new MapShape(entries, 16, valueBytes);
  }

  boolean isOfLongs() {
    return keyBytes == Long.BYTES && valueBytes == Long.BYTES;
  }
}
