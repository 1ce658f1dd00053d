package io.holdfast.jmh.bench.map;

import io.holdfast.jmh.map.BenchmarkMap;
import io.holdfast.jmh.map.MapShape;
import io.holdfast.jmh.map.Maps;
import java.nio.file.Path;
import org.openjdk.jmh.annotations.Param;

/// What comparisons of maps have in common: which maps.
///
/// Every map survives the death of the process, `ConcurrentHashMap` excepted, which is the ceiling,
/// and MapDB without its log; `HoldfastPower` flushes and fences besides, as on persistent memory,
/// and peers with `Power` after their names sync the disk. How peers are set up is said where they
/// are opened (`io.holdfast.jmh.map`, in `src/peers`).
public abstract class MapComparison extends CollectionComparison<BenchmarkMap> {
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

  @Override
  protected final BenchmarkMap open(Path directory, MapShape shape) {
    return Maps.open(map, directory, shape);
  }
}
