package io.holdfast.verification;

import io.holdfast.core.memory.Uninterrupted;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/// Some threads that share work whose parts make further parts. Each takes its newest part first,
/// so that few wait. For one work.
final class Crew implements AutoCloseable {
  private final ForkJoinPool pool;

  /// Parts that are not done, and who gives out the first ones.
  private final AtomicLong pending = new AtomicLong(1);

  private final CountDownLatch done = new CountDownLatch(1);
  private volatile Throwable thrown;

  /// @param threads at least 1
  Crew(int threads) {
    pool = new ForkJoinPool(threads);
  }

  /// Has a part done; called before {@link #await}, or by a part.
  void run(Runnable part) {
    AtomicBoolean isBegun = new AtomicBoolean();
    pending.incrementAndGet();
    try {
      pool.execute(
          () -> {
            if (!isBegun.getAndSet(true)) {
              doNow(part);
            }
          });
    } catch (RuntimeException | Error e) { // of memory, say; the pool may have kept the part
      if (!isBegun.getAndSet(true)) {
        end();
      }
      throw e;
    }
  }

  private void doNow(Runnable part) {
    try {
      part.run();
    } catch (RuntimeException | Error e) {
      thrown = e;
    } finally {
      end();
    }
  }

  private void end() {
    if (pending.decrementAndGet() == 0) {
      done.countDown();
    }
  }

  /// Waits until all parts are done, those that they made included. An interrupt does not end it;
  /// the thread stays interrupted. Throws what a part has thrown.
  void await() {
    end();
    Uninterrupted.await(done::await);
    switch (thrown) {
      case null -> {
        // all parts are done
      }
      case Error error -> throw error;
      case RuntimeException exception -> throw exception;
      default -> throw new AssertionError(thrown); // no part throws another
    }
  }

  @Override
  public void close() {
    pool.shutdownNow();
  }
}
