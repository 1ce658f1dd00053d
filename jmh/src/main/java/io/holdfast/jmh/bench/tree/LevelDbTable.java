package io.holdfast.jmh.bench.tree;

import io.holdfast.core.Durability;
import io.holdfast.core.PersistenceCounts;
import io.holdfast.jmh.count.CountingDomain;
import io.holdfast.jmh.map.HoldfastTree;
import io.holdfast.jmh.map.Trees;
import io.holdfast.jmh.process.Scratch;
import io.holdfast.jmh.report.Page;
import io.holdfast.jmh.report.ThroughputTable;
import java.util.Optional;
import java.util.function.Function;
import org.openjdk.jmh.util.Statistics;

/// The Atlas paper's Table 3: what was measured, and what a transaction of ours takes, counted.
public final class LevelDbTable {
  /// Fewer than the fills insert, since the device is waited for.
  private static final int PAIRS = 1_500;

  private LevelDbTable() {}

  /// Of a transaction.
  ///
  /// @param fences on persistent memory
  /// @param lines that are written back there
  /// @param deviceWrites that it waits for on a disk
  /// @param recordBytes that are logged there
  record Row(double fences, double lines, double deviceWrites, double recordBytes) {}

  static Row count(LevelDbWorkload workload) {
    CountingDomain domain = new CountingDomain();
    PersistenceCounts memory;
    PersistenceCounts disk;
    try (Scratch scratch = new Scratch();
        HoldfastTree tree = HoldfastTree.open(scratch.directory(), _ -> domain)) {
      PersistenceCounts before = domain.counts();
      workload.run(tree.bytes(), PAIRS);
      memory = domain.counts().since(before);
    }
    try (Scratch scratch = new Scratch();
        HoldfastTree tree = HoldfastTree.onDisk(scratch.directory(), Durability.POWER_FAILURE)) {
      PersistenceCounts before = tree.counts();
      workload.run(tree.bytes(), PAIRS);
      disk = tree.counts().since(before);
    }
    double transactions = workload.transactions(PAIRS);
    return new Row(
        memory.fences() / transactions,
        memory.lines() / transactions,
        disk.fences() / transactions,
        disk.bytes() / transactions);
  }

  /// @param times what a benchmark took in nanoseconds, by its short name
  public static void print(Page page, Function<String, Optional<Statistics>> times) {
    ThroughputTable table =
        new ThroughputTable("Atlas's Table 3: transactions", Trees.OF_LEVEL_DB, times);
    for (LevelDbWorkload workload : LevelDbWorkload.values()) {
      table.row(
          workload.name(),
          workload.transactions(workload.pairs),
          tree -> LevelDbBenchmark.name(workload, tree));
    }
    table.print(page, "leveldb.svg");
    page.out()
        .printf(
            "%n| a transaction of | fences on persistent memory | lines | writes of the device on"
                + " a disk | bytes of records |%n|---|---|---|---|---|%n");
    for (LevelDbWorkload workload : LevelDbWorkload.values()) {
      Row row = count(workload);
      page.out()
          .printf(
              "| %s | %.3f | %.3f | %.3f | %.1f |%n",
              workload, row.fences, row.lines, row.deviceWrites, row.recordBytes);
    }
  }
}
