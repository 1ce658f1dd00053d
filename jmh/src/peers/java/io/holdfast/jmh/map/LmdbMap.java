package io.holdfast.jmh.map;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.lmdbjava.Dbi;
import org.lmdbjava.DbiFlags;
import org.lmdbjava.Env;
import org.lmdbjava.EnvFlags;
import org.lmdbjava.Txn;

/// LMDB with a transaction for each put, as a map of single operations needs, and for each thread
/// one for reading that is renewed, as its documentation says, and buffers that are used again.
///
/// `MDB_WRITEMAP` with `MDB_MAPASYNC`: the file is mapped for writing and nobody waits for the
/// disk, which its documentation prefers to `MDB_NOSYNC`, and which survives the process.
/// `MDB_NOTLS`: a reading transaction is an object's, since it is closed by another thread than the
/// one that used it. Keys that are longs are compared as such (`MDB_INTEGERKEY`).
final class LmdbMap implements BenchmarkMap {
  /// Several times what pages that are not full take, in address space alone.
  private static final long ROOM_FACTOR = 8;

  private static final long ROOM_MIN = 256 << 20;
  private static final int READERS_MAX = 16;
  private static final int OVERHEAD_BYTES = 32;

  private final MapShape shape;
  private final Env<ByteBuffer> env;
  private final Dbi<ByteBuffer> map;
  private final Queue<Access> accesses = new ConcurrentLinkedQueue<>();

  LmdbMap(Path directory, MapShape shape) {
    this.shape = shape;
    long bytes = shape.keyBytes() + shape.valueBytes() + OVERHEAD_BYTES;
    env =
        Env.create()
            .setMapSize(Math.max(ROOM_MIN, ROOM_FACTOR * bytes * shape.entries()))
            .setMaxDbs(1)
            .setMaxReaders(READERS_MAX)
            .open(
                directory.toFile(),
                EnvFlags.MDB_WRITEMAP,
                EnvFlags.MDB_MAPASYNC,
                EnvFlags.MDB_NOTLS);
    map =
        shape.isOfLongs()
            ? env.openDbi("map", DbiFlags.MDB_CREATE, DbiFlags.MDB_INTEGERKEY)
            : env.openDbi("map", DbiFlags.MDB_CREATE);
  }

  private static ByteBuffer buffer(int bytes) {
    return ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
  }

  private final class Access implements LongAccess, ByteAccess {
    private final ByteBuffer key = buffer(shape.keyBytes());
    private final ByteBuffer value = buffer(shape.valueBytes());
    private final Txn<ByteBuffer> reading = env.txnRead();

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
        return found().order(ByteOrder.nativeOrder()).getLong(0);
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

    private ByteBuffer found() {
      ByteBuffer found = map.get(reading, key);
      if (found == null) {
        throw BenchmarkMap.missing(shape.keyBytes() + " bytes");
      }
      return found;
    }
  }

  @Override
  public LongAccess longs() {
    return new Access();
  }

  @Override
  public ByteAccess bytes() {
    return new Access();
  }

  @Override
  public void close() {
    accesses.forEach(access -> access.reading.close());
    env.close();
  }
}
