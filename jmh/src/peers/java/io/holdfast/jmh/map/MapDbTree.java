package io.holdfast.jmh.map;

import java.nio.file.Path;
import java.util.NavigableMap;
import org.mapdb.DB;
import org.mapdb.DBMaker;
import org.mapdb.Serializer;

/// MapDB's `BTreeMap`, with what its manual says of speed: a mapped file, and serializers that know
/// longs. Without transactions, so it is faster than what survives the process for certain: with
/// `transactionEnable`, a log, a commit took 13 to 16 ms, `fileSyncDisable` or not, which a million
/// insertions can't wait for.
final class MapDbTree extends NavigableTree {
  private final DB db;
  private final NavigableMap<Long, Long> map;

  MapDbTree(Path directory) {
    db = DBMaker.fileDB(directory.resolve("tree.mapdb").toFile()).fileMmapEnable().make();
    map = db.treeMap("map", Serializer.LONG, Serializer.LONG).createOrOpen();
  }

  @Override
  NavigableMap<Long, Long> map() {
    return map;
  }

  @Override
  public void close() {
    db.close();
  }
}
