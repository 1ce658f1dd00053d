package io.holdfast.core.explorer;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// Several real threads that take turns: one runs at a time, and what each does is handed over to
/// the next as by a lock. So a script of steps always runs the same way.
public final class Baton implements AutoCloseable {
  private static final long STEP_SECONDS_MAX = 60;

  private final Map<String, ExecutorService> threads = new LinkedHashMap<>();

  /// What a thread does in a turn.
  public interface Turn {
    void run() throws Exception;
  }

  /// Has a thread run something, and waits for its end.
  ///
  /// @param thread its name; started when it is first named
  public void run(String thread, Turn turn) {
    ExecutorService executor =
        threads.computeIfAbsent(
            thread,
            name -> Executors.newSingleThreadExecutor(Thread.ofPlatform().name(name).factory()));
    Future<?> done =
        executor.submit(
            () -> {
              turn.run();
              return null;
            });
    try {
      done.get(STEP_SECONDS_MAX, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw new AssertionError("thread " + thread + ": " + e.getCause(), e.getCause());
    } catch (TimeoutException e) {
      done.cancel(true);
      throw new AssertionError("thread " + thread + ": the turn does not end", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  /// Ends all threads.
  @Override
  public void close() {
    threads.values().forEach(ExecutorService::close);
    threads.clear();
  }
}
