package io.holdfast.core;

/// What is atomic of what a thread does under locks: the stretches at whose ends it stands after a
/// crash. A property of the program, not of the file, which has nothing of it.
///
/// Blocks say for themselves what is atomic, whichever it is: `atomically`, `allOrNothing`,
/// `transaction`, `resumable` and methods that are `@FailureAtomic`.
public enum Regions {
  /// From a thread's first lock to its last release (Atlas): locks that it takes and gives up
  /// inside of others belong to one section. Others may see what it did before its end, and then
  /// depend on it.
  OUTERMOST_CRITICAL_SECTION,

  /// Between any two releases of the program's (Gogte and others, PLDI 2018): each time that a
  /// thread gives up a lock, waits, or writes a volatile field or an atomic, what it stored since
  /// the last time is durable, whatever becomes of the rest. So its log is short however long it
  /// holds a lock, it never waits for others, and a crash undoes nothing that others have seen.
  ///
  /// A change that takes two inner critical sections is then two: after a crash one may be there
  /// without the other. Put it into a block.
  SYNCHRONIZATION_FREE
}
