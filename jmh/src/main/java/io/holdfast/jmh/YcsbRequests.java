package io.holdfast.jmh;

import io.holdfast.jmh.map.BenchmarkMap.ByteAccess;
import io.holdfast.jmh.map.Draws;
import io.holdfast.jmh.map.Items;
import io.holdfast.jmh.map.ScrambledZipf;

/// The requests of one YCSB client.
///
/// Confined to its thread.
final class YcsbRequests {
  static final int VALUE_BYTES = 100;

  private final Draws draws;
  private final ScrambledZipf items;

  /// Of 2^32 draws.
  private final long reads;

  private long number;

  /// @param workload A or B
  /// @param client a number, so that no two draw the same
  YcsbRequests(String workload, int entries, int client) {
    draws = new Draws(client);
    items = new ScrambledZipf(entries, draws);
    double share =
        switch (workload) {
          case "A" -> 0.5;
          case "B" -> 0.95;
          default -> throw new IllegalArgumentException("no such workload: name=" + workload);
        };
    reads = (long) (share * (1L << 32));
  }

  /// Reads or updates an item.
  ///
  /// @return what was read or written
  byte[] run(ByteAccess map) {
    byte[] key = Items.key(items.item());
    if (draws.next() >>> 32 < reads) {
      return map.get(key);
    }
    byte[] value = Items.value(++number, VALUE_BYTES);
    map.put(key, value);
    return value;
  }
}
