package io.holdfast.jmh.map;

import java.nio.file.Path;
import java.util.NavigableMap;
import org.mapdb.DB;
import org.mapdb.Serializer;

/// MapDB's `BTreeMap`, in the process-crash setting of {@link MapDbMap}.
final class MapDbTree extends NavigableTree {
  private final DB db;
  private final NavigableMap<Long, Long> longs;
  private final NavigableMap<byte[], byte[]> bytes;

  MapDbTree(Path directory, MapShape shape) {
    db = MapDbMap.open(directory, false);
    if (shape.isOfLongs()) {
      longs = db.treeMap("map", Serializer.LONG, Serializer.LONG).createOrOpen();
      bytes = null;
    } else {
      longs = null;
      bytes = db.treeMap("map", Serializer.BYTE_ARRAY, Serializer.BYTE_ARRAY).createOrOpen();
    }
  }

  @Override
  NavigableMap<Long, Long> map() {
    return longs;
  }

  @Override
  NavigableMap<byte[], byte[]> byteMap() {
    return bytes;
  }

  @Override
  public void close() {
    db.close();
  }
}
