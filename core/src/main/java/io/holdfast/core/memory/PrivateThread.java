package io.holdfast.core.memory;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/// Works on files in a thread that nobody else knows. An interrupt would close the channels of the
/// thread that it meets; the calling thread keeps its own for later.
public final class PrivateThread {
  /// What is done.
  public interface Work<R, E extends Exception> {
    R run() throws E;
  }

  private PrivateThread() {}

  /// Waits for the work's end. Throws what it throws.
  ///
  /// @param name of the thread
  public static <R, E extends Exception> R call(String name, Work<R, E> work) throws E {
    return PrivateThread.<R, E>await(name, new FutureTask<>(work::run));
  }

  /// The same of what returns nothing: makes no code where the stack may end.
  static void run(String name, Runnable work) {
    PrivateThread.<Void, RuntimeException>await(name, new FutureTask<>(work, null));
  }

  private static <R, E extends Exception> R await(String name, FutureTask<R> task) throws E {
    Thread.ofPlatform().daemon().name(name).start(task);
    boolean isInterrupted = false;
    try {
      while (true) {
        try {
          return task.get();
        } catch (InterruptedException e) {
          isInterrupted = true;
        }
      }
    } catch (ExecutionException e) {
      throw PrivateThread.<E>thrown(e.getCause());
    } finally {
      if (isInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @SuppressWarnings("unchecked") // the work throws nothing else
  private static <E extends Exception> E thrown(Throwable cause) {
    if (cause instanceof Error error) {
      throw error;
    }
    return (E) cause;
  }
}
