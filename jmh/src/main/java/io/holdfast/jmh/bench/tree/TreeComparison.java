package io.holdfast.jmh.bench.tree;

import io.holdfast.jmh.map.BenchmarkTree;
import io.holdfast.jmh.map.MapShape;
import io.holdfast.jmh.map.Trees;
import io.holdfast.jmh.process.ComparedProcess;
import io.holdfast.jmh.process.Scratch;
import org.openjdk.jmh.annotations.Param;

/// What comparisons of trees have in common: which trees.
///
/// Every tree survives the death of the process, `ConcurrentSkipListMap` and `TreeMap` excepted,
/// which are the ceilings, and MapDB, which is measured without its log; `HoldfastTreePower`
/// flushes and fences besides, as on persistent memory. How peers are set up is said where they are
/// opened (`io.holdfast.jmh.map`, in `src/peers`).
public abstract class TreeComparison extends ComparedProcess {
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

  @Param("1000000")
  public int entries;

  private Scratch scratch;
  private BenchmarkTree opened;

  /// Creates the tree, in a directory of its own.
  final void create(MapShape shape) {
    scratch = new Scratch();
    opened = Trees.open(tree, scratch.directory(), shape);
  }

  final BenchmarkTree opened() {
    return opened;
  }

  /// Closes the tree and deletes its files.
  final void delete() {
    opened.close();
    scratch.close();
  }
}
