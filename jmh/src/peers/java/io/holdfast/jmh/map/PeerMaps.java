package io.holdfast.jmh.map;

import java.nio.file.Path;

/// Other people's maps, each set up as its documentation recommends, to survive the death of the
/// process and not more. {@link Maps} finds it by its name.
public final class PeerMaps implements Maps.Peers {
  public PeerMaps() {}

  @Override
  public BenchmarkMap open(String name, Path directory, MapShape shape) {
    return switch (name) {
      case Maps.CHRONICLE_MAP -> new ChronicleMaps(directory, shape);
      case Maps.LMDB -> new LmdbMap(directory, shape);
      case Maps.ROCKSDB -> new RocksMap(directory, shape);
      case Trees.MAP_DB -> new MapDbTree(directory);
      case Trees.MV_STORE -> new MvStoreTree(directory);
      case Trees.XODUS -> new XodusTree(directory);
      default -> null;
    };
  }
}
