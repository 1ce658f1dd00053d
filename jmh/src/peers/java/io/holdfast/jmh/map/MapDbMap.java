package io.holdfast.jmh.map;

import java.nio.file.Path;
import java.util.concurrent.ConcurrentMap;
import org.mapdb.DB;
import org.mapdb.DBMaker;
import org.mapdb.Serializer;

/// MapDB's `HTreeMap`, with what its manual says of speed: a mapped file, and serializers that know
/// longs and bytes. Without transactions it survives neither: a file that was not closed is refused
/// when it is opened, unless its header is told to be ignored. Its log (`transactionEnable`) with a
/// commit after each put survives both failures, and took 13 to 16 ms a commit, `fileSyncDisable`
/// or not: so that is its one setting for a loss of power, and for a process crash there is none.
final class MapDbMap implements BenchmarkMap {
  private final DB db;
  private final boolean commits;
  private final ConcurrentMap<Long, Long> longs;
  private final ConcurrentMap<byte[], byte[]> bytes;
  private boolean together;

  MapDbMap(Path directory, MapShape shape, boolean commits) {
    this.commits = commits;
    db = open(directory, commits);
    if (shape.isOfLongs()) {
      longs = db.hashMap("map", Serializer.LONG, Serializer.LONG).createOrOpen();
      bytes = null;
    } else {
      longs = null;
      bytes = db.hashMap("map", Serializer.BYTE_ARRAY, Serializer.BYTE_ARRAY).createOrOpen();
    }
  }

  static DB open(Path directory, boolean commits) {
    DBMaker.Maker maker = DBMaker.fileDB(directory.resolve("map.mapdb").toFile()).fileMmapEnable();
    return (commits ? maker.transactionEnable() : maker).make();
  }

  private void putMade() {
    if (commits && !together) {
      db.commit();
    }
  }

  @Override
  public void together(Runnable puts) {
    together = true;
    try {
      puts.run();
    } finally {
      together = false;
    }
    putMade();
  }

  @Override
  public LongAccess longs() {
    return new LongAccess() {
      @Override
      public void put(long key, long value) {
        longs.put(key, value);
        putMade();
      }

      @Override
      public long get(long key) {
        Long found = longs.get(key);
        if (found == null) {
          throw BenchmarkMap.missing(key);
        }
        return found;
      }
    };
  }

  @Override
  public ByteAccess bytes() {
    return new ByteAccess() {
      @Override
      public void put(byte[] key, byte[] value) {
        bytes.put(key, value);
        putMade();
      }

      @Override
      public byte[] get(byte[] key) {
        byte[] found = bytes.get(key);
        if (found == null) {
          throw BenchmarkMap.missing(key.length + " bytes");
        }
        return found;
      }
    };
  }

  @Override
  public void close() {
    db.close();
  }
}
