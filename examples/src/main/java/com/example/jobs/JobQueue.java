package com.example.jobs;

import io.holdfast.Holdfast;
import io.holdfast.Transaction;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;

/// Jobs that wait in a store, and what became of them.
///
/// Thread-safe.
public final class JobQueue {
  private static final int TRIES = 3;

  private final Holdfast store;
  private final BlockingQueue<Job> waiting;
  private final ConcurrentMap<String, String> results;
  private final BlockingQueue<DeadLetter> deadLetters;

  public JobQueue(Holdfast store) {
    this.store = store;
    this.waiting = store.queue("waiting", Job.class);
    this.results = store.hashMap("results", String.class, String.class);
    this.deadLetters = store.queue("dead letters", DeadLetter.class);
  }

  /// Submits a job. Who is not told whether it worked, because the program died, submits it again.
  ///
  /// @return whether it is new
  public boolean submit(String id, String text) {
    return store.transaction(
        () -> {
          boolean isNew = results.putIfAbsent(id, "waiting") == null;
          if (isNew) {
            waiting.add(new Job(id, text, 0));
          }
          return isNew;
        });
  }

  /// Takes a job and does it. If the program dies meanwhile, the job is where it was. Other workers
  /// take other jobs, and need not wait for this one.
  ///
  /// @param work makes a result of a job's text; a job that it fails for is tried again, and after
  ///   three times becomes a dead letter
  /// @return whether there was a job
  public boolean workOne(Function<String, String> work) {
    return store.atomically(
        () -> {
          Job job = waiting.poll();
          if (job == null) {
            return false;
          }
          try {
            results.put(job.id(), "done: " + work.apply(job.text()));
          } catch (RuntimeException e) {
            failed(job.failedAgain(), e.getMessage());
          }
          return true;
        });
  }

  private void failed(Job job, String reason) {
    if (job.failures() < TRIES) {
      waiting.add(job);
    } else {
      results.put(job.id(), "failed: " + reason);
      deadLetters.add(new DeadLetter(job, reason));
    }
  }

  /// Gives each dead letter another chance: all of them, or none.
  ///
  /// @return how many
  public int tryAgain() {
    return store.transaction(
        () -> {
          int count = 0;
          for (DeadLetter letter = deadLetters.poll();
              letter != null;
              letter = deadLetters.poll()) {
            results.put(letter.job().id(), "waiting");
            waiting.add(new Job(letter.job().id(), letter.job().text(), 0));
            count++;
          }
          return count;
        });
  }

  /// Waits until a job is done or was given up.
  public String await(String id) {
    return store.transaction(
        () -> {
          String result = results.get(id);
          return result == null || result.equals("waiting") ? Transaction.retry() : result;
        });
  }

  /// How many jobs wait, are done or were given up, and were given up: of one moment.
  public Counts counts() {
    return store.transaction(
        Transaction.Options.defaults().readOnly(),
        () -> new Counts(waiting.size(), results.size(), deadLetters.size()));
  }

  /// @param known all that were ever submitted
  public record Counts(int waiting, int known, int deadLetters) {}

  public List<DeadLetter> deadLetters() {
    return List.copyOf(deadLetters);
  }
}
