package io.holdfast.jmh.map;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.BiConsumer;
import java.util.function.Function;
import jetbrains.exodus.ArrayByteIterable;
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
/// (`setLogDurableWrite(false)`); to survive a loss of power it does (`true`).
final class XodusTree implements BenchmarkTree {
  /// Its manual would have transactions not grow beyond memory.
  private static final int FILL = 100_000;

  private final Environment environment;
  private final Store store;

  /// The transaction of {@link #together}, and how many puts it has.
  private Transaction batch;

  private int puts;

  XodusTree(Path directory, boolean syncs) {
    environment =
        Environments.newInstance(
            directory.resolve("xodus").toFile(), new EnvironmentConfig().setLogDurableWrite(syncs));
    store =
        environment.computeInTransaction(
            transaction ->
                environment.openStore("map", StoreConfig.WITHOUT_DUPLICATES, transaction));
  }

  private void put(ByteIterable key, ByteIterable value) {
    if (batch == null) {
      environment.executeInTransaction(transaction -> store.put(transaction, key, value));
      return;
    }
    store.put(batch, key, value);
    if (++puts % FILL == 0) {
      batch.flush();
    }
  }

  /// What a key that is there has, decoded within the transaction.
  private <T> T get(ByteIterable key, Function<ByteIterable, T> decoder) {
    Transaction reading = environment.beginReadonlyTransaction();
    try {
      ByteIterable found = store.get(reading, key);
      if (found == null) {
        throw BenchmarkMap.missing(key);
      }
      return decoder.apply(found);
    } finally {
      reading.abort();
    }
  }

  /// Visits entries from a key on.
  private void scan(ByteIterable from, int count, BiConsumer<ByteIterable, ByteIterable> visitor) {
    Transaction reading = environment.beginReadonlyTransaction();
    try (Cursor cursor = store.openCursor(reading)) {
      int left = count;
      boolean isThere = cursor.getSearchKeyRange(from) != null;
      for (; isThere && left > 0; left--) {
        visitor.accept(cursor.getKey(), cursor.getValue());
        isThere = cursor.getNext();
      }
    } finally {
      reading.abort();
    }
  }

  private int scanBack() {
    Transaction reading = environment.beginReadonlyTransaction();
    try (Cursor cursor = store.openCursor(reading)) {
      int count = 0;
      for (boolean isThere = cursor.getLast(); isThere; isThere = cursor.getPrev()) {
        bytes(cursor.getKey());
        bytes(cursor.getValue());
        count++;
      }
      return count;
    } finally {
      reading.abort();
    }
  }

  private void remove(ByteIterable key) {
    if (!environment.computeInTransaction(transaction -> store.delete(transaction, key))) {
      throw BenchmarkMap.missing(key);
    }
  }

  private static byte[] bytes(ByteIterable bytes) {
    return Arrays.copyOf(bytes.getBytesUnsafe(), bytes.getLength());
  }

  @Override
  public SortedAccess longs() {
    return new SortedAccess() {
      @Override
      public void put(long key, long value) {
        XodusTree.this.put(LongBinding.longToEntry(key), LongBinding.longToEntry(value));
      }

      @Override
      public long get(long key) {
        return XodusTree.this.get(LongBinding.longToEntry(key), LongBinding::entryToLong);
      }

      @Override
      public long scan(long from, int count) {
        long[] sum = new long[1];
        XodusTree.this.scan(
            LongBinding.longToEntry(from),
            count,
            (key, value) ->
                sum[0] += LongBinding.entryToLong(key) + LongBinding.entryToLong(value));
        return sum[0];
      }
    };
  }

  @Override
  public SortedBytes bytes() {
    return new SortedBytes() {
      @Override
      public void put(byte[] key, byte[] value) {
        XodusTree.this.put(new ArrayByteIterable(key), new ArrayByteIterable(value));
      }

      @Override
      public byte[] get(byte[] key) {
        return XodusTree.this.get(new ArrayByteIterable(key), XodusTree::bytes);
      }

      @Override
      public byte[] scan(byte[] from, int count) {
        byte[][] last = {from};
        XodusTree.this.scan(
            new ArrayByteIterable(from),
            count,
            (key, value) -> {
              XodusTree.bytes(key);
              last[0] = XodusTree.bytes(value);
            });
        return last[0];
      }

      @Override
      public int scanBack() {
        return XodusTree.this.scanBack();
      }

      @Override
      public void remove(byte[] key) {
        XodusTree.this.remove(new ArrayByteIterable(key));
      }
    };
  }

  @Override
  public void together(Runnable manyPuts) {
    batch = environment.beginTransaction();
    try {
      manyPuts.run();
      batch.commit();
    } finally {
      batch = null;
    }
  }

  @Override
  public void close() {
    environment.close();
  }
}
