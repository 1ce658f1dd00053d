package io.holdfast.jmh.map;

import java.nio.file.Path;
import java.util.List;

/// The names that benchmarks have for trees; {@link Maps} opens them.
public final class Trees {
  public static final String HOLDFAST = "HoldfastTree";
  public static final String HOLDFAST_POWER = "HoldfastTreePower";

  /// On a disk, through a loss of power.
  public static final String HOLDFAST_DISK = "HoldfastTreeDisk";

  /// The same, whose operations do not wait for the device.
  public static final String HOLDFAST_RELAXED = "HoldfastTreeRelaxed";

  public static final String CONCURRENT_SKIP_LIST_MAP = "ConcurrentSkipListMap";
  public static final String TREE_MAP = "TreeMap";
  public static final String MAP_DB = Maps.MAP_DB + "Tree";

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
          Maps.H2_MV_STORE,
          Maps.XODUS);

  /// What the workloads of LevelDB run over, those that need no peer first.
  public static final List<String> OF_LEVEL_DB =
      List.of(
          CONCURRENT_SKIP_LIST_MAP,
          HOLDFAST,
          HOLDFAST_POWER,
          HOLDFAST_RELAXED,
          HOLDFAST_DISK,
          Maps.LMDB,
          Maps.H2_MV_STORE,
          Maps.XODUS,
          Maps.LMDB + Maps.POWER,
          Maps.H2_MV_STORE + Maps.POWER,
          Maps.XODUS + Maps.POWER);

  public static final List<String> OWN_OF_LEVEL_DB = OF_LEVEL_DB.subList(0, 5);

  /// Those for which a commit takes tens of microseconds.
  public static final List<String> SLOW_TO_INSERT = List.of(Maps.H2_MV_STORE, Maps.XODUS);

  /// The others.
  public static final List<String> QUICK_TO_INSERT =
      ALL.stream().filter(tree -> !SLOW_TO_INSERT.contains(tree)).toList();

  private Trees() {}

  /// Opens a tree in a directory, which exists; creates it if there is none.
  public static BenchmarkTree open(String name, Path directory, MapShape shape) {
    return (BenchmarkTree) Maps.open(name, directory, shape);
  }
}
