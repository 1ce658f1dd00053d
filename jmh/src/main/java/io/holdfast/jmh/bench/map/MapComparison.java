package io.holdfast.jmh.bench.map;

import io.holdfast.jmh.map.BenchmarkMap;
import io.holdfast.jmh.map.MapShape;
import io.holdfast.jmh.map.Maps;
import io.holdfast.jmh.process.ComparedProcess;
import io.holdfast.jmh.process.Scratch;
import org.openjdk.jmh.annotations.Param;

/// What comparisons of maps have in common: which maps.
///
/// Every map survives the death of the process, `ConcurrentHashMap` excepted, which is the ceiling,
/// and MapDB without its log; `HoldfastPower` flushes and fences besides, as on persistent memory,
/// and peers with `Power` after their names sync the disk. How peers are set up is said where they
/// are opened (`io.holdfast.jmh.map`, in `src/peers`).
public abstract class MapComparison extends ComparedProcess {
  @Param({
    "Holdfast",
    "HoldfastPower",
    "ConcurrentHashMap",
    "ChronicleMap",
    "LMDB",
    "RocksDB",
    "MVStore",
    "MapDB",
    "Xodus",
    "EclipseStore"
  })
  public String map;

  @Param("1000000")
  public int entries;

  private Scratch scratch;
  private BenchmarkMap opened;

  /// Creates the map, in a directory of its own.
  final void create(MapShape shape) {
    scratch = new Scratch();
    opened = Maps.open(map, scratch.directory(), shape);
  }

  final BenchmarkMap opened() {
    return opened;
  }

  /// Closes the map and deletes its files.
  final void delete() {
    opened.close();
    scratch.close();
  }
}
