package io.holdfast.core.log;

import io.holdfast.core.LogFullException;
import java.util.concurrent.locks.Condition;
import java.util.function.LongUnaryOperator;

/// What an {@link AppendLog} does that has no room for an entry: {@link #FAIL}, {@link #block} or
/// {@link #extend}.
public interface WhenFull {
  /// The entry is refused.
  WhenFull FAIL =
      (log, bytes) -> {
        throw new LogFullException(
            "%s: no room for an entry of up to %d bytes: capacity=%d, from=%d, to=%d. Nothing was appended; trim the log, or open it so that it blocks or extends itself"
                .formatted(log, bytes, log.capacity(), log.head(), log.tail()));
      };

  /// There is no room for an entry: makes some, or throws. It is called again if that was not
  /// enough.
  ///
  /// @param bytes how much it may need
  void makeRoom(AppendLog log, long bytes);

  /// The log was trimmed.
  default void trimmed() {}

  /// A ring is no longer part of the log, durably; its space is the caller's again.
  default void dropped(long at, long bytes) {}

  /// Waits until the log is trimmed, by another thread. An entry that is too long for an empty log
  /// is refused, since no trim would help.
  ///
  /// @param trimmed a condition of the lock that guards the log. It is given up while waiting, and
  ///   {@link AppendLog#trim} signals the condition. A thread that is interrupted meanwhile gets a
  ///   {@link LogFullException} and stays interrupted.
  static WhenFull block(Condition trimmed) {
    return new WhenFull() {
      @Override
      public void makeRoom(AppendLog log, long bytes) {
        if (log.head() == log.tail()) {
          throw new LogFullException(
              "%s: no room for an entry of up to %d bytes though the log is empty: capacity=%d. Nothing was appended; make shorter ones or a longer log"
                  .formatted(log, bytes, log.capacity()));
        }
        try {
          trimmed.await();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          throw new LogFullException(
              "%s: interrupted while it waited for room. Nothing was appended; append again"
                  .formatted(log),
              e);
        }
      }

      @Override
      public void trimmed() {
        trimmed.signalAll();
      }
    };
  }

  /// Has the log go on in another ring, at least twice as long.
  ///
  /// @param space takes space: from a number of bytes to where it begins, at a line; what it throws
  ///   reaches whoever appends
  static WhenFull extend(LongUnaryOperator space) {
    return extend(space, (at, bytes) -> {});
  }

  /// The same, and gives back what was taken.
  ///
  /// A crash leaves space that was taken and is not linked yet, or is not any more and was not
  /// given back: what {@link AppendLog#forEachExtension} does not name is free then.
  ///
  /// @param dropped receives space that the log does not use any more, durably
  static WhenFull extend(LongUnaryOperator space, SpaceVisitor dropped) {
    return new WhenFull() {
      @Override
      public void makeRoom(AppendLog log, long bytes) {
        log.extend(space, bytes);
      }

      @Override
      public void dropped(long at, long bytes) {
        dropped.visit(at, bytes);
      }
    };
  }

  /// Receives where some space is.
  interface SpaceVisitor {
    void visit(long at, long bytes);
  }
}
