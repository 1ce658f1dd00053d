package io.holdfast.stress.workload;

import io.holdfast.Holdfast;
import io.holdfast.collections.PersistentHashMap;
import io.holdfast.collections.PersistentQueue;
import io.holdfast.stress.kill.Violation;
import io.holdfast.stress.kill.Worker;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;

/// Workers take jobs from a queue, work for some milliseconds, and put the results into another
/// one, each job in one section.
///
/// Checked: a job that was finished has its result after the kill (P6); each job waits or has its
/// result, exactly once (P1); those that wait are in their order, also where a kill has given one
/// back; of a worker's results there is none without those before (P2).
public class Workers extends IndependentSections {
  private static final int BACKLOG = 100;

  /// A finished job.
  ///
  /// @param number of the worker's sections in that life
  record Result(long job, int life, int worker, long number) {}

  private final ReentrantLock feeding = new ReentrantLock();
  private PersistentQueue<Long> jobs;
  private PersistentQueue<Result> results;

  // The model, in the parent.
  private final Set<Long> finished = new HashSet<>();

  @Override
  public String name() {
    return "workers";
  }

  private static PersistentQueue<Long> jobs(Holdfast store) {
    return store.queue("jobs", Long.class);
  }

  private static PersistentQueue<Result> results(Holdfast store) {
    return store.queue("results", Result.class);
  }

  /// How many jobs there have been, at 0.
  private static PersistentHashMap<Integer, Long> fed(Holdfast store) {
    return store.hashMap("fed", Integer.class, Long.class);
  }

  @Override
  public void setUp(Worker worker) {
    jobs = jobs(worker.store());
    results = results(worker.store());
    feed(worker.store());
  }

  private void feed(Holdfast store) {
    feeding.lock();
    try {
      if (jobs.size() < BACKLOG) {
        store.atomically(
            () -> {
              long last = fed(store).merge(0, (long) BACKLOG, Long::sum);
              LongStream.rangeClosed(last - BACKLOG + 1, last).forEach(jobs::add);
            });
      }
    } finally {
      feeding.unlock();
    }
  }

  @Override
  void begin(int thread) {
    jobs.remove();
  }

  @Override
  void step(Worker worker, int thread, long number, RandomGenerator random) {
    long[] done = new long[1];
    section(
        worker,
        thread,
        () -> {
          Long job = jobs.poll();
          workFor(random);
          done[0] = job == null ? 0 : job;
          results.add(new Result(done[0], worker.life(), thread, number));
        });
    if (done[0] == 0) {
      feed(worker.store());
    } else {
      worker.acknowledge(thread, done[0]);
    }
  }

  @Override
  public void acknowledged(int channel, long number) {
    finished.add(number);
  }

  @Override
  public void check(Holdfast store, int lives) {
    List<Long> waiting = List.copyOf(jobs(store));
    List<Result> found = List.copyOf(results(store));
    Violation.unless(
        jobs(store).validate() == waiting.size() && results(store).validate() == found.size(),
        "a queue has different sizes: jobs=%d, results=%d",
        waiting.size(),
        found.size());
    Violation.unless(
        waiting.equals(waiting.stream().sorted().toList()),
        "P2 ordered: jobs that were given back are not in their places: %s",
        waiting);
    List<Long> all = new ArrayList<>(waiting);
    found.stream().map(Result::job).filter(job -> job > 0).forEach(all::add);
    long fed = fed(store).getOrDefault(0, 0L);
    Violation.unless(
        all.stream().sorted().toList().equals(LongStream.rangeClosed(1, fed).boxed().toList()),
        "P1 atomic: jobs are lost or doubled: fed=%d, waiting=%s, results=%s",
        fed,
        waiting,
        found);
    checkResults(found);
  }

  private void checkResults(List<Result> found) {
    Set<Long> gone = new HashSet<>(finished);
    Map<List<Integer>, Long> next = new HashMap<>();
    for (Result result : found) {
      gone.remove(result.job());
      long expected = next.merge(List.of(result.life(), result.worker()), 1L, Long::sum) - 1;
      Violation.unless(
          result.number() == expected,
          "P2 ordered: a worker's result is there, and not the one before: expected=%d, found=%s",
          expected,
          result);
    }
    Violation.unless(
        gone.isEmpty(), "P6 acknowledged: jobs were finished, and have no result: %s", gone);
  }
}
