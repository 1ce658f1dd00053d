package io.holdfast.jmh.map;

import java.nio.file.Path;
import org.h2.mvstore.Cursor;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;
import org.h2.mvstore.type.ByteArrayDataType;
import org.h2.mvstore.type.DataType;
import org.h2.mvstore.type.LongDataType;

/// H2's MVStore with a commit for each put, which writes a chunk and does not sync, so that it
/// survives the process; the commits of its background thread are off. A retention time of 0 lets
/// it use the space of old chunks at once: they are kept for a disk that reorders writes, when the
/// power fails. To survive that, each commit is followed by `sync`, and the retention time is the
/// default. Old versions are kept as it does by default: with none, two threads that put and commit
/// come upon chunks that are gone.
final class MvStoreTree implements BenchmarkTree {
  private static final int CACHE_MIB = 256;

  /// Puts of one commit in {@link #together}: what is not committed is in the heap.
  private static final int TOGETHER = 10_000;

  private final MVStore store;
  private final boolean syncs;

  /// Puts so far in {@link #together}; -1 outside.
  private int together = -1;

  MvStoreTree(Path directory, boolean syncs) {
    this.syncs = syncs;
    store = open(directory, syncs);
  }

  static MVStore open(Path directory, boolean syncs) {
    MVStore store =
        new MVStore.Builder()
            .fileName(directory.resolve("tree.mv").toString())
            .autoCommitDisabled()
            .cacheSize(CACHE_MIB)
            .open();
    if (!syncs) {
      store.setRetentionTime(0);
    }
    return store;
  }

  private <T> MVMap<T, T> map(DataType<T> type) {
    return store.openMap("map", new MVMap.Builder<T, T>().keyType(type).valueType(type));
  }

  private void putMade() {
    if (together >= 0 && ++together % TOGETHER != 0) {
      return;
    }
    store.commit();
    if (syncs && together < 0) {
      store.sync();
    }
  }

  @Override
  public void together(Runnable puts) {
    together = 0;
    try {
      puts.run();
    } finally {
      together = -1;
    }
    putMade();
  }

  @Override
  public SortedAccess longs() {
    MVMap<Long, Long> map = map(LongDataType.INSTANCE);
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
        Cursor<Long, Long> cursor = map.cursor(from);
        long sum = 0;
        for (int left = count; left > 0 && cursor.hasNext(); left--) {
          sum += cursor.next() + cursor.getValue();
        }
        return sum;
      }
    };
  }

  @Override
  public SortedBytes bytes() {
    MVMap<byte[], byte[]> map = map(ByteArrayDataType.INSTANCE);
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
        Cursor<byte[], byte[]> cursor = map.cursor(from);
        byte[] last = from;
        for (int left = count; left > 0 && cursor.hasNext(); left--) {
          cursor.next();
          last = cursor.getValue();
        }
        return last;
      }

      @Override
      public int scanBack() {
        Cursor<byte[], byte[]> cursor = map.cursor(map.lastKey(), null, true);
        int count = 0;
        for (; cursor.hasNext(); cursor.next()) {
          count++;
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

  @Override
  public void close() {
    store.closeImmediately();
  }
}
