package io.holdfast.core.section.hooks;

import io.holdfast.core.section.Section;
import io.holdfast.core.section.ThreadSections;
import io.holdfast.core.section.commit.UncommittedReleases;

/// What Holdfast's own locks call, and woven code for methods that are sections without a lock.
/// Hooks never throw: one that did would leave a monitor held, or run in javac's own handler for
/// ever (FACTS 13). What fails inside latches the region it concerns ({@link Section}), whose next
/// change says so. {@link #released} alone can end with an error of the JVM's: no lock is held.
///
/// Thread-safe; each call concerns the calling thread.
public final class SectionHooks {
  static {
    HookClasses.initialize(); // HOOKS-1
  }

  /// After a lock was acquired: the section begins, or goes one deeper.
  public static void acquired(Object lock) {
    ThreadSections.current().enterBy(lock);
  }

  /// After something was read that another thread published by other means than a lock: from here
  /// on this thread depends on what the lock's last releasers have left open.
  public static void observed(Object lock) {
    if (!UncommittedReleases
        .isEmpty()) { // one read as a rule: readers of a map come by for each key
      ThreadSections.current().observe(lock);
    }
  }

  /// Before something is written that publishes by other means than a lock, so that no depth
  /// changes: who {@link #observed observes} it depends on the section that the thread is in, and
  /// outside of sections on what its last section still waits for.
  public static void publishing(Object through) {
    ThreadSections.current().publish(through);
  }

  /// Before a lock is released: the section comes one up, or ends.
  public static void releasing(Object lock) {
    ThreadSections.current().exitBy(lock);
  }

  /// After a lock was released, and {@link #releasing} or {@link #exit} was called before: outside
  /// of all sections the thread waits here until what it did is durable, where that takes a device.
  public static void released() {
    ThreadSections.released();
  }

  /// Before {@link #releasing}, {@link #exit} or {@link #awaiting}, of a lock that can tell of a
  /// failure.
  public static void forgetEnded() {
    ThreadSections.forgetEnded();
  }

  /// After {@link #released} or {@link #awaiting}, of such a lock.
  ///
  /// @throws io.holdfast.core.HoldfastException if the section that ended with it was not made
  ///   durable
  public static void checkEnded() {
    ThreadSections.checkEnded();
  }

  /// Before a wait gives up a lock, all at once: the section comes up by all its holds, or ends.
  ///
  /// @param holds how often the thread holds the lock, that is how many levels of the section's
  ///   depth are the lock's; at least 1
  public static void awaiting(Object lock, int holds) {
    ThreadSections.current().exit(lock, holds);
  }

  /// After a wait has taken the lock again, whatever ended the wait: a section begins, or goes
  /// deeper by all the holds.
  ///
  /// @param holds what {@link #awaiting} was told
  public static void awaited(Object lock, int holds) {
    ThreadSections.current().enterBy(lock, holds);
  }

  /// Begins a section without a lock, or goes one deeper.
  public static void enter() {
    ThreadSections.current().enter();
  }

  /// Ends what {@link #enter()} began.
  public static void exit() {
    ThreadSections.current().exitBy(null);
  }

  /// The same for a block that says what is atomic, whatever is released in it.
  public static void enterBlock() {
    ThreadSections.current().enterBlock();
  }

  /// Ends what {@link #enterBlock()} began.
  public static void exitBlock() {
    ThreadSections.current().exitBlock();
  }

  /// Whether the calling thread is inside of a section.
  public static boolean inSection() {
    return ThreadSections.current().inSection();
  }

  private SectionHooks() {}
}
