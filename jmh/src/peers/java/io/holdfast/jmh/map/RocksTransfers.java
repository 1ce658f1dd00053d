package io.holdfast.jmh.map;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/// RocksDB with both collections in one key space, told apart by the key's first byte, and a batch
/// over both that is not synced.
final class RocksTransfers implements Transfers {
  private static final byte FIRST = 1, SECOND = 2;

  private final Options options;
  private final WriteOptions unsynced;
  private final RocksDB map;
  private final long entries;

  RocksTransfers(Path directory, long entries) {
    this.entries = entries;
    RocksDB.loadLibrary();
    options = options();
    unsynced = new WriteOptions();
    try {
      map = RocksDB.open(options, directory.toString());
      for (long i = 0; i < entries; i++) {
        map.put(unsynced, key(FIRST, i), value(0));
        map.put(unsynced, key(SECOND, i), value(0));
      }
    } catch (RocksDBException e) {
      throw new IllegalStateException(e);
    }
  }

  static Options options() {
    return new Options().setCreateIfMissing(true).setMaxBackgroundJobs(4);
  }

  private static byte[] key(byte collection, long item) {
    return ByteBuffer.allocate(1 + Long.BYTES).put(collection).putLong(Items.longKey(item)).array();
  }

  static byte[] value(long value) {
    return ByteBuffer.allocate(Long.BYTES).putLong(value).array();
  }

  private long get(byte collection, long item) throws RocksDBException {
    return ByteBuffer.wrap(map.get(key(collection, item))).getLong();
  }

  @Override
  public void transfer(long from, long to, long amount) {
    try (WriteBatch batch = new WriteBatch()) {
      batch.put(key(FIRST, from), value(get(FIRST, from) - amount));
      batch.put(key(SECOND, to), value(get(SECOND, to) + amount));
      map.write(unsynced, batch);
    } catch (RocksDBException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public long total() {
    long sum = 0;
    try {
      for (long i = 0; i < entries; i++) {
        sum += get(FIRST, i) + get(SECOND, i);
      }
    } catch (RocksDBException e) {
      throw new IllegalStateException(e);
    }
    return sum;
  }

  @Override
  public void close() {
    map.close();
    unsynced.close();
    options.close();
  }
}
