package io.holdfast.jmh.map;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.Transaction;
import org.rocksdb.TransactionDB;
import org.rocksdb.TransactionDBOptions;
import org.rocksdb.WriteOptions;

/// RocksDB's `TransactionDB` over one key space, in {@link RocksTransfers}'s setting: a commit goes
/// to the log and is not synced. A transaction locks what it reads (`getForUpdate`).
final class RocksAccounts implements Transfers {
  private final Options options;
  private final TransactionDBOptions transactions;
  private final WriteOptions unsynced;
  private final ReadOptions reading;
  private final TransactionDB map;
  private final long entries;

  RocksAccounts(Path directory, long entries) {
    this.entries = entries;
    RocksDB.loadLibrary();
    options = RocksTransfers.options();
    transactions = new TransactionDBOptions();
    unsynced = new WriteOptions();
    reading = new ReadOptions();
    try {
      map = TransactionDB.open(options, transactions, directory.toString());
      for (long i = 0; i < entries; i++) {
        map.put(unsynced, key(i), RocksTransfers.value(0));
      }
    } catch (RocksDBException e) {
      throw new IllegalStateException(e);
    }
  }

  private static byte[] key(long item) {
    return RocksTransfers.value(Items.longKey(item));
  }

  @Override
  public void transfer(long from, long to, long amount) {
    try (Transaction transaction = map.beginTransaction(unsynced)) {
      add(transaction, key(from), -amount);
      add(transaction, key(to), amount);
      transaction.commit();
    } catch (RocksDBException e) {
      throw new IllegalStateException(e);
    }
  }

  private void add(Transaction transaction, byte[] key, long amount) throws RocksDBException {
    long value = ByteBuffer.wrap(transaction.getForUpdate(reading, key, true)).getLong();
    transaction.put(key, RocksTransfers.value(value + amount));
  }

  @Override
  public long total() {
    long sum = 0;
    try {
      for (long i = 0; i < entries; i++) {
        sum += ByteBuffer.wrap(map.get(key(i))).getLong();
      }
    } catch (RocksDBException e) {
      throw new IllegalStateException(e);
    }
    return sum;
  }

  @Override
  public void close() {
    map.close();
    reading.close();
    unsynced.close();
    transactions.close();
    options.close();
  }
}
