package io.holdfast.collections;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/// Another thread, which does one thing.
final class Other<T> implements AutoCloseable {
  /// So long a test waits before it fails, however loaded the machine is.
  private static final long SECONDS_MAX = 60;

  private final CompletableFuture<T> result = new CompletableFuture<>();
  private final Thread thread;

  /// What the thread does.
  interface Work<T> {
    T run() throws Exception;
  }

  private Other(ThreadFactory threads, Work<T> work) {
    thread =
        threads.newThread(
            () -> {
              try {
                result.complete(work.run());
              } catch (Throwable e) {
                result.completeExceptionally(e);
              }
            });
    thread.start();
  }

  static <T> Other<T> start(Work<T> work) {
    return start(Thread.ofPlatform().daemon().factory(), work);
  }

  static <T> Other<T> start(ThreadFactory threads, Work<T> work) {
    return new Other<>(threads, work);
  }

  /// Returns when the thread waits for something, which nobody is doing yet.
  void awaitWaiting() throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS_MAX);
    while (true) {
      switch (thread.getState()) {
        case WAITING, TIMED_WAITING -> {
          return;
        }
        case TERMINATED -> throw new AssertionError("does not wait: " + result);
        default -> {
          if (System.nanoTime() > deadline) {
            throw new AssertionError("does not wait: " + thread.getState());
          }
          Thread.sleep(1);
        }
      }
    }
  }

  void interrupt() {
    thread.interrupt();
  }

  /// What the work returned.
  ///
  /// @throws Exception what it threw
  T result() throws Exception {
    try {
      return result.get(SECONDS_MAX, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof Exception thrown) {
        throw thrown;
      }
      throw new AssertionError(e.getCause());
    }
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
