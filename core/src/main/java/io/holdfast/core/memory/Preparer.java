package io.holdfast.core.memory;

import java.util.concurrent.locks.LockSupport;

/// Prepares a region's next bytes in a thread of its own, off the path of those who will need them.
///
/// A platform thread, because virtual ones that are busy inserting would not let it run; it starts
/// with the first call and ends with {@link #stop}. Nobody else knows it, so nobody interrupts it.
///
/// Thread-safe.
final class Preparer {
  /// What is to be prepared.
  interface Work {
    /// Does a piece.
    ///
    /// @return whether there is more to do
    boolean doPiece(long length);
  }

  private final String name;
  private final Work work;
  private Thread thread;
  private volatile long wanted;
  private volatile boolean stopped;

  Preparer(String name, Work work) {
    this.name = name;
    this.work = work;
  }

  /// Has everything prepared up to a length, soon.
  void prepare(long length) {
    if (length > wanted) {
      want(length);
    }
  }

  private synchronized void want(long length) {
    wanted = length;
    if (!stopped) {
      if (thread == null) {
        thread = Thread.ofPlatform().daemon().name("holdfast-growth-" + name).start(this::run);
      } else {
        LockSupport.unpark(thread);
      }
    }
  }

  /// Forgets what was asked for, so that it can be asked for again.
  void forget() {
    wanted = 0;
  }

  void stop() {
    stopped = true;
    LockSupport.unpark(threadOrNull());
  }

  private synchronized Thread threadOrNull() {
    return thread;
  }

  private void run() {
    while (!stopped) {
      if (!work.doPiece(wanted)) {
        LockSupport.park(this);
      }
    }
  }
}
