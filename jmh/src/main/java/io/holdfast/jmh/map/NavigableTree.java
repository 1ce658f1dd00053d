package io.holdfast.jmh.map;

import java.util.Map;
import java.util.NavigableMap;

/// A tree that is a {@link NavigableMap} of boxed longs or of arrays, and so are its scans.
abstract class NavigableTree implements BenchmarkTree {
  /// The map of all threads, of longs.
  abstract NavigableMap<Long, Long> map();

  /// The map of all threads, of bytes.
  abstract NavigableMap<byte[], byte[]> byteMap();

  /// A put or a removal was made: it must survive now, if the map does.
  void putMade() {
    // As a rule it does when the map has it.
  }

  @Override
  public SortedAccess longs() {
    NavigableMap<Long, Long> map = map();
    return new SortedAccess() {
      @Override
      public void put(long key, long value) {
        map.put(key, value);
        putMade();
      }

      @Override
      public long get(long key) {
        Long found = map.get(key);
        if (found == null) {
          throw BenchmarkMap.missing(key);
        }
        return found;
      }

      @Override
      public long scan(long from, int count) {
        long sum = 0;
        int left = count;
        for (Map.Entry<Long, Long> entry : map.tailMap(from, true).entrySet()) {
          sum += entry.getKey() + entry.getValue();
          if (--left == 0) {
            break;
          }
        }
        return sum;
      }
    };
  }

  @Override
  public SortedBytes bytes() {
    NavigableMap<byte[], byte[]> map = byteMap();
    return new SortedBytes() {
      @Override
      public void put(byte[] key, byte[] value) {
        map.put(key, value);
        putMade();
      }

      @Override
      public byte[] get(byte[] key) {
        byte[] found = map.get(key);
        if (found == null) {
          throw BenchmarkMap.missing(key.length + " bytes");
        }
        return found;
      }

      @Override
      public byte[] scan(byte[] from, int count) {
        byte[] last = from;
        int left = count;
        for (Map.Entry<byte[], byte[]> entry : map.tailMap(from, true).entrySet()) {
          last = entry.getValue();
          if (--left == 0) {
            break;
          }
        }
        return last;
      }

      @Override
      public int scanBack() {
        int count = 0;
        for (Map.Entry<byte[], byte[]> entry : map.descendingMap().entrySet()) {
          count += entry.getKey().length > 0 && entry.getValue().length > 0 ? 1 : 0;
        }
        return count;
      }

      @Override
      public void remove(byte[] key) {
        if (map.remove(key) == null) {
          throw BenchmarkMap.missing(key.length + " bytes");
        }
        putMade();
      }
    };
  }
}
