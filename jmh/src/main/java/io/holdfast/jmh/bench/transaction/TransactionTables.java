package io.holdfast.jmh.bench.transaction;

import io.holdfast.jmh.call.Calls;
import io.holdfast.jmh.map.Accounts;
import io.holdfast.jmh.map.Maps;
import io.holdfast.jmh.report.Page;
import io.holdfast.jmh.report.Results;
import io.holdfast.jmh.report.Target;
import io.holdfast.jmh.report.ThroughputTable;
import java.util.List;
import java.util.stream.Stream;

/// What the benchmarks of transactions measured, side by side, and what is asked of them.
public final class TransactionTables {
  private static final List<Integer> SIZES = List.of(100_000, 1_000_000);

  private TransactionTables() {}

  static String transfer(String method, String map) {
    return "TransactionBenchmark.%s(map=%s)".formatted(method, map);
  }

  static String snapshot(String method, int size) {
    return "SnapshotBenchmark.%s(size=%d)".formatted(method, size);
  }

  public static Stream<Target> targets() {
    return Stream.of(transfers(), snapshots(), workers(), calls()).flatMap(targets -> targets);
  }

  private static Stream<Target> transfers() {
    String one = transfer("oneThread", Accounts.TRANSACTION);
    String two = transfer("twoThreads", Accounts.TRANSACTION);
    return Stream.concat(
        Stream.of(
            new Target(one, transfer("oneThread", Accounts.UNDER_LOCK), 1.6),
            new Target(one, transfer("oneThread", Accounts.UNDER_DURABLE_LOCK), Target.REPORTED),
            // Two threads do at least 1.6 times the work of one.
            new Target(two, one, 2 / 1.6),
            new Target(two, transfer("twoThreads", Accounts.UNDER_LOCK), Target.REPORTED)),
        Stream.of(Maps.H2_MV_STORE, Maps.ROCKSDB)
            .flatMap(
                peer ->
                    Stream.of(
                        new Target(one, transfer("oneThread", peer), 1 / 4.0),
                        new Target(two, transfer("twoThreads", peer), Target.REPORTED))));
  }

  private static Stream<Target> snapshots() {
    return SIZES.stream()
        .map(
            size ->
                new Target(snapshot("readOnlyTransaction", size), snapshot("tenGets", size), 1.5));
  }

  private static Stream<Target> workers() {
    return Stream.of(
        new Target(
            WorkersBenchmark.name(WorkersBenchmark.MANY), WorkersBenchmark.name(1), 1 / 7.5));
  }

  private static Stream<Target> calls() {
    String section = ResumableBenchmark.name("atomically");
    return Stream.of(
        new Target(ResumableBenchmark.name("run"), section, 2.5),
        new Target(ResumableBenchmark.name("runWithAnId"), section, Target.REPORTED),
        new Target(
            UnfinishedBenchmark.name("opening", UnfinishedBenchmark.MANY),
            UnfinishedBenchmark.name("opening", 0),
            1.1),
        new Target(JobBenchmark.name("10000"), JobBenchmark.name(JobBenchmark.WITHOUT_A_JOB), 1.15),
        new Target(
            SubmitBenchmark.name("accepted", Calls.HOLDFAST),
            SubmitBenchmark.name("accepted", Calls.DB_SCHEDULER),
            1 / 10.0));
  }

  public static void print(Results results, Page page) {
    new ThroughputTable("Transfers within a map", Accounts.ALL, results::time)
        .row("transfer", 1, map -> transfer("oneThread", map))
        .row("transfer, 2 threads", 2, map -> transfer("twoThreads", map))
        .print(page, "transactions.svg");
    page.out().println();
    new ThroughputTable("Ten gets", List.of("tenGets", "readOnlyTransaction"), results::time)
        .row("100,000 entries", 1, method -> snapshot(method, SIZES.getFirst()))
        .row("1,000,000 entries", 1, method -> snapshot(method, SIZES.getLast()))
        .print(page, "snapshots.svg");
    page.out().println();
    new ThroughputTable("Calls that happen once", ResumableBenchmark.ALL, results::time)
        .row("transfer", 1, ResumableBenchmark::name)
        .print(page, "resumable.svg");
    page.out().println();
    new ThroughputTable("Lines of a job", JobBenchmark.ALL, results::time)
        .row("line", 1, JobBenchmark::name)
        .print(page, "jobs.svg");
    SubmitBenchmark.print(results, page);
    WorkersBenchmark.print(results, page);
    StampBenchmark.print(results, page);
  }
}
