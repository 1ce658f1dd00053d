package io.holdfast.core.section.hooks;

import io.holdfast.core.section.ThreadSections;

/// What the agent weaves into code that uses monitors: a call after each `monitorenter`, one before
/// and one after each `monitorexit`, and one of the methods here in the place of {@link
/// Object#wait()}.
///
/// As {@link SectionHooks}, but a monitor that was acquired where nothing is woven is known as
/// such: its release is an edge to others, and no level of the section.
///
/// Thread-safe; each call concerns the calling thread.
public final class MonitorHooks {
  /// After a monitor was acquired.
  public static void acquired(Object monitor) {
    ThreadSections.current().take(monitor, monitor);
  }

  /// Before a monitor is released. Only the release of its last hold lets others in (HOLDS-3 of the
  /// front door's locks).
  public static void releasing(Object monitor) {
    ThreadSections.current().leave(monitor, monitor);
  }

  /// After a monitor was released, or another lock, as {@link SectionHooks#released}.
  public static void released() {
    ThreadSections.released();
  }

  /// Waits as {@link Object#wait()} does. It gives up the monitor with all its holds: alone, that
  /// ends the section; if others are held, it is an uncommitted release. After it, the monitor is
  /// acquired as if anew. A wait that finds the thread interrupted when it begins gives nothing up.
  public static void await(Object monitor) throws InterruptedException {
    await(monitor, 0);
  }

  /// The same for {@link Object#wait(long)}.
  public static void await(Object monitor, long milliseconds) throws InterruptedException {
    ThreadSections thread = ThreadSections.current();
    int holds = giveUp(thread, monitor, milliseconds >= 0);
    try {
      monitor.wait(milliseconds);
    } finally {
      thread.takeAgain(monitor, monitor, holds);
    }
  }

  /// The same for {@link Object#wait(long, int)}.
  public static void await(Object monitor, long milliseconds, int nanoseconds)
      throws InterruptedException {
    ThreadSections thread = ThreadSections.current();
    boolean allowed = milliseconds >= 0 && nanoseconds >= 0 && nanoseconds <= 999_999;
    int holds = giveUp(thread, monitor, allowed);
    try {
      monitor.wait(milliseconds, nanoseconds);
    } finally {
      thread.takeAgain(monitor, monitor, holds);
    }
  }

  /// @param allowed whether the wait will not refuse its arguments
  /// @return the holds; 0 if the thread has none that are known of
  private static int giveUp(ThreadSections thread, Object monitor, boolean allowed)
      throws InterruptedException {
    if (!allowed || !thread.holds(monitor)) {
      thread.publish(monitor);
      return 0;
    }
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    return thread.giveUp(monitor, monitor);
  }

  private MonitorHooks() {}
}
