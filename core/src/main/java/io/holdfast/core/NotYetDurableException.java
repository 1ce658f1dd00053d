package io.holdfast.core;

/// A section or transaction that has ended and is kept, but is not durable when its call returns:
/// it depends on a section of another thread that has not ended, and waiting for that would never
/// end, or has not for too long.
///
/// Nothing is lost unless a crash comes first. It is durable when the other thread's section ends:
/// give up what that thread waits for, then call `sync()`; or leave what must wait for it to
/// `onDurable`. Do not run the action again: it has run.
public final class NotYetDurableException extends HoldfastException {
  private static final long serialVersionUID = 1L;

  private final transient Thread waitedFor;

  public NotYetDurableException(String message, Thread waitedFor) {
    super(message);
    this.waitedFor = waitedFor;
  }

  /// The thread whose open section it depends on; `null` of an exception that was deserialized.
  public Thread waitedFor() {
    return waitedFor;
  }
}
