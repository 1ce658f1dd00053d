package io.holdfast.jmh.map;

import io.holdfast.core.Durability;
import io.holdfast.jmh.call.Calls;
import io.holdfast.jmh.queue.BenchmarkQueue;
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

  /// On a disk, through a loss of power.
  public static final String HOLDFAST_DISK = "HoldfastDisk";

  /// The same, whose operations do not wait for the device.
  public static final String HOLDFAST_RELAXED = "HoldfastRelaxed";

  public static final String SQLITE = "SQLite";

  public static final String H2_MV_STORE = "MVStore";
  public static final String MAP_DB = "MapDB";
  public static final String XODUS = "Xodus";
  public static final String ECLIPSE_STORE = "EclipseStore";

  /// The ceiling of transfers.
  public static final String HASH_MAP_AND_TREE_MAP = "HashMapAndTreeMap";

  /// What transfers between two collections are measured with.
  public static final List<String> TRANSFERS =
      List.of(HOLDFAST, HOLDFAST_POWER, HASH_MAP_AND_TREE_MAP, LMDB, ROCKSDB, H2_MV_STORE, XODUS);

  /// After the name of a peer: set up to survive a loss of power too.
  public static final String POWER = "Power";

  /// Those that need no peer.
  public static final List<String> OWN = List.of(HOLDFAST, HOLDFAST_POWER, CONCURRENT_HASH_MAP);

  /// In the order of reports.
  public static final List<String> ALL =
      List.of(
          HOLDFAST,
          HOLDFAST_POWER,
          CONCURRENT_HASH_MAP,
          CHRONICLE_MAP,
          LMDB,
          ROCKSDB,
          H2_MV_STORE,
          MAP_DB,
          XODUS,
          ECLIPSE_STORE);

  /// Peers that survive a loss of power, on any disk: Chronicle Map and EclipseStore have no such
  /// setting.
  public static final List<String> POWER_PEERS =
      List.of(LMDB + POWER, ROCKSDB + POWER, H2_MV_STORE + POWER, MAP_DB + POWER, XODUS + POWER);

  private Maps() {}

  /// Other people's maps and queues; the profile `peers` has an implementation.
  public interface Peers {
    /// Opens or recovers a map, or creates it.
    ///
    /// @return `null` if there is none of such a name
    BenchmarkMap open(String name, Path directory, MapShape shape);

    /// Creates two collections for transfers.
    Transfers createTransfers(String name, Path directory, long entries);

    /// Creates one collection for transfers within it, which threads share.
    Transfers createAccounts(String name, Path directory, long entries);

    /// Creates a queue.
    BenchmarkQueue createQueue(String name, Path directory);

    /// Creates what makes calls later.
    Calls createCalls(String name, Path directory);
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
    boolean ofWords = shape.isOfLongs();
    return switch (name) {
      case HOLDFAST -> HoldfastMap.open(directory, HoldfastMap.PROCESS_CRASH, ofWords);
      case HOLDFAST_POWER -> HoldfastMap.open(directory, HoldfastMap.POWER_FAILURE, ofWords);
      case HOLDFAST_DISK -> HoldfastMap.onDisk(directory, Durability.POWER_FAILURE, ofWords);
      case HOLDFAST_RELAXED -> HoldfastMap.onDisk(directory, Durability.PROCESS_CRASH, ofWords);
      case CONCURRENT_HASH_MAP -> new ConcurrentMaps(shape);
      case Trees.HOLDFAST -> HoldfastTree.open(directory, HoldfastMap.PROCESS_CRASH);
      case Trees.HOLDFAST_POWER -> HoldfastTree.open(directory, HoldfastMap.POWER_FAILURE);
      case Trees.HOLDFAST_DISK -> HoldfastTree.onDisk(directory, Durability.POWER_FAILURE);
      case Trees.HOLDFAST_RELAXED -> HoldfastTree.onDisk(directory, Durability.PROCESS_CRASH);
      case Trees.CONCURRENT_SKIP_LIST_MAP -> JdkTree.concurrent();
      case Trees.TREE_MAP -> JdkTree.locked();
      default ->
          Optional.ofNullable(requirePeers(name).open(name, directory, shape))
              .orElseThrow(() -> unknown(name));
    };
  }

  /// Creates two collections for transfers in a directory, which exists.
  public static Transfers createTransfers(String name, Path directory, long entries) {
    return switch (name) {
      case HOLDFAST -> new HoldfastTransfers(directory, entries, false);
      case HOLDFAST_POWER -> new HoldfastTransfers(directory, entries, true);
      case HASH_MAP_AND_TREE_MAP -> new JdkTransfers(entries);
      default -> requirePeers(name).createTransfers(name, directory, entries);
    };
  }

  /// @param name that is wanted of them
  public static Peers requirePeers(String name) {
    return peers().orElseThrow(() -> unknown(name));
  }

  private static IllegalArgumentException unknown(String name) {
    return new IllegalArgumentException(
        "no such map or queue: name=%s; those of others need a build with the profile peers"
            .formatted(name));
  }
}
