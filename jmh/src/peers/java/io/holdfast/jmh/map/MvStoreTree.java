package io.holdfast.jmh.map;

import java.nio.file.Path;
import org.h2.mvstore.Cursor;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;
import org.h2.mvstore.type.LongDataType;

/// H2's MVStore with a commit for each put, which writes a chunk and does not sync, so that it
/// survives the process; the commits of its background thread are off. A retention time of 0 and no
/// old versions let it use the space of old chunks at once: they are kept for a disk that reorders
/// writes, when the power fails.
final class MvStoreTree implements BenchmarkTree {
  private static final int CACHE_MIB = 256;

  private final MVStore store;
  private final MVMap<Long, Long> map;

  MvStoreTree(Path directory) {
    store =
        new MVStore.Builder()
            .fileName(directory.resolve("tree.mv").toString())
            .autoCommitDisabled()
            .cacheSize(CACHE_MIB)
            .open();
    store.setRetentionTime(0);
    store.setVersionsToKeep(0);
    map =
        store.openMap(
            "map",
            new MVMap.Builder<Long, Long>()
                .keyType(LongDataType.INSTANCE)
                .valueType(LongDataType.INSTANCE));
  }

  @Override
  public SortedAccess longs() {
    return new SortedAccess() {
      @Override
      public void put(long key, long value) {
        map.put(key, value);
        store.commit();
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
  public void fill(long entries) {
    for (long i = 0; i < entries; i++) {
      map.put(Items.longKey(i), i);
    }
    store.commit();
  }

  @Override
  public void close() {
    store.closeImmediately();
  }
}
