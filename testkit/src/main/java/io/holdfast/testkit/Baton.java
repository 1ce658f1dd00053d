package io.holdfast.testkit;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/// Several real threads that take turns: one runs at a time, and what each does is handed over to
/// the next as by a lock. So a script of steps always runs the same way.
public final class Baton implements AutoCloseable {
  private static final long STEP_SECONDS_MAX = 60;

  private final Map<String, ExecutorService> threads = new LinkedHashMap<>();
  private final Supplier<Thread.Builder> builders;

  /// Platform threads take the turns.
  public Baton() {
    this(Thread::ofPlatform);
  }

  private Baton(Supplier<Thread.Builder> builders) {
    this.builders = builders;
  }

  /// Virtual threads take the turns.
  public static Baton ofVirtualThreads() {
    return new Baton(Thread::ofVirtual);
  }

  /// What a thread does in a turn.
  public interface Turn {
    void run() throws Exception;
  }

  /// A turn and who takes it.
  ///
  /// @param thread its name; started when it is first named
  record Leg(String thread, Turn turn) {
    private void run() {
      try {
        turn.run();
      } catch (Exception | Error e) {
        throw new AssertionError("thread " + thread + ": " + e, e);
      }
    }
  }

  /// Has a thread run something, and waits for its end.
  ///
  /// @param thread its name; started when it is first named
  public void run(String thread, Turn turn) {
    relay(List.of(new Leg(thread, turn)));
  }

  /// Has threads run something one after the other, and waits for the end. Each hands over to the
  /// next by itself, and to itself without a pause: most turns are shorter than a change of
  /// threads.
  void relay(List<Leg> legs) {
    CompletableFuture<Void> done = CompletableFuture.completedFuture(null);
    for (int from = 0; from < legs.size(); ) {
      String thread = legs.get(from).thread;
      int to = from;
      while (to < legs.size() && legs.get(to).thread.equals(thread)) {
        to++;
      }
      List<Leg> inOneGo = legs.subList(from, to);
      done = done.thenRunAsync(() -> inOneGo.forEach(Leg::run), executor(thread));
      from = to;
    }
    await(done, legs.size() * STEP_SECONDS_MAX);
  }

  private ExecutorService executor(String thread) {
    return threads.computeIfAbsent(
        thread, name -> Executors.newSingleThreadExecutor(builders.get().name(name).factory()));
  }

  private void await(Future<?> done, long secondsMax) {
    try {
      done.get(secondsMax, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw new AssertionError(e.getCause().getMessage(), e.getCause().getCause());
    } catch (TimeoutException e) {
      threads.values().forEach(ExecutorService::shutdownNow);
      throw new AssertionError("threads %s: a turn does not end".formatted(threads.keySet()), e);
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
