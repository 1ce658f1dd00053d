package io.holdfast.core.section.hooks;

import io.holdfast.core.section.ThreadSections;
import io.holdfast.core.section.commit.UncommittedReleases;

/// What the agent weaves in the place of calls that start a thread nobody had before the call, and
/// of those by which a thread learns that it or another one was interrupted; a handler for {@link
/// InterruptedException} tells, too. A thread that is started depends on what its starter had open;
/// one that is interrupted on what the interrupter had open, as soon as it finds out.
///
/// Thread-safe; each call concerns the calling thread.
public final class ThreadHooks {
  /// As {@link Thread#startVirtualThread}.
  public static Thread startVirtualThread(Runnable task) {
    return start(Thread.ofVirtual(), task);
  }

  /// As {@link Thread.Builder#start}, which does these two steps too.
  public static Thread start(Thread.Builder builder, Runnable task) {
    Thread thread = builder.unstarted(task);
    EdgeHooks.writing(thread);
    thread.start();
    return thread;
  }

  /// As {@link Thread#interrupted}.
  public static boolean interrupted() {
    boolean interrupted = Thread.interrupted();
    if (interrupted) {
      learnOfInterrupt(Thread.currentThread());
    }
    return interrupted;
  }

  /// As {@link Thread#isInterrupted}.
  public static boolean isInterrupted(Thread thread) {
    boolean interrupted = thread.isInterrupted();
    if (interrupted) {
      learnOfInterrupt(thread);
    }
    return interrupted;
  }

  /// After an exception was caught that may tell of an interrupt.
  public static void caught(Throwable thrown) {
    if (thrown instanceof InterruptedException) {
      learnOfInterrupt(Thread.currentThread());
    }
  }

  private static void learnOfInterrupt(Thread thread) {
    if (!UncommittedReleases.isEmpty()) {
      ThreadSections.current().observe(thread);
    }
  }

  private ThreadHooks() {}
}
