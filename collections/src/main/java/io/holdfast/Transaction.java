package io.holdfast;

import io.holdfast.collections.overlay.Transactions;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/// What the body of a transaction may ask for, and how one is run; see {@link
/// Holdfast#transaction(Supplier)}.
///
/// ```java
/// long left = store.transaction(() -> {
///   long have = accounts.getOrDefault(from, 0L);
///   if (have < cents) Transaction.retry();          // waits until the account has changed
///   accounts.put(from, have - cents);
///   accounts.merge(to, cents, Long::sum);
///   return have - cents;
/// });
/// ```
///
/// Thread-safe; each call concerns the calling thread's transaction.
public final class Transaction {
  /// Ends this run of the body, waits until something that the transaction has read has changed,
  /// and runs the body again. Nothing that the transaction did meanwhile is there.
  ///
  /// A thread that waits holds nothing. It is woken by whatever changes the store in this process.
  ///
  /// @return never; the type fits any expression
  /// @throws IllegalStateException outside of transactions. In a transaction inside of a section (a
  ///   lock, `atomically`) the transaction throws it: the wait would keep what the section has
  ///   locked
  /// @throws io.holdfast.core.HoldfastException from the transaction, if the thread is interrupted
  ///   before or while it waits, and it stays interrupted
  public static <T> T retry() {
    throw Transactions.current().retry();
  }

  /// Runs one of two alternatives: the first one, and if that asks to wait by {@link #retry}, the
  /// second one in its place; what the first one changed is dropped then. If both ask to wait, the
  /// transaction waits for a change of what either has read.
  ///
  /// @throws IllegalStateException outside of transactions
  public static <T> T orElse(Supplier<T> first, Supplier<T> second) {
    Objects.requireNonNull(first, "first");
    Objects.requireNonNull(second, "second");
    return Transactions.current().orElse(first, second);
  }

  /// The same for what returns nothing.
  public static void orElse(Runnable first, Runnable second) {
    Objects.requireNonNull(first, "first");
    Objects.requireNonNull(second, "second");
    orElse(result(first), result(second));
  }

  static Supplier<Void> result(Runnable action) {
    return () -> {
      action.run();
      return null;
    };
  }

  /// How a transaction is run. Immutable. Of a transaction inside of another one, which is a part
  /// of that, {@link #readOnly} alone counts.
  ///
  /// @param isReadOnly whether a change is refused
  /// @param timeLimit how long it may take with all its further runs and waits; `null` for no limit
  /// @param isRelaxed whether it returns although it may depend on a section that has not ended
  public record Options(boolean isReadOnly, Duration timeLimit, boolean isRelaxed) {
    private static final Options DEFAULTS = new Options(false, null, false);

    /// @throws IllegalArgumentException if the limit is not more than zero
    public Options {
      if (timeLimit != null && !timeLimit.isPositive()) {
        throw new IllegalArgumentException(
            "too short: timeLimit=%s, min=1 ns".formatted(timeLimit));
      }
    }

    /// May read and change, takes the time that it takes, and is durable when it returns.
    public static Options defaults() {
      return DEFAULTS;
    }

    /// Only reads: a snapshot of all collections that it looks at, which keeps no writer waiting,
    /// unless others have changed what it reads in each of eight runs: then it locks the
    /// collections that it has come to. A change throws `IllegalStateException`. Opening a
    /// collection that is not there creates it all the same, and it stays.
    public Options readOnly() {
      return new Options(true, timeLimit, isRelaxed);
    }

    /// Is given up, by a {@link io.holdfast.core.TransactionTimeoutException}, when it would run
    /// again or wait after this time. A run of the body is not cut off.
    ///
    /// @param limit more than zero
    public Options timeLimit(Duration limit) {
      return new Options(isReadOnly, Objects.requireNonNull(limit, "limit"), isRelaxed);
    }

    /// Returns at once although it may depend on a section that has not ended; as {@link
    /// Holdfast#relaxed(Supplier)}.
    public Options relaxed() {
      return new Options(isReadOnly, timeLimit, true);
    }

    long limitNanos() {
      return timeLimit == null ? Long.MAX_VALUE : TimeUnit.NANOSECONDS.convert(timeLimit);
    }
  }

  private Transaction() {}
}
