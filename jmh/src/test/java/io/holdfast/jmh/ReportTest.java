package io.holdfast.jmh;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.jmh.bench.map.ReopenBenchmark;
import io.holdfast.jmh.bench.tree.TreeFences;
import io.holdfast.jmh.map.Maps;
import io.holdfast.jmh.report.Page;
import io.holdfast.jmh.report.Results;
import io.holdfast.jmh.report.Target;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportTest {
  @Test
  void eachTargetHasItsRowOrIsNamedAsNotMeasured(@TempDir Path directory) throws IOException {
    Results results = new Results(Map.of("commit", "abc"));
    results.add(TreeFences.NAME, "fences", List.of(1.0));
    results.add(ReopenBenchmark.name("warm", Maps.HOLDFAST, 100_000), "ms", List.of(4.0, 7.0, 9.0));
    results.add("WovenBenchmark.lockWoven", "ns", List.of(30.0));
    results.add("WovenBenchmark.lockPlain", "ns", List.of(10.0));
    Page page = new Page("a title", directory);
    Report.print(List.of(), results, page);
    assertThat(page.toString().lines())
        .contains(
            "| `TreeFences.insertionWithoutSplit` | 1.00 | fences | at most 1.00: met |",
            "| `ReopenBenchmark.warm(map=Holdfast,size=100000)` | 7.00 | ms | at most 5.00: MISSED"
                + " |",
            "| `WovenBenchmark.lockWoven` | `WovenBenchmark.lockPlain` | 3.00 | at most 1.50:"
                + " MISSED |");
    long judged =
        Targets.RATIOS.stream().filter(Target::isJudged).count() + Targets.BOUNDS.size() - 3;
    assertThat(page.toString())
        .contains("%d targets were not measured in this run:".formatted(judged))
        .contains("`SectionBenchmark.nestedSection` / `SectionBenchmark.sectionOfTwoStores`");
  }

  @Test
  void aFirstLookJudgesNothing(@TempDir Path directory) throws IOException {
    Results results = new Results(Map.of(Results.EXTENT, Results.FIRST_LOOK + " at it"));
    results.add(TreeFences.NAME, "fences", List.of(1.0));
    Page page = new Page("a title", directory);
    Report.print(List.of(), results, page);
    assertThat(page.toString()).contains("at most 1.00").doesNotContain("met", "MISSED");
  }

  @Test
  void anInsertionWithoutASplitTakesOneFence() {
    assertThat(TreeFences.count()).isEqualTo(1);
  }
}
