package io.holdfast.jmh.map;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.lmdbjava.Cursor;
import org.lmdbjava.Dbi;
import org.lmdbjava.DbiFlags;
import org.lmdbjava.Env;
import org.lmdbjava.EnvFlags;
import org.lmdbjava.GetOp;
import org.lmdbjava.Txn;

/// LMDB with a transaction for each put, as a map of single operations needs, and for each thread
/// one for reading that is renewed, as its documentation says, and buffers that are used again.
///
/// `MDB_WRITEMAP` with `MDB_MAPASYNC`: the file is mapped for writing and nobody waits for the
/// disk, which its documentation prefers to `MDB_NOSYNC`, and which survives the process. To
/// survive a loss of power, without either flag, as LMDB comes: each commit syncs. `MDB_NOTLS`: a
/// reading transaction is an object's, since it is closed by another thread than the one that used
/// it. Keys that are longs are compared as such (`MDB_INTEGERKEY`), without a sign. A scan's cursor
/// is renewed with its transaction.
final class LmdbMap implements BenchmarkTree {
  /// Several times what pages that are not full take, in address space alone.
  private static final long ROOM_FACTOR = 8;

  private static final long ROOM_MIN = 256 << 20;
  private static final int READERS_MAX = 1024;
  private static final int OVERHEAD_BYTES = 32;

  private final MapShape shape;
  private final Env<ByteBuffer> env;
  private final Dbi<ByteBuffer> map;
  private final Queue<Access> accesses = new ConcurrentLinkedQueue<>();

  /// The transaction of {@link #together}.
  private Txn<ByteBuffer> batch;

  LmdbMap(Path directory, MapShape shape, boolean syncs) {
    this.shape = shape;
    long bytes = shape.keyBytes() + shape.valueBytes() + OVERHEAD_BYTES;
    env =
        Env.create()
            .setMapSize(Math.max(ROOM_MIN, ROOM_FACTOR * bytes * shape.entries()))
            .setMaxDbs(1)
            .setMaxReaders(READERS_MAX)
            .open(directory.toFile(), flags(syncs));
    map =
        shape.isOfLongs()
            ? env.openDbi("map", DbiFlags.MDB_CREATE, DbiFlags.MDB_INTEGERKEY)
            : env.openDbi("map", DbiFlags.MDB_CREATE);
  }

  private static EnvFlags[] flags(boolean syncs) {
    return syncs
        ? new EnvFlags[] {EnvFlags.MDB_NOTLS}
        : new EnvFlags[] {EnvFlags.MDB_WRITEMAP, EnvFlags.MDB_MAPASYNC, EnvFlags.MDB_NOTLS};
  }

  private static ByteBuffer buffer(int bytes) {
    return ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
  }

  private final class Access implements SortedAccess, SortedBytes {
    private final ByteBuffer key = buffer(shape.keyBytes());
    private final ByteBuffer value = buffer(shape.valueBytes());
    private final Txn<ByteBuffer> reading = env.txnRead();
    private final Cursor<ByteBuffer> cursor = map.openCursor(reading);

    Access() {
      reading.reset();
      accesses.add(this);
    }

    @Override
    public void put(long itsKey, long itsValue) {
      key.putLong(0, itsKey);
      value.putLong(0, itsValue);
      put();
    }

    @Override
    public void put(byte[] itsKey, byte[] itsValue) {
      key.put(0, itsKey);
      value.put(0, itsValue);
      put();
    }

    private void put() {
      if (batch != null) {
        map.put(batch, key, value);
        return;
      }
      try (Txn<ByteBuffer> writing = env.txnWrite()) {
        map.put(writing, key, value);
        writing.commit();
      }
    }

    @Override
    public long get(long itsKey) {
      key.putLong(0, itsKey);
      reading.renew();
      try {
        return number(found());
      } finally {
        reading.reset();
      }
    }

    @Override
    public byte[] get(byte[] itsKey) {
      key.put(0, itsKey);
      reading.renew();
      try {
        byte[] copy = new byte[shape.valueBytes()];
        found().get(0, copy);
        return copy;
      } finally {
        reading.reset();
      }
    }

    @Override
    public long scan(long from, int count) {
      key.putLong(0, from);
      reading.renew();
      try {
        cursor.renew(reading);
        long sum = 0;
        int left = count;
        boolean isThere = cursor.get(key, GetOp.MDB_SET_RANGE);
        for (; isThere && left > 0; left--) {
          sum += number(cursor.key()) + number(cursor.val());
          isThere = cursor.next();
        }
        return sum;
      } finally {
        reading.reset();
      }
    }

    @Override
    public byte[] scan(byte[] from, int count) {
      key.put(0, from);
      reading.renew();
      try {
        cursor.renew(reading);
        byte[] itsKey = new byte[shape.keyBytes()];
        byte[] last = from;
        int left = count;
        boolean isThere = cursor.get(key, GetOp.MDB_SET_RANGE);
        for (; isThere && left > 0; left--) {
          cursor.key().get(0, itsKey);
          last = new byte[shape.valueBytes()];
          cursor.val().get(0, last);
          isThere = cursor.next();
        }
        return last;
      } finally {
        reading.reset();
      }
    }

    @Override
    public int scanBack() {
      reading.renew();
      try {
        cursor.renew(reading);
        byte[] itsKey = new byte[shape.keyBytes()];
        int count = 0;
        for (boolean isThere = cursor.last(); isThere; isThere = cursor.prev()) {
          cursor.key().get(0, itsKey);
          cursor.val().get(0, new byte[shape.valueBytes()]);
          count++;
        }
        return count;
      } finally {
        reading.reset();
      }
    }

    @Override
    public void remove(byte[] itsKey) {
      key.put(0, itsKey);
      try (Txn<ByteBuffer> writing = env.txnWrite()) {
        if (!map.delete(writing, key)) {
          throw BenchmarkMap.missing(shape.keyBytes() + " bytes");
        }
        writing.commit();
      }
    }

    private static long number(ByteBuffer bytes) {
      return bytes.order(ByteOrder.nativeOrder()).getLong(0);
    }

    private ByteBuffer found() {
      ByteBuffer found = map.get(reading, key);
      if (found == null) {
        throw BenchmarkMap.missing(shape.keyBytes() + " bytes");
      }
      return found;
    }
  }

  @Override
  public SortedAccess longs() {
    return new Access();
  }

  @Override
  public SortedBytes bytes() {
    return new Access();
  }

  @Override
  public void together(Runnable puts) {
    try (Txn<ByteBuffer> writing = env.txnWrite()) {
      batch = writing;
      puts.run();
      writing.commit();
    } finally {
      batch = null;
    }
  }

  @Override
  public void close() {
    accesses.forEach(
        access -> {
          access.cursor.close();
          access.reading.close();
        });
    env.close();
  }
}
