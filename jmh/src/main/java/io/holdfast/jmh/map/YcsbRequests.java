package io.holdfast.jmh.map;

import io.holdfast.jmh.map.BenchmarkMap.ByteAccess;
import io.holdfast.jmh.map.BenchmarkTree.SortedBytes;
import io.holdfast.jmh.map.Workload.Drawn;

/// The requests of one YCSB client.
///
/// What a client inserts has numbers of its own, and it is the latest for this client alone: so
/// that clients share nothing but the map.
///
/// Confined to its thread.
public final class YcsbRequests {
  private static final int SCANNED_MAX = 100;

  private final Workload workload;
  private final int entries;
  private final int valueBytes;
  private final int client;
  private final int clients;
  private final Draws draws;
  private final ScrambledZipf popular;
  private final RecentRanks recent;
  private long inserted;
  private long number;

  /// @param entries that are in the map already: items from 0 on
  /// @param client from 0, so that no two draw or insert the same
  /// @param clients how many there are
  public YcsbRequests(Workload workload, int entries, int valueBytes, int client, int clients) {
    this.workload = workload;
    this.entries = entries;
    this.valueBytes = valueBytes;
    this.client = client;
    this.clients = clients;
    draws = new Draws(client);
    popular = workload.drawn == Drawn.ZIPFIAN ? new ScrambledZipf(entries, draws) : null;
    recent = workload.drawn == Drawn.LATEST ? new RecentRanks(entries, draws) : null;
  }

  /// Makes a request.
  ///
  /// @return what was read or written
  public byte[] run(ByteAccess map) {
    boolean reads = draws.next() >>> 32 < workload.reads;
    if (!reads && workload.inserts()) {
      return put(map, Items.key(newItem(inserted++)));
    }
    byte[] key = Items.key(item());
    if (reads) {
      return workload.scans() ? scan((SortedBytes) map, key) : map.get(key);
    }
    return workload.rest == Workload.Rest.UPDATE ? put(map, key) : readAndPut(map, key);
  }

  private byte[] scan(SortedBytes map, byte[] key) {
    return map.scan(key, 1 + (int) draws.item(SCANNED_MAX));
  }

  private byte[] put(ByteAccess map, byte[] key) {
    byte[] value = Items.value(++number, valueBytes);
    map.put(key, value);
    return value;
  }

  /// The new value follows from the old one.
  private byte[] readAndPut(ByteAccess map, byte[] key) {
    byte[] value = Items.value(Items.number(map.get(key)) + 1, valueBytes);
    map.put(key, value);
    return value;
  }

  private long item() {
    return switch (workload.drawn) {
      case ZIPFIAN -> popular.item();
      case UNIFORM -> draws.item(entries);
      case LATEST -> {
        long index = entries + inserted - 1 - recent.rank();
        yield index < entries ? index : newItem(index - entries);
      }
    };
  }

  private long newItem(long count) {
    return entries + count * clients + client;
  }
}
