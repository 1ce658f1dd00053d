package io.holdfast.core.memory;

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

  /// How often something was asked for. The same length may be wanted again after it was cut off.
  private volatile int asked;

  /// Up to which of these everything is done, or failed.
  private int answered;

  /// How many pieces are done, or failed.
  private int pieces;

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
    asked++;
    notifyAll();
    if (thread == null && !stopped) {
      try {
        thread = Thread.ofPlatform().daemon().name("holdfast-growth-" + name).start(this::run);
      } catch (OutOfMemoryError e) {
        wanted = 0; // no more threads: a thread that needs the space prepares it
      }
    }
  }

  /// Waits for the next piece if it is on its way to a length, or soon will be. An interrupt does
  /// not end the wait.
  ///
  /// @return whether it was
  synchronized boolean awaitPieceTo(long length) {
    int before = pieces;
    boolean underWay = isUnderWayTo(length);
    Uninterrupted.awaitWhile(() -> pieces == before && isUnderWayTo(length), this);
    return underWay;
  }

  private boolean isUnderWayTo(long length) {
    return thread != null && asked != answered && wanted >= length && !stopped;
  }

  /// Forgets what was asked for, so that it can be asked for again: what was done is undone, or
  /// can't be done.
  synchronized void forget() {
    wanted = 0;
    notifyAll();
  }

  synchronized void stop() {
    stopped = true;
    notifyAll();
  }

  private void run() {
    try {
      while (!stopped) {
        int before = asked;
        boolean more = work.doPiece(wanted);
        endPiece(more ? answered : before);
        awaitWork();
      }
    } finally {
      end();
    }
  }

  private synchronized void endPiece(int nowAnswered) {
    pieces++;
    answered = nowAnswered;
    notifyAll();
  }

  /// An error of the JVM may end the thread: the next to want something starts another.
  private synchronized void end() {
    thread = null;
    wanted = 0;
    notifyAll();
  }

  private synchronized void awaitWork() {
    Uninterrupted.awaitWhile(() -> asked == answered && !stopped, this);
  }
}
