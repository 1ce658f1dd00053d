package io.holdfast.jmh.map;

import io.holdfast.jmh.call.Calls;
import io.holdfast.jmh.call.DbSchedulerCalls;
import io.holdfast.jmh.queue.BenchmarkQueue;
import io.holdfast.jmh.queue.ChronicleQueues;
import io.holdfast.jmh.queue.Queues;
import java.nio.file.Path;

/// Other people's maps, each set up as its documentation recommends, to survive the death of the
/// process and not more, or, with {@link Maps#POWER} after the name, a loss of power. {@link Maps}
/// finds it by its name.
public final class PeerMaps implements Maps.Peers {
  public PeerMaps() {}

  @Override
  public BenchmarkMap open(String name, Path directory, MapShape shape) {
    boolean syncs = name.endsWith(Maps.POWER);
    String peer = syncs ? name.substring(0, name.length() - Maps.POWER.length()) : name;
    return switch (peer) {
      case Maps.CHRONICLE_MAP -> new ChronicleMaps(directory, shape);
      case Maps.LMDB -> new LmdbMap(directory, shape, syncs);
      case Maps.ROCKSDB -> new RocksMap(directory, syncs);
      case Maps.H2_MV_STORE -> new MvStoreTree(directory, syncs);
      case Maps.MAP_DB -> new MapDbMap(directory, shape, syncs);
      case Trees.MAP_DB -> new MapDbTree(directory, shape);
      case Maps.XODUS -> new XodusTree(directory, syncs);
      case Maps.SQLITE -> new SqliteMap(directory);
      case Maps.ECLIPSE_STORE -> new EclipseStoreMap(directory);
      default -> null;
    };
  }

  @Override
  public Transfers createTransfers(String name, Path directory, long entries) {
    return switch (name) {
      case Maps.LMDB -> new LmdbTransfers(directory, entries);
      case Maps.ROCKSDB -> new RocksTransfers(directory, entries);
      case Maps.H2_MV_STORE -> new MvStoreTransfers(directory, entries);
      case Maps.XODUS -> new XodusTransfers(directory, entries);
      default -> throw new IllegalArgumentException("no such transfers: name=" + name);
    };
  }

  @Override
  public Transfers createAccounts(String name, Path directory, long entries) {
    return switch (name) {
      case Maps.ROCKSDB -> new RocksAccounts(directory, entries);
      case Maps.H2_MV_STORE -> new MvStoreAccounts(directory, entries);
      default -> throw new IllegalArgumentException("no such accounts: name=" + name);
    };
  }

  @Override
  public Calls createCalls(String name, Path directory) {
    return switch (name) {
      case Calls.DB_SCHEDULER -> new DbSchedulerCalls(directory);
      default -> throw new IllegalArgumentException("no such calls: name=" + name);
    };
  }

  @Override
  public BenchmarkQueue createQueue(String name, Path directory) {
    return switch (name) {
      case Queues.CHRONICLE_QUEUE -> new ChronicleQueues(directory);
      default -> throw new IllegalArgumentException("no such queue: name=" + name);
    };
  }
}
