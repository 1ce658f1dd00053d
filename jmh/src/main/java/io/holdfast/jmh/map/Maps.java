package io.holdfast.jmh.map;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// Opens maps by the names that benchmarks have for them.
public final class Maps {
  public static final String HOLDFAST = "Holdfast";
  public static final String HOLDFAST_POWER = "HoldfastPower";
  public static final String CONCURRENT_HASH_MAP = "ConcurrentHashMap";
  public static final String CHRONICLE_MAP = "ChronicleMap";
  public static final String LMDB = "LMDB";
  public static final String ROCKSDB = "RocksDB";

  /// Those that need no peer.
  public static final List<String> OWN = List.of(HOLDFAST, HOLDFAST_POWER, CONCURRENT_HASH_MAP);

  /// In the order of reports.
  public static final List<String> ALL =
      List.of(HOLDFAST, HOLDFAST_POWER, CONCURRENT_HASH_MAP, CHRONICLE_MAP, LMDB, ROCKSDB);

  private Maps() {}

  /// Other people's maps; the profile `peers` has an implementation.
  public interface Peers {
    /// Opens or recovers a map, or creates it.
    ///
    /// @return `null` if there is none of such a name
    BenchmarkMap open(String name, Path directory, MapShape shape);
  }

  /// Whether this was built with the profile `peers`.
  public static boolean hasPeers() {
    return peers().isPresent();
  }

  /// By its name, not as a service: of a build without the profile that follows one with it, Maven
  /// deletes classes, and not the file that names a service.
  private static Optional<Peers> peers() {
    try {
      Class<?> peers = Class.forName(Maps.class.getPackageName() + ".PeerMaps");
      return Optional.of((Peers) peers.getDeclaredConstructor().newInstance());
    } catch (ClassNotFoundException e) {
      return Optional.empty(); // built without them
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  /// Opens a map in a directory, which exists; creates it if there is none.
  public static BenchmarkMap open(String name, Path directory, MapShape shape) {
    return switch (name) {
      case HOLDFAST -> HoldfastMap.open(directory, HoldfastMap.PROCESS_CRASH);
      case HOLDFAST_POWER -> HoldfastMap.open(directory, HoldfastMap.POWER_FAILURE);
      case CONCURRENT_HASH_MAP -> new ConcurrentMaps(shape);
      case Trees.HOLDFAST -> HoldfastTree.open(directory, HoldfastMap.PROCESS_CRASH);
      case Trees.HOLDFAST_POWER -> HoldfastTree.open(directory, HoldfastMap.POWER_FAILURE);
      case Trees.CONCURRENT_SKIP_LIST_MAP -> JdkTree.concurrent();
      case Trees.TREE_MAP -> JdkTree.locked();
      default ->
          peers()
              .map(peers -> peers.open(name, directory, shape))
              .orElseThrow(
                  () ->
                      new IllegalArgumentException(
                          "no such map: name=%s; those of others need a build with the profile peers"
                              .formatted(name)));
    };
  }
}
