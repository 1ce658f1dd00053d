package com.example.scheduler;

import java.util.Queue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// Jobs that wait, run, and are done. Workers wait for jobs, and those who submit for room.
///
/// Thread-safe.
public final class JobScheduler {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition submitted = lock.newCondition();
  private final Condition roomMade = lock.newCondition();
  private final Queue<String> waiting;
  private final Queue<String> running;
  private final Queue<String> done;
  private final int waitingMax;

  public JobScheduler(
      Queue<String> waiting, Queue<String> running, Queue<String> done, int waitingMax) {
    this.waiting = waiting;
    this.running = running;
    this.done = done;
    this.waitingMax = waitingMax;
  }

  /// At the start: jobs that ran when the program ended wait again.
  public void recover() {
    lock.lock();
    try {
      while (!running.isEmpty()) {
        waiting.add(running.remove());
      }
      submitted.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /// Submits a job again that is done; waits for room, and for such a job.
  public void submitAgain() throws InterruptedException {
    lock.lock();
    try {
      while (waiting.size() >= waitingMax || done.isEmpty()) {
        roomMade.await();
      }
      waiting.add(done.remove());
      submitted.signal();
    } finally {
      lock.unlock();
    }
  }

  /// Waits for a job. It runs until {@link #finish}.
  public String next() throws InterruptedException {
    lock.lock();
    try {
      while (waiting.isEmpty()) {
        submitted.await();
      }
      String job = waiting.remove();
      running.add(job);
      roomMade.signalAll();
      return job;
    } finally {
      lock.unlock();
    }
  }

  /// @throws IllegalStateException if the job does not run
  public void finish(String job) {
    lock.lock();
    try {
      if (!running.remove(job)) {
        throw new IllegalStateException("it does not run: " + job);
      }
      done.add(job);
      roomMade.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
