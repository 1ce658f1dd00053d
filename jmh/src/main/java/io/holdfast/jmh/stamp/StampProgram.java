package io.holdfast.jmh.stamp;

import io.holdfast.jmh.atlas.Crew;

/// A program of STAMP over a store, which stays the caller's. It is run once.
public interface StampProgram extends Crew.Work {
  /// Operations of all threads, as {@link Crew#run} wants them.
  int operations();

  /// Transactions that a run commits.
  long transactions();

  /// Looks at what the program has left when it has run.
  ///
  /// @throws IllegalStateException if one of its invariants does not hold
  void check();

  /// Says that an invariant does not hold.
  static void require(boolean holds, String invariant, Object... values) {
    if (!holds) {
      throw new IllegalStateException(invariant.formatted(values));
    }
  }
}
