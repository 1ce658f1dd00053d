package io.holdfast.jmh;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.jmh.bench.map.LatencyBenchmark;
import io.holdfast.jmh.bench.map.SpaceBenchmark;
import io.holdfast.jmh.bench.map.TransferBenchmark;
import io.holdfast.jmh.map.Maps;
import io.holdfast.jmh.queue.Queues;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.runner.RunnerException;

/// Does once, and small, what has no suite of tests of its own: times mean nothing here.
class TrialsTest {
  private static final List<String> OWN_TRANSFERS =
      List.of(Maps.HOLDFAST, Maps.HOLDFAST_POWER, Maps.HASH_MAP_AND_TREE_MAP);

  @Test
  void latenciesGrowWithThePercentile() {
    Map<String, Double> nanos = LatencyBenchmark.measure(Maps.HOLDFAST, 1_000, 1);
    assertThat(nanos.keySet()).containsExactlyInAnyOrderElementsOf(LatencyBenchmark.PERCENTILES);
    assertThat(LatencyBenchmark.PERCENTILES.stream().map(nanos::get)).isSorted();
    assertThat(nanos.get("50")).isPositive();
  }

  @Test
  void aMapKeepsItsEntriesInItsFileAndNotOnTheHeap() {
    double[] bytes = SpaceBenchmark.measure(Maps.HOLDFAST, 20_000);
    assertThat(bytes[0]).as("file, loaded").isGreaterThan(116);
    assertThat(bytes[1]).as("file, after churn").isBetween(bytes[0], 2 * bytes[0]);
    assertThat(bytes[2]).as("heap, loaded").isLessThan(116);
    double[] inMemory = SpaceBenchmark.measure(Maps.CONCURRENT_HASH_MAP, 20_000);
    assertThat(inMemory[0]).as("file, loaded").isZero();
    assertThat(inMemory[2]).as("heap, loaded").isGreaterThan(116);
  }

  @Test
  void elementsGoThroughPipelines() throws RunnerException {
    Set<String> ran =
        SmallRuns.run(
            SmallRuns.smallest("PipelineBenchmark")
                .forks(0)
                .param("queue", Queues.OWN.toArray(String[]::new)));
    assertThat(ran)
        .contains("PipelineBenchmark.oneToOne(queue=Holdfast)")
        .contains("PipelineBenchmark.twoToTwo(queue=HoldfastPower)");
  }

  /// The benchmark itself looks at the total.
  @Test
  void transfersKeepTheTotal() throws RunnerException {
    List<String> collections = Maps.hasPeers() ? Maps.TRANSFERS : OWN_TRANSFERS;
    Set<String> ran =
        SmallRuns.run(
            SmallRuns.smallest("TransferBenchmark")
                .forks(1)
                .param("map", collections.toArray(String[]::new)));
    assertThat(ran)
        .containsExactlyInAnyOrderElementsOf(
            collections.stream().map(TransferBenchmark::name).toList());
  }
}
