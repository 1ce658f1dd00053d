package io.holdfast.core.section;

import java.util.function.BooleanSupplier;

/// Wakes threads that wait until a region's collections have changed.
///
/// **WAKE-1** A thread that waits says so before it looks; a thread that has changed something
/// looks afterwards whether one waits. Test: TransactionTest.wake1ARetryIsWoken.
///
/// Thread-safe. A monitor, because virtual threads give up their carriers in it.
final class ChangeSignal {
  /// A wake-up that an error has cut off is made up for.
  private static final int LOOK_MILLIS = 10;

  private volatile int waiting;
  private int changes;

  void changed() {
    if (waiting != 0) {
      wake();
    }
  }

  private synchronized void wake() {
    changes++;
    notifyAll();
  }

  /// @param condition is asked outside of the monitor: it may take locks
  /// @return whether it holds, after {@link #LOOK_MILLIS} at the latest
  boolean await(BooleanSupplier condition) {
    int before = begin();
    try {
      if (condition.getAsBoolean()) {
        return true;
      }
      awaitMoreThan(before);
    } finally {
      end();
    }
    return condition.getAsBoolean();
  }

  private synchronized int begin() {
    waiting++;
    return changes;
  }

  private synchronized void end() {
    waiting--;
  }

  private synchronized void awaitMoreThan(int before) {
    try {
      if (changes == before) {
        wait(LOOK_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
