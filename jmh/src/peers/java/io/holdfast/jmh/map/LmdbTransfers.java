package io.holdfast.jmh.map;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import org.lmdbjava.Dbi;
import org.lmdbjava.DbiFlags;
import org.lmdbjava.Env;
import org.lmdbjava.EnvFlags;
import org.lmdbjava.Txn;

/// LMDB with two databases and a transaction over both, in {@link LmdbMap}'s setting.
final class LmdbTransfers implements Transfers {
  private static final long ROOM = 1L << 32;

  private final Env<ByteBuffer> env;
  private final Dbi<ByteBuffer> first;
  private final Dbi<ByteBuffer> second;
  private final long entries;
  private final ByteBuffer key = buffer();
  private final ByteBuffer value = buffer();

  LmdbTransfers(Path directory, long entries) {
    this.entries = entries;
    env =
        Env.create()
            .setMapSize(ROOM)
            .setMaxDbs(2)
            .open(
                directory.toFile(),
                EnvFlags.MDB_WRITEMAP,
                EnvFlags.MDB_MAPASYNC,
                EnvFlags.MDB_NOTLS);
    first = env.openDbi("first", DbiFlags.MDB_CREATE, DbiFlags.MDB_INTEGERKEY);
    second = env.openDbi("second", DbiFlags.MDB_CREATE, DbiFlags.MDB_INTEGERKEY);
    try (Txn<ByteBuffer> writing = env.txnWrite()) {
      for (long i = 0; i < entries; i++) {
        key.putLong(0, Items.longKey(i));
        value.putLong(0, 0);
        first.put(writing, key, value);
        second.put(writing, key, value);
      }
      writing.commit();
    }
  }

  private static ByteBuffer buffer() {
    return ByteBuffer.allocateDirect(Long.BYTES).order(ByteOrder.nativeOrder());
  }

  private long get(Dbi<ByteBuffer> map, Txn<ByteBuffer> transaction, long item) {
    key.putLong(0, Items.longKey(item));
    return map.get(transaction, key).order(ByteOrder.nativeOrder()).getLong(0);
  }

  private void add(Dbi<ByteBuffer> map, Txn<ByteBuffer> writing, long item, long amount) {
    value.putLong(0, get(map, writing, item) + amount);
    map.put(writing, key, value);
  }

  @Override
  public void transfer(long from, long to, long amount) {
    try (Txn<ByteBuffer> writing = env.txnWrite()) {
      add(first, writing, from, -amount);
      add(second, writing, to, amount);
      writing.commit();
    }
  }

  @Override
  public long total() {
    long sum = 0;
    try (Txn<ByteBuffer> reading = env.txnRead()) {
      for (long i = 0; i < entries; i++) {
        sum += get(first, reading, i) + get(second, reading, i);
      }
    }
    return sum;
  }

  @Override
  public void close() {
    env.close();
  }
}
