package io.holdfast.core.section;

/// What woven code and Holdfast's own locks call. Hooks never throw: one that did would leave a
/// monitor held, or run in javac's own handler for ever (FACTS 13). What fails inside latches the
/// region it concerns ({@link Section}), whose next change says so.
///
/// Thread-safe; each call concerns the calling thread.
public final class SectionHooks {
  /// After a lock was acquired: the section begins, or goes one deeper.
  public static void acquired(Object lock) {
    ThreadSections.current().enter(lock);
  }

  /// After something was read that another thread published by other means than a lock: from here
  /// on this thread depends on what the lock's last releasers have left open.
  public static void observed(Object lock) {
    ThreadSections.current().observe(lock);
  }

  /// Before a lock is released: the section comes one up, or ends.
  public static void releasing(Object lock) {
    ThreadSections.current().exit(lock);
  }

  /// Begins a section without a lock, or goes one deeper.
  public static void enter() {
    ThreadSections.current().enter();
  }

  /// Ends what {@link #enter()} began.
  public static void exit() {
    ThreadSections.current().exit();
  }

  /// Whether the calling thread is inside of a section.
  public static boolean inSection() {
    return ThreadSections.current().inSection();
  }

  private SectionHooks() {}
}
