package io.holdfast.core.memory;

import io.holdfast.core.StoreClosedException;
import java.nio.channels.ClosedByInterruptException;
import java.util.concurrent.locks.LockSupport;

/// How fast a region in use is copied, and whether the copy is still of use. For one thread.
public final class CopyPace {
  /// A thread that waits looks so often whether it is still of use.
  private static final long NAP_NANOS = 50_000_000;

  private final long bytesPerSecond;
  private final Runnable checkUsable;
  private final long started = System.nanoTime();

  /// @param bytesPerSecond no faster than that on the average, but for what is copied while others
  ///   wait
  /// @param checkUsable throws {@link StoreClosedException} if the region was closed
  public CopyPace(long bytesPerSecond, Runnable checkUsable) {
    this.bytesPerSecond = bytesPerSecond;
    this.checkUsable = checkUsable;
  }

  public void checkUsable() {
    checkUsable.run();
  }

  /// Waits until so many bytes may have been copied.
  ///
  /// @throws ClosedByInterruptException if the thread was interrupted
  public void await(long copied) throws ClosedByInterruptException {
    long dueNanos = (long) ((double) copied / bytesPerSecond * 1e9);
    long ahead = dueNanos - (System.nanoTime() - started);
    while (ahead > 0) {
      LockSupport.parkNanos(Math.min(ahead, NAP_NANOS));
      checkUsable.run();
      if (Thread.currentThread().isInterrupted()) {
        throw new ClosedByInterruptException();
      }
      ahead = dueNanos - (System.nanoTime() - started);
    }
  }
}
