package io.holdfast.agent;

/// What the weaver recognizes in a method.
enum Construct {
  /// A `synchronized` block: one `monitorenter`.
  BLOCK("synchronized block"),
  /// A `synchronized` method.
  METHOD("synchronized method"),
  /// `Object.wait`.
  WAIT("wait"),
  /// A call of a lock: `Lock`, `ReadWriteLock`, `StampedLock`.
  LOCK("lock"),
  /// A wait for a `Condition`.
  CONDITION("wait for a condition"),
  /// A read or write of a volatile field.
  VOLATILE("volatile field"),
  /// An access of `java.util.concurrent.atomic` or by a `VarHandle`.
  ATOMIC("atomic access"),
  /// A call by which threads hand something to each other: queues, maps, latches, threads.
  EDGE("hand-over"),
  /// A call by which threads hand something over if the object is one that they share. The declared
  /// type does not say, so it is asked at run time.
  SHARED("collection that may be shared"),
  /// A call that hands a task to another thread, or waits for one.
  HANDED("task"),
  /// A method or lambda that an executor may run, or a call that runs some if a stream is parallel,
  /// which is asked at run time.
  TASK("possible task"),
  /// A method with `@FailureAtomic`.
  ANNOTATED("@FailureAtomic"),
  /// A lock, monitor or wait that `@NotFailureAtomic` keeps out.
  LEFT_OUT("left out by @NotFailureAtomic:"),
  /// Something that looks like the above and is not woven, because its class is not to be found or
  /// its form is not supported.
  NOT_WOVEN("not woven:");

  private final String words;

  Construct(String words) {
    this.words = words;
  }

  /// Whether the code was changed.
  boolean isWoven() {
    return this != LEFT_OUT && this != NOT_WOVEN;
  }

  /// Whether it is worth a word to the user: calls of collections and lambdas are everywhere.
  boolean isTold() {
    return this != SHARED && this != TASK;
  }

  /// In words, for the user.
  @Override
  public String toString() {
    return words;
  }
}
