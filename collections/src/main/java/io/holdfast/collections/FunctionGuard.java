package io.holdfast.collections;

import java.util.function.Supplier;

/// Keeps a function that computes a value of a map from coming back to change the map.
///
/// **UPDATE-1** While such a function runs, its thread holds a lock of the map. It takes no further
/// one: two threads that do could wait for each other, and a change within a change has no order.
/// What would take one throws before it does anything.
///
/// Thread-safe.
final class FunctionGuard {
  private final String file;

  /// Whether the thread is in a function of this map: a cell that is kept, for setting a thread
  /// local costs more than finding it.
  private final ThreadLocal<boolean[]> inFunction = ThreadLocal.withInitial(() -> new boolean[1]);

  FunctionGuard(String file) {
    this.file = file;
  }

  /// @throws IllegalStateException in a function
  void check() {
    if (inFunction.get()[0]) {
      throw new IllegalStateException(
          "%s: Recursive update: a function that computes a value of a map may look up single keys in that map, and do nothing else with it. Nothing has changed"
              .formatted(file));
    }
  }

  /// Runs a function.
  <T> T run(Supplier<T> function) {
    boolean[] cell = inFunction.get();
    cell[0] = true;
    try {
      return function.get();
    } finally {
      cell[0] = false;
    }
  }
}
