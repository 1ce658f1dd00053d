package io.holdfast.core.section.commit;

import io.holdfast.core.memory.Uninterrupted;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/// What programs have asked to be done when sections are durable (Atlas 3.5: deferred output).
///
/// **ACTIONS-1** The actions of a section are here before anybody can see that it is durable. So
/// those of a section that happened before another one are here before the other's.
///
/// They run one at a time and in that order, in a virtual thread, which holds no lock: an action
/// may take any, and may open sections. It is there while there is something to do.
///
/// Thread-safe.
public final class DurableActions {
  private static final long NAP_NANOS = 1_000_000;

  /// An action, and when it was asked for.
  ///
  /// @param stamp Lamport's clock then: what happened before in another section that was not
  ///   durable has a lower one
  /// @param section its number: what happened before in the same thread has no higher one
  public record Action(long stamp, long section, Runnable runnable) {
    /// Of actions of sections that become durable together: an order that happens-before allows.
    static final Comparator<Action> ORDER =
        Comparator.comparingLong(Action::stamp).thenComparingLong(Action::section);
  }

  private final String name;
  private final Runnable awaitDurable;
  private final Deque<Action> actions = new ArrayDeque<>();
  private Thread runner;

  /// How many were ever added, and how many of these have run.
  private long all;

  private long done;

  /// @param name the region's, for messages
  /// @param awaitDurable waits until what the caller can see is durable
  public DurableActions(String name, Runnable awaitDurable) {
    this.name = name;
    this.awaitDurable = awaitDurable;
  }

  /// Adds the actions of a section that is about to be durable, in their order.
  synchronized void add(List<Action> added) {
    actions.addAll(added);
    all += added.size();
    start();
  }

  private void start() {
    if (runner == null && !actions.isEmpty()) {
      try {
        runner = Thread.ofVirtual().name("holdfast-durable").start(this::run);
      } catch (OutOfMemoryError | LinkageError e) {
        // No more threads: the next section's actions, or the store's end, see to these as well.
      }
    }
  }

  private void run() {
    for (Action action = next(); action != null; action = next()) {
      try {
        awaitDurable();
        action.runnable().run();
      } catch (Throwable e) { // also what a lambda is not allowed to throw, and can
        log(e);
      }
      Thread.interrupted(); // an action's own is not for the next one
    }
  }

  /// A failure of the JVM says nothing about what is durable, so this waits on.
  private void awaitDurable() {
    for (boolean isDurable = false; !isDurable; ) {
      try {
        awaitDurable.run();
        isDurable = true;
      } catch (VirtualMachineError e) {
        nap();
      }
    }
  }

  private static void nap() {
    try {
      LockSupport.parkNanos(NAP_NANOS);
    } catch (VirtualMachineError e) {
      // A virtual thread needs memory for it.
    }
  }

  private void log(Throwable failure) {
    try {
      System.getLogger("io.holdfast")
          .log(Level.ERROR, () -> name + ": an action for a durable section failed", failure);
    } catch (Throwable e) {
      // The next actions run, whatever the logger does.
    }
  }

  private synchronized Action next() {
    done = all - actions.size();
    notifyAll();
    Action action = actions.poll();
    if (action == null) {
      runner = null;
    }
    return action;
  }

  /// Waits until what was added before has run; runs it where no thread can be started for it.
  /// Returns at once if an action calls it.
  public void finish() {
    synchronized (this) {
      start();
      if (runner != null || actions.isEmpty()) {
        long before = all;
        Uninterrupted.awaitWhile(
            () -> runner != null && done < before && !runner.equals(Thread.currentThread()), this);
        return;
      }
      runner = Thread.currentThread();
    }
    run();
  }
}
