package io.holdfast.jmh.map;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.file.Path;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.Cache;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteOptions;

/// RocksDB with the options that its wiki recommends to begin with ("Setup Options and Basic
/// Tuning"): background jobs, a Bloom filter of 10 bits, blocks of 16 KiB in a cache, here one that
/// holds everything. A write goes to the log and is not synced (the default), which survives the
/// process; to survive a loss of power it is synced (`setSync(true)`).
final class RocksMap implements BenchmarkMap {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
  private static final long CACHE_BYTES = 1 << 30;

  private final Cache cache;
  private final Options options;
  private final WriteOptions each;
  private final WriteOptions unsynced;
  private WriteOptions current;
  private final RocksDB map;

  RocksMap(Path directory, boolean syncs) {
    RocksDB.loadLibrary();
    cache = new LRUCache(CACHE_BYTES);
    options =
        new Options()
            .setCreateIfMissing(true)
            .setMaxBackgroundJobs(4)
            .setBytesPerSync(1 << 20)
            .setTableFormatConfig(
                new BlockBasedTableConfig()
                    .setBlockSize(16 << 10)
                    .setBlockCache(cache)
                    .setCacheIndexAndFilterBlocks(true)
                    .setPinL0FilterAndIndexBlocksInCache(true)
                    .setFilterPolicy(new BloomFilter(10)));
    unsynced = new WriteOptions();
    each = new WriteOptions().setSync(syncs);
    current = each;
    try {
      map = RocksDB.open(options, directory.toString());
    } catch (RocksDBException e) {
      throw new IllegalStateException(e);
    }
  }

  private void put(byte[] key, byte[] value) {
    try {
      map.put(current, key, value);
    } catch (RocksDBException e) {
      throw new IllegalStateException(e);
    }
  }

  private byte[] get(byte[] key) {
    try {
      byte[] found = map.get(key);
      if (found == null) {
        throw BenchmarkMap.missing(key.length + " bytes");
      }
      return found;
    } catch (RocksDBException e) {
      throw new IllegalStateException(e);
    }
  }

  private static byte[] bytes(long word) {
    byte[] bytes = new byte[Long.BYTES];
    LONGS.set(bytes, 0, word);
    return bytes;
  }

  @Override
  public LongAccess longs() {
    return new LongAccess() {
      @Override
      public void put(long key, long value) {
        RocksMap.this.put(RocksMap.bytes(key), RocksMap.bytes(value));
      }

      @Override
      public long get(long key) {
        return (long) LONGS.get(RocksMap.this.get(RocksMap.bytes(key)), 0);
      }
    };
  }

  @Override
  public ByteAccess bytes() {
    return new ByteAccess() {
      @Override
      public void put(byte[] key, byte[] value) {
        RocksMap.this.put(key, value);
      }

      @Override
      public byte[] get(byte[] key) {
        return RocksMap.this.get(key);
      }
    };
  }

  @Override
  public void together(Runnable puts) {
    current = unsynced;
    try {
      puts.run();
      map.flushWal(true);
    } catch (RocksDBException e) {
      throw new IllegalStateException(e);
    } finally {
      current = each;
    }
  }

  @Override
  public void close() {
    map.close();
    each.close();
    unsynced.close();
    options.close();
    cache.close();
  }
}
