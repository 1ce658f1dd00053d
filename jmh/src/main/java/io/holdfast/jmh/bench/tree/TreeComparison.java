package io.holdfast.jmh.bench.tree;

import io.holdfast.jmh.bench.map.CollectionComparison;
import io.holdfast.jmh.map.BenchmarkTree;
import io.holdfast.jmh.map.MapShape;
import io.holdfast.jmh.map.Trees;
import java.nio.file.Path;
import org.openjdk.jmh.annotations.Param;

/// What comparisons of trees have in common: which trees.
///
/// Every tree survives the death of the process, `ConcurrentSkipListMap` and `TreeMap` excepted,
/// which are the ceilings, and MapDB, which is measured without its log; `HoldfastTreePower`
/// flushes and fences besides, as on persistent memory. How peers are set up is said where they are
/// opened (`io.holdfast.jmh.map`, in `src/peers`).
public abstract class TreeComparison extends CollectionComparison<BenchmarkTree> {
  @Param({
    "HoldfastTree",
    "HoldfastTreePower",
    "ConcurrentSkipListMap",
    "TreeMap",
    "LMDB",
    "MapDBTree",
    "MVStore",
    "Xodus"
  })
  public String tree;

  @Override
  protected final BenchmarkTree open(Path directory, MapShape shape) {
    return Trees.open(tree, directory, shape);
  }
}
