package io.holdfast.jmh.bench.transaction;

import io.holdfast.Holdfast;
import io.holdfast.jmh.atlas.Crew;
import io.holdfast.jmh.process.Scratch;
import io.holdfast.jmh.report.Measurement;
import io.holdfast.jmh.report.Page;
import io.holdfast.jmh.report.Results;
import io.holdfast.jmh.report.ThroughputTable;
import io.holdfast.jmh.suite.Experiment;
import io.holdfast.jmh.suite.Suite;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/// Workers take jobs out of a queue, work at each for 10 ms, in which they do nothing, and offer
/// its result to another queue, each job in one `atomically`. A time is that of a job of all
/// together: of a run, divided by its jobs.
///
/// What the sections of a run depend on is told by their JFR events, in a run of its own.
@Experiment(
    question = "are workers in each other's way who take jobs of 10 ms out of one queue?",
    floor = "one worker's time, divided by the number of workers",
    variables = "the number of workers")
public final class WorkersBenchmark implements Suite.Trial {
  public static final int MANY = 8;
  private static final List<Integer> WORKERS = List.of(1, MANY);
  private static final long JOB_NANOS = 10_000_000;

  /// Of each worker: a second, and a tenth for a first look.
  private static final int JOBS = 100, QUICK_JOBS = 10;

  private static final int RUNS = 5, QUICK_RUNS = 1;

  public WorkersBenchmark() {}

  /// A time.
  public static String name(int workers) {
    return name("job", workers);
  }

  private static String name(String what, int workers) {
    return "WorkersBenchmark.%s(workers=%d)".formatted(what, workers);
  }

  /// The workers of a store.
  record Workers(Holdfast store, Queue<Integer> jobs, Queue<Integer> results, int threads)
      implements Crew.Work {
    static Workers over(Holdfast store, int threads) {
      return new Workers(
          store,
          store.queue("jobs", Integer.class),
          store.queue("results", Integer.class),
          threads);
    }

    @Override
    public void run(int thread, int operations) {
      boolean found = true;
      while (found) {
        found = store.atomically(this::work);
      }
    }

    private boolean work() {
      Integer job = jobs.poll();
      if (job == null) {
        return false;
      }
      long end = System.nanoTime() + JOB_NANOS;
      for (long left = JOB_NANOS; left > 0; left = end - System.nanoTime()) {
        LockSupport.parkNanos(left);
      }
      return results.offer(job);
    }

    /// Has so many jobs done.
    ///
    /// @return how long that took, in nanoseconds
    /// @throws IllegalStateException if one was not done, or not once
    long run(Crew crew, int count) {
      List<Integer> numbers = IntStream.range(0, count).boxed().toList();
      jobs.addAll(numbers);
      long started = System.nanoTime();
      crew.run(count);
      long nanos = System.nanoTime() - started;
      List<Integer> done = results.stream().sorted().toList();
      results.clear();
      if (!jobs.isEmpty() || !done.equals(numbers)) {
        throw new IllegalStateException(
            "jobs done: expected=%d, found=%d, left=%d".formatted(count, done.size(), jobs.size()));
      }
      return nanos;
    }
  }

  @Override
  public void run(Suite.Extent extent, Results results) throws IOException {
    for (int workers : WORKERS) {
      measure(
          workers, extent.quick() ? QUICK_JOBS : JOBS, extent.quick() ? QUICK_RUNS : RUNS, results);
    }
  }

  /// @param each how many jobs a worker has
  static void measure(int count, int each, int runs, Results results) throws IOException {
    int jobs = count * each;
    try (Scratch scratch = new Scratch();
        Holdfast store = Holdfast.open(scratch.file("workers.hf"))) {
      Workers workers = Workers.over(store, count);
      try (Crew crew = new Crew(workers)) {
        workers.run(crew, count); // starts the threads, and loads classes
        List<Double> times = new ArrayList<>();
        for (int i = 0; i < runs; i++) {
          times.add((double) workers.run(crew, jobs) / jobs);
        }
        results.add(name(count), Measurement.NANOSECONDS, times);
        List<RecordedEvent> sections =
            sections(scratch.file("sections.jfr"), () -> workers.run(crew, jobs));
        results.add(
            name("dependencies", count),
            "dependencies",
            List.of(sections.stream().mapToDouble(one -> one.getInt("dependencies")).sum()));
        results.add(
            name("waiting", count),
            "sections",
            List.of((double) sections.stream().filter(one -> one.getBoolean("waits")).count()));
      }
    }
  }

  /// The events of sections while something is done.
  private static List<RecordedEvent> sections(Path file, Runnable action) throws IOException {
    try (Recording recording = new Recording()) {
      recording.enable("io.holdfast.Section").withThreshold(Duration.ZERO);
      recording.start();
      action.run();
      recording.stop();
      recording.dump(file);
    }
    return RecordingFile.readAllEvents(file).stream()
        .filter(event -> event.getEventType().getName().equals("io.holdfast.Section"))
        .toList();
  }

  public static void print(Results results, Page page) {
    page.out().printf("%nWorkers, jobs of %d ms:%n%n", JOB_NANOS / 1_000_000);
    ThroughputTable.heading(
        page.out(),
        "workers",
        List.of(
            "ms a job",
            "times one worker's throughput",
            "dependencies in a run",
            "sections that were not durable at their end"));
    for (int workers : WORKERS) {
      results
          .median(name(workers))
          .ifPresent(
              nanos ->
                  page.out()
                      .printf(
                          "| %d | %.2f | %s | %s | %s |%n",
                          workers,
                          nanos / 1e6,
                          Page.cell(results.median(name(1)).map(one -> one / nanos), "%.2f"),
                          Page.cell(results.median(name("dependencies", workers)), "%,.0f"),
                          Page.cell(results.median(name("waiting", workers)), "%,.0f")));
    }
  }
}
