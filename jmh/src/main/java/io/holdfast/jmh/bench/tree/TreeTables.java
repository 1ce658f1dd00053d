package io.holdfast.jmh.bench.tree;

import io.holdfast.jmh.count.Counted;
import io.holdfast.jmh.count.CountingDomain;
import io.holdfast.jmh.map.Draws;
import io.holdfast.jmh.map.HoldfastTree;
import io.holdfast.jmh.map.Items;
import io.holdfast.jmh.map.Trees;
import io.holdfast.jmh.process.Scratch;
import io.holdfast.jmh.report.Measurement;
import io.holdfast.jmh.report.Page;
import io.holdfast.jmh.report.ThroughputTable;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.function.Function;
import org.openjdk.jmh.util.Statistics;

/// What the benchmarks of trees measured, side by side; and what the tree's operations take where
/// the power may fail, counted.
public final class TreeTables {
  private static final int ENTRIES = 100_000;
  private static final int OPERATIONS = 20_000;

  private TreeTables() {}

  /// @param times what a benchmark, as {@link Measurement#shortName} calls it, took in nanoseconds
  public static void print(Page page, Function<String, Optional<Statistics>> times) {
    new ThroughputTable("Trees of longs", Trees.ALL, times)
        .row("random insertion", 1, tree -> TreeNames.insert("random", tree))
        .row("the same, 2 threads", 2, tree -> TreeNames.insert("randomByTwo", tree))
        .row("insertion in order", 1, tree -> TreeNames.insert("sequential", tree))
        .row("get", 1, tree -> TreeNames.read("get", tree))
        .row("get, 2 threads", 2, tree -> TreeNames.read("getByTwo", tree))
        .row("scan of 100", 1, tree -> TreeNames.read("scan", tree))
        .row("scan of 100, 2 threads", 2, tree -> TreeNames.read("scanByTwo", tree))
        .print(page, "tree.svg");
    page.out().printf("%nThe tree's operations on persistent memory, counted:%n%n");
    Counted.print(page.out(), count());
  }

  static List<Counted> count() {
    CountingDomain domain = new CountingDomain();
    List<Counted> rows = new ArrayList<>();
    try (Scratch scratch = new Scratch();
        HoldfastTree tree = HoldfastTree.open(scratch.directory(), _ -> domain)) {
      NavigableMap<Long, Long> map = tree.map();
      Draws draws = new Draws(1);
      Counted.Counter counter = new Counted.Counter(domain);
      rows.add(
          counter.count(
              "random insertion, splits included",
              ENTRIES,
              i -> map.put(Items.longKey(i), (long) i)));
      rows.add(
          counter.count(
              "update", OPERATIONS, i -> map.put(Items.longKey(draws.item(ENTRIES)), (long) i)));
      rows.add(counter.count("get", OPERATIONS, _ -> map.get(Items.longKey(draws.item(ENTRIES)))));
      rows.add(
          counter.count("removal, merges included", OPERATIONS, i -> map.remove(Items.longKey(i))));
      map.clear();
      rows.add(
          counter.count(
              "insertion in order, splits included", ENTRIES, i -> map.put((long) i, (long) i)));
    }
    return rows;
  }
}
