package io.holdfast.jmh.stamp;

import io.holdfast.jmh.atlas.Crew;

/// A program of STAMP over a store, which stays the caller's. It is run once.
public abstract class StampProgram implements Crew.Work {
  protected final int threads;

  protected StampProgram(int threads) {
    this.threads = threads;
  }

  @Override
  public final int threads() {
    return threads;
  }

  /// Operations of all threads, as {@link Crew#run} wants them.
  public abstract int operations();

  /// Transactions that a run commits.
  public long transactions() {
    return operations();
  }

  /// Runs it, by its threads.
  ///
  /// @return nanoseconds
  public final long run() {
    try (Crew crew = new Crew(this)) {
      long started = System.nanoTime();
      crew.run(operations());
      return System.nanoTime() - started;
    }
  }

  /// Looks at what the program has left when it has run.
  ///
  /// @throws IllegalStateException if one of its invariants does not hold
  public abstract void check();

  /// Says that an invariant does not hold.
  public static void require(boolean holds, String invariant, Object... values) {
    if (!holds) {
      throw new IllegalStateException(invariant.formatted(values));
    }
  }
}
