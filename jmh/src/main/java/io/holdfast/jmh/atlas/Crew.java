package io.holdfast.jmh.atlas;

import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/// The threads of a program: as many as it has, the same for all its runs.
///
/// Confined to the thread that made it.
public final class Crew implements AutoCloseable {
  /// What threads do together.
  public interface Work {
    /// How many threads take part in a run.
    int threads();

    /// A thread's part of a run.
    ///
    /// @param thread from 0
    /// @param operations of all threads; what counts as one, the work says
    void run(int thread, int operations);
  }

  private final Work program;
  private final ExecutorService threads;
  private final CompletionService<Void> ended;

  /// @param program stays the caller's
  public Crew(Work program) {
    this.program = program;
    this.threads =
        Executors.newFixedThreadPool(
            program.threads(), Thread.ofPlatform().daemon().name("program-", 0).factory());
    this.ended = new ExecutorCompletionService<>(threads);
  }

  /// Runs the program, and waits for its end.
  ///
  /// @param operations of all threads together
  /// @throws IllegalStateException if a thread failed; the others were interrupted
  public void run(int operations) {
    for (int i = 0; i < program.threads(); i++) {
      int thread = i;
      ended.submit(() -> program.run(thread, operations), null);
    }
    try {
      for (int i = 0; i < program.threads(); i++) {
        ended.take().get();
      }
    } catch (ExecutionException e) {
      threads.shutdownNow();
      throw new IllegalStateException("a thread of the program failed", e.getCause());
    } catch (InterruptedException e) {
      threads.shutdownNow();
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  /// Ends the threads.
  @Override
  public void close() {
    threads.close();
  }
}
