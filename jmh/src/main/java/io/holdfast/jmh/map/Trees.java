package io.holdfast.jmh.map;

import java.nio.file.Path;
import java.util.List;

/// The names that benchmarks have for trees; {@link Maps} opens them.
public final class Trees {
  public static final String HOLDFAST = "HoldfastTree";
  public static final String HOLDFAST_POWER = "HoldfastTreePower";
  public static final String CONCURRENT_SKIP_LIST_MAP = "ConcurrentSkipListMap";
  public static final String TREE_MAP = "TreeMap";
  public static final String MAP_DB = "MapDB";
  public static final String MV_STORE = "MVStore";
  public static final String XODUS = "Xodus";

  /// Those that need no peer.
  public static final List<String> OWN =
      List.of(HOLDFAST, HOLDFAST_POWER, CONCURRENT_SKIP_LIST_MAP, TREE_MAP);

  /// In the order of reports.
  public static final List<String> ALL =
      List.of(
          HOLDFAST,
          HOLDFAST_POWER,
          CONCURRENT_SKIP_LIST_MAP,
          TREE_MAP,
          Maps.LMDB,
          MAP_DB,
          MV_STORE,
          XODUS);

  private Trees() {}

  /// Opens a tree of longs in a directory, which exists; creates it if there is none.
  public static BenchmarkTree open(String name, Path directory, long entries) {
    return (BenchmarkTree) Maps.open(name, directory, MapShape.ofLongs(entries));
  }
}
