package io.holdfast.stress.example;

import com.example.scheduler.JobScheduler;
import io.holdfast.Holdfast;
import io.holdfast.collections.PersistentQueue;
import io.holdfast.stress.kill.Violation;
import io.holdfast.stress.kill.Worker;
import java.util.List;
import java.util.Set;

/// Jobs are submitted, run, finished, and submitted again. Checked: each waits, runs or is done.
public final class SchedulerExample extends Example {
  private static final int JOBS = 30;
  private static final int WAITING_MAX = 10;

  private JobScheduler scheduler;

  public SchedulerExample() {
    super("scheduler");
  }

  private static PersistentQueue<String> jobs(Holdfast store, String name) {
    return store.queue(name, String.class);
  }

  @Override
  Probe<?> tryOut() {
    Probe<String> waiting = new Probe<>();
    Probe<String> running = new Probe<>();
    running.add("job");
    new JobScheduler(waiting, running, new Probe<>(), WAITING_MAX).recover();
    return waiting;
  }

  @Override
  void fill(Worker worker) {
    PersistentQueue<String> waiting = jobs(worker.store(), "waiting");
    PersistentQueue<String> running = jobs(worker.store(), "running");
    PersistentQueue<String> done = jobs(worker.store(), "done");
    if (waiting.isEmpty() && running.isEmpty() && done.isEmpty()) {
      done.addAll(names("job", JOBS));
    }
    scheduler = new JobScheduler(waiting, running, done, WAITING_MAX);
    scheduler.recover();
  }

  /// The first thread submits, the others work.
  @Override
  public void work(Worker worker, int thread) throws InterruptedException {
    while (true) {
      if (thread == 0) {
        scheduler.submitAgain();
      } else {
        scheduler.finish(scheduler.next());
      }
    }
  }

  @Override
  public void check(Holdfast store, int lives) {
    PersistentQueue<String> waiting = jobs(store, "waiting");
    PersistentQueue<String> running = jobs(store, "running");
    PersistentQueue<String> done = jobs(store, "done");
    long found = waiting.validate() + running.validate() + done.validate();
    Set<String> doubles = doubles(List.of(waiting, running, done));
    Violation.unless(
        (found == 0 || found == JOBS) && doubles.isEmpty(),
        "P1 atomic: jobs were made or lost: found=%d, expected=%d, in two places=%s",
        found,
        JOBS,
        doubles);
  }
}
