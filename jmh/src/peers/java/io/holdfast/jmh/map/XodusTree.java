package io.holdfast.jmh.map;

import java.nio.file.Path;
import jetbrains.exodus.ByteIterable;
import jetbrains.exodus.bindings.LongBinding;
import jetbrains.exodus.env.Cursor;
import jetbrains.exodus.env.Environment;
import jetbrains.exodus.env.EnvironmentConfig;
import jetbrains.exodus.env.Environments;
import jetbrains.exodus.env.Store;
import jetbrains.exodus.env.StoreConfig;
import jetbrains.exodus.env.Transaction;

/// Xodus with a transaction for each put, and for each get or scan one that only reads. Its default
/// writes to the file at a commit and does not sync, so that it survives the process
/// (`setLogDurableWrite(false)`).
final class XodusTree implements BenchmarkTree {
  /// Its manual would have transactions not grow beyond memory.
  private static final int FILL = 100_000;

  private final Environment environment;
  private final Store store;

  XodusTree(Path directory) {
    environment =
        Environments.newInstance(
            directory.resolve("xodus").toFile(), new EnvironmentConfig().setLogDurableWrite(false));
    store =
        environment.computeInTransaction(
            transaction ->
                environment.openStore("map", StoreConfig.WITHOUT_DUPLICATES, transaction));
  }

  private void put(Transaction transaction, long key, long value) {
    store.put(transaction, LongBinding.longToEntry(key), LongBinding.longToEntry(value));
  }

  @Override
  public SortedAccess longs() {
    return new SortedAccess() {
      @Override
      public void put(long key, long value) {
        environment.executeInTransaction(
            transaction -> XodusTree.this.put(transaction, key, value));
      }

      @Override
      public long get(long key) {
        Transaction reading = environment.beginReadonlyTransaction();
        try {
          ByteIterable found = store.get(reading, LongBinding.longToEntry(key));
          if (found == null) {
            throw BenchmarkMap.missing(key);
          }
          return LongBinding.entryToLong(found);
        } finally {
          reading.abort();
        }
      }

      @Override
      public long scan(long from, int count) {
        Transaction reading = environment.beginReadonlyTransaction();
        try (Cursor cursor = store.openCursor(reading)) {
          long sum = 0;
          int left = count;
          boolean isThere = cursor.getSearchKeyRange(LongBinding.longToEntry(from)) != null;
          for (; isThere && left > 0; left--) {
            sum +=
                LongBinding.entryToLong(cursor.getKey())
                    + LongBinding.entryToLong(cursor.getValue());
            isThere = cursor.getNext();
          }
          return sum;
        } finally {
          reading.abort();
        }
      }
    };
  }

  @Override
  public void fill(long entries) {
    for (long from = 0; from < entries; from += FILL) {
      long first = from;
      environment.executeInTransaction(
          transaction -> {
            for (long i = first; i < Math.min(entries, first + FILL); i++) {
              put(transaction, Items.longKey(i), i);
            }
          });
    }
  }

  @Override
  public void close() {
    environment.close();
  }
}
