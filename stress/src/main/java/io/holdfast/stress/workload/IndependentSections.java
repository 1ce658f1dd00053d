package io.holdfast.stress.workload;

import io.holdfast.stress.kill.KillTiming;
import io.holdfast.stress.kill.Worker;
import io.holdfast.stress.kill.Workload;
import java.util.concurrent.CountDownLatch;
import java.util.random.RandomGenerator;

/// Threads whose sections share collections and no data, and take some milliseconds each. In two
/// lives of three the first thread begins a section before the others do, and stays in it until it
/// is killed.
///
/// Checked: what a section did is there once it has returned, without `sync` and whatever the other
/// threads were at (P6). A section that waited for the one that stays would never return, and the
/// worker would acknowledge nothing.
abstract class IndependentSections implements Workload {
  private static final int LIVES = 3;
  private static final int MILLIS_MAX = 4;

  private final CountDownLatch stuck = new CountDownLatch(1);

  @Override
  public final void work(Worker worker, int thread) throws InterruptedException {
    if (worker.life() % LIVES != 0 && worker.threads() > 1) {
      if (thread == 0) {
        section(worker, thread, () -> stay(thread));
      }
      stuck.await();
    }
    RandomGenerator random = worker.random(thread);
    for (long number = 0; ; number++) {
      step(worker, thread, number, random);
    }
  }

  private void stay(int thread) {
    begin(thread);
    stuck.countDown();
    sleep(Long.MAX_VALUE);
  }

  /// What a section does first.
  abstract void begin(int thread);

  /// Does one section, and acknowledges what it did.
  ///
  /// @param number of the thread's sections in this life, from 0 on
  abstract void step(Worker worker, int thread, long number, RandomGenerator random);

  /// Does something in one section.
  protected void section(Worker worker, int thread, Runnable action) {
    worker.atomically(thread, action);
  }

  /// What a section takes its time for.
  static void workFor(RandomGenerator random) {
    sleep(random.nextInt(MILLIS_MAX));
  }

  private static void sleep(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public final KillTiming timing() {
    return KillTiming.ACKNOWLEDGED_WORK;
  }
}
