package io.holdfast.jmh.bench.tree;

import io.holdfast.jmh.count.Counted;
import io.holdfast.jmh.count.CountingDomain;
import io.holdfast.jmh.map.HoldfastTree;
import io.holdfast.jmh.process.Scratch;
import io.holdfast.jmh.report.Results;
import io.holdfast.jmh.suite.Experiment;
import io.holdfast.jmh.suite.Suite;
import java.util.List;

/// Counts; no clock is involved. The first leaf of a tree has room for the entries.
@Experiment(
    question = "how many fences does an insertion into a tree take that splits nothing?",
    floor = "one: an entry is durable when a line was flushed and fenced",
    variables = "none")
public final class TreeFences implements Suite.Trial {
  public static final String NAME = "TreeFences.insertionWithoutSplit";
  private static final int ENTRIES = 10;

  @Override
  public void run(Suite.Extent extent, Results results) {
    results.add(NAME, "fences", List.of(count()));
  }

  public static double count() {
    CountingDomain domain = new CountingDomain();
    try (Scratch scratch = new Scratch();
        HoldfastTree tree = HoldfastTree.open(scratch.directory(), _ -> domain)) {
      tree.map().put(0L, 0L); // the first entry comes with its leaf
      return new Counted.Counter(domain)
          .count("insertion", ENTRIES, i -> tree.map().put(i + 1L, 0L))
          .fences();
    }
  }
}
