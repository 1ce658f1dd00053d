package io.holdfast.jmh.bench.tree;

import static io.holdfast.jmh.SmallRuns.ENTRIES;
import static io.holdfast.jmh.SmallRuns.run;
import static io.holdfast.jmh.SmallRuns.smallest;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.holdfast.jmh.bench.map.MapNames;
import io.holdfast.jmh.map.Maps;
import io.holdfast.jmh.map.Trees;
import io.holdfast.jmh.report.Page;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.util.ListStatistics;

/// Runs each benchmark of the tree once, with few entries: times mean nothing here.
class TreeBenchmarksTest {
  @Test
  void ownTrees() throws RunnerException {
    Set<String> ran =
        run(
            smallest("TreeBenchmark", "YcsbScanBenchmark")
                .forks(0)
                .param("tree", Trees.OWN.toArray(String[]::new)));
    assertThat(ran)
        .contains(MapNames.scans(Trees.HOLDFAST), MapNames.scans(Trees.TREE_MAP))
        .contains(TreeNames.read("get", Trees.HOLDFAST))
        .contains(TreeNames.read("getByTwo", Trees.CONCURRENT_SKIP_LIST_MAP))
        .contains(TreeNames.read("scan", Trees.HOLDFAST_POWER))
        .contains(TreeNames.read("scanByTwo", Trees.TREE_MAP));
  }

  @Test
  void inserts() throws RunnerException {
    Set<String> ran =
        run(
            smallest("TreeInsertBenchmark")
                .forks(0)
                .operationsPerInvocation(ENTRIES / 2)
                .param("tree", Trees.OWN.toArray(String[]::new)));
    assertThat(ran)
        .contains(TreeNames.insert("random", Trees.HOLDFAST))
        .contains(TreeNames.insert("randomByTwo", Trees.HOLDFAST))
        .contains(TreeNames.insert("sequential", Trees.HOLDFAST_POWER));
  }

  @Test
  void peers() throws RunnerException {
    assumeThat(Maps.hasPeers()).as("the profile peers").isTrue();
    String[] peers = {Maps.LMDB, Trees.MAP_DB, Maps.H2_MV_STORE, Maps.XODUS};
    Set<String> ran =
        run(
            smallest("TreeBenchmark", "TreeInsertBenchmark", "YcsbScanBenchmark")
                .forks(1)
                .operationsPerInvocation(1)
                .param("tree", peers));
    assertThat(ran)
        .contains(TreeNames.read("getByTwo", Maps.LMDB), TreeNames.read("scan", Trees.MAP_DB))
        .contains(TreeNames.insert("randomByTwo", Maps.H2_MV_STORE))
        .contains(TreeNames.insert("sequential", Maps.XODUS))
        .contains(MapNames.scans(Maps.XODUS), MapNames.scans(Trees.MAP_DB));
  }

  @Test
  void theTableShowsWhatWasMeasured(@TempDir Path directory) throws IOException {
    Map<String, Double> nanos = Map.of(TreeNames.insert("randomByTwo", Trees.HOLDFAST), 200.0);
    Page page = new Page("a title", directory);
    TreeTables.print(
        page,
        name ->
            Optional.ofNullable(nanos.get(name))
                .map(time -> new ListStatistics(new double[] {time})));
    assertThat(page.toString().lines())
        .anyMatch(line -> line.startsWith("| the same, 2 threads | 10,000 (10,000 to 10,000) |"))
        .anyMatch(line -> line.startsWith("| update | 1.000 | 1.000 | 1.000 |"));
  }

  @Test
  void eachTargetIsOfBenchmarksThatThereAre() {
    assertThat(TreeNames.targets().flatMap(t -> Stream.of(t.subject(), t.baseline())))
        .allMatch(name -> name.matches("Tree(Insert)?Benchmark\\.\\w+\\(.*"));
  }
}
