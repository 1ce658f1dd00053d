package io.holdfast.jmh.map;

import java.util.Arrays;
import java.util.concurrent.ConcurrentHashMap;

/// The ceiling: a `ConcurrentHashMap`, which survives nothing. It is given its capacity, and it
/// keeps the very objects.
final class ConcurrentMaps implements BenchmarkMap {
  private final int entries;

  private ConcurrentHashMap<Long, Long> longs;
  private ConcurrentHashMap<Key, byte[]> bytes;

  ConcurrentMaps(MapShape shape) {
    entries = Math.toIntExact(shape.entries());
    if (shape.isOfLongs()) {
      longs = new ConcurrentHashMap<>(entries);
    } else {
      bytes = new ConcurrentHashMap<>(entries);
    }
  }

  /// An array as a key: equal by what it holds. Its hash is cheap, because its bytes are random.
  private record Key(byte[] content) {
    @Override
    public boolean equals(Object other) {
      return other instanceof Key(byte[] its) && Arrays.equals(content, its);
    }

    @Override
    public int hashCode() {
      return Long.hashCode(Items.number(content));
    }
  }

  @Override
  public LongAccess longs() {
    ConcurrentHashMap<Long, Long> map = longs;
    return new LongAccess() {
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
    };
  }

  @Override
  public ByteAccess bytes() {
    ConcurrentHashMap<Key, byte[]> map = bytes;
    return new ByteAccess() {
      @Override
      public void put(byte[] key, byte[] value) {
        map.put(new Key(key), value);
      }

      @Override
      public byte[] get(byte[] key) {
        return map.get(new Key(key));
      }
    };
  }

  @Override
  public void close() {
    longs = null;
    bytes = null;
  }
}
