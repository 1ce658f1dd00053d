package io.holdfast.jmh.bench.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.holdfast.Holdfast;
import io.holdfast.jmh.SmallRuns;
import io.holdfast.jmh.atlas.Crew;
import io.holdfast.jmh.call.Calls;
import io.holdfast.jmh.map.Accounts;
import io.holdfast.jmh.map.Maps;
import io.holdfast.jmh.report.Measurement;
import io.holdfast.jmh.report.Page;
import io.holdfast.jmh.report.Results;
import io.holdfast.jmh.stamp.StampKind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.openjdk.jmh.runner.RunnerException;

/// Does once, and small, what the benchmarks do: times mean nothing here.
@Timeout(600)
class TransactionBenchmarksTest {
  @TempDir Path dir;

  /// The benchmark itself looks at the total.
  @Test
  void transfersWithinAMapKeepTheTotal() throws RunnerException {
    List<String> ways = Maps.hasPeers() ? Accounts.ALL : Accounts.OWN;
    Set<String> ran =
        SmallRuns.run(
            SmallRuns.smallest("TransactionBenchmark")
                .forks(Maps.hasPeers() ? 1 : 0)
                .param("map", ways.toArray(String[]::new)));
    for (String way : ways) {
      assertThat(ran)
          .contains(
              TransactionTables.transfer("oneThread", way),
              TransactionTables.transfer("twoThreads", way));
    }
  }

  @Test
  void tenGetsAndASnapshotAndSingleOperations() throws RunnerException {
    Set<String> ran =
        SmallRuns.run(
            SmallRuns.smallest("SnapshotBenchmark", "OperationBenchmark")
                .forks(0)
                .param("size", "1000"));
    assertThat(ran)
        .contains(
            TransactionTables.snapshot("tenGets", 1_000),
            TransactionTables.snapshot("readOnlyTransaction", 1_000))
        .contains("OperationBenchmark.putAtomically", "OperationBenchmark.offerAndPoll");
  }

  @Test
  void submittedCallsAreMade() {
    Results results = new Results(Map.of());
    SubmitBenchmark.measure(1, 1, results);
    for (String calls : Calls.present()) {
      double accepted = results.median(SubmitBenchmark.name("accepted", calls)).orElseThrow();
      assertThat(results.median(SubmitBenchmark.name("made", calls)).orElseThrow())
          .isGreaterThanOrEqualTo(accepted);
    }
  }

  @Test
  void linesOfAJob() throws RunnerException {
    Set<String> ran =
        SmallRuns.run(
            SmallRuns.smallest("JobBenchmark")
                .forks(0)
                .param("every", JobBenchmark.ALL.toArray(String[]::new)));
    assertThat(ran).containsAll(JobBenchmark.ALL.stream().map(JobBenchmark::name).toList());
  }

  @Test
  void workersDoEachJobOnce() throws IOException {
    Results results = new Results(Map.of());
    WorkersBenchmark.measure(3, 2, 1, results);
    assertThat(results.median(WorkersBenchmark.name(3)).orElseThrow()).isGreaterThan(10e6 / 3);
    assertThat(results.all().stream().map(Measurement::name))
        .contains(
            "WorkersBenchmark.dependencies(workers=3)", "WorkersBenchmark.waiting(workers=3)");
  }

  @Test
  void aJobThatIsNotDoneIsNoticed() {
    try (Holdfast store = Holdfast.open(dir.resolve("workers.hf"));
        Crew nobody =
            new Crew(
                new Crew.Work() {
                  @Override
                  public int threads() {
                    return 1;
                  }

                  @Override
                  public void run(int thread, int operations) {}
                })) {
      WorkersBenchmark.Workers workers = WorkersBenchmark.Workers.over(store, 1);
      assertThatIllegalStateException()
          .isThrownBy(() -> workers.run(nobody, 1))
          .withMessageContaining("left=1");
    }
  }

  @Test
  void abortsAreOfRunsInVain() {
    StampBenchmark.Outcome outcome = StampBenchmark.measure(StampKind.SSCA2, 1, 6);
    assertThat(outcome.abortRate()).isZero();
    assertThat(outcome.counts().committed()).isPositive();
  }

  @Test
  void tablesShowWhatWasMeasured() throws IOException {
    Results results = new Results(Map.of());
    results.add(
        TransactionTables.transfer("oneThread", Accounts.TRANSACTION), "ns", List.of(1_000.0));
    results.add(WorkersBenchmark.name(1), "ns", List.of(10e6));
    results.add(WorkersBenchmark.name(8), "ns", List.of(1.25e6));
    results.add(StampBenchmark.name("transaction", StampKind.SSCA2, 4), "ns", List.of(2_000.0));
    results.add(StampBenchmark.name("abortRate", StampKind.SSCA2, 4), "%", List.of(1.25));
    Page page = new Page("a title", dir);
    TransactionTables.print(results, page);
    assertThat(page.toString().lines())
        .anyMatch(line -> line.startsWith("| transfer | 1,000 (1,000 to 1,000) |"))
        .contains("| 8 | 1.25 | 8.00 |  |  |", "| ssca2, 4 |  |  | 1.25 |  | 500 |")
        .noneMatch(line -> line.startsWith("| vacation"));
  }
}
