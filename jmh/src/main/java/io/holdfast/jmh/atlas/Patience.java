package io.holdfast.jmh.atlas;

/// Waits for another thread of the program, without a lock: shortly at first, since it is at work,
/// then leaving it the processor, since it may not have one.
///
/// Confined to its thread.
public final class Patience {
  /// Some microseconds.
  private static final int LOOKS_BETWEEN_YIELDS = 128;

  private int looks;

  /// Waits a little.
  ///
  /// @throws IllegalStateException if the thread was interrupted, because another one failed
  public void wear() {
    if (Thread.currentThread().isInterrupted()) {
      throw new IllegalStateException("the run was given up: another thread of it failed");
    }
    if (++looks % LOOKS_BETWEEN_YIELDS == 0) {
      Thread.yield();
    } else {
      Thread.onSpinWait();
    }
  }
}
