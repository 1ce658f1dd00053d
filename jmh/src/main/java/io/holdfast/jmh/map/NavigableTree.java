package io.holdfast.jmh.map;

import java.util.Map;
import java.util.NavigableMap;

/// A tree that is a {@link NavigableMap} of boxed longs, and so are its scans.
abstract class NavigableTree implements BenchmarkTree {
  /// The map of all threads.
  abstract NavigableMap<Long, Long> map();

  @Override
  public SortedAccess longs() {
    NavigableMap<Long, Long> map = map();
    return new SortedAccess() {
      @Override
      public void put(long key, long value) {
        map.put(key, value);
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
}
