package io.holdfast.jmh.map;

import java.nio.file.Path;
import java.util.NavigableMap;
import org.mapdb.DB;
import org.mapdb.DBMaker;
import org.mapdb.Serializer;

/// MapDB's `BTreeMap`, with what its manual says of speed: a mapped file, and serializers that know
/// longs. `transactionEnable` gives it a log, without which a file whose process died is refused;
/// `fileSyncDisable` keeps a commit from waiting for the disk. The commit is the store's, not a
/// thread's.
final class MapDbTree extends NavigableTree {
  private final DB db;
  private final NavigableMap<Long, Long> map;

  MapDbTree(Path directory) {
    db =
        DBMaker.fileDB(directory.resolve("tree.mapdb").toFile())
            .fileMmapEnable()
            .transactionEnable()
            .fileSyncDisable()
            .make();
    map = db.treeMap("map", Serializer.LONG, Serializer.LONG).createOrOpen();
    db.commit();
  }

  @Override
  NavigableMap<Long, Long> map() {
    return map;
  }

  @Override
  void commit() {
    db.commit();
  }

  @Override
  public void fill(long entries) {
    for (long i = 0; i < entries; i++) {
      map.put(Items.longKey(i), i);
    }
    db.commit();
  }

  @Override
  public void close() {
    db.close();
  }
}
