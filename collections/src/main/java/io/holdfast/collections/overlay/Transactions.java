package io.holdfast.collections.overlay;

import io.holdfast.collections.overlay.TransactionOverlay.Abort;
import io.holdfast.core.HoldfastException;
import io.holdfast.core.TransactionCounts;
import io.holdfast.core.TransactionTimeoutException;
import io.holdfast.core.section.Sections;
import io.holdfast.core.section.ThreadSections;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/// Runs the transactions of a store.
///
/// Thread-safe.
public final class Transactions {
  /// Runs of a body in vain, after which the next one locks what it comes to (T6).
  private static final int VAIN_MAX = 8;

  /// The longest wait before another run: 1 ms, the first one 2 µs.
  private static final int BACK_OFF_SHIFT_MAX = 9;

  private final String name;
  private final Sections sections;
  private final LongAdder committed = new LongAdder();
  private final LongAdder aborted = new LongAdder();
  private final LongAdder waited = new LongAdder();
  private final LongAdder locking = new LongAdder();

  /// @param name of the store, for messages
  public Transactions(String name, Sections sections) {
    this.name = name;
    this.sections = sections;
  }

  public TransactionCounts counts() {
    return new TransactionCounts(committed.sum(), aborted.sum(), waited.sum(), locking.sum());
  }

  /// The transaction that the calling thread is in.
  ///
  /// @throws IllegalStateException if it is in none
  public static TransactionOverlay current() {
    if (ThreadSections.current().heldBack() instanceof TransactionOverlay transaction) {
      return transaction;
    }
    throw new IllegalStateException("not in a transaction. Call this in the body of one");
  }

  /// Runs a body as a transaction, or as a part of the one that the thread is in.
  ///
  /// @param limitNanos how long it may take, with its further runs
  public <T> T run(Supplier<T> body, boolean isReadOnly, long limitNanos) {
    ThreadSections thread = ThreadSections.current();
    if (thread.heldBack() instanceof TransactionOverlay transaction) {
      return transaction.runPart(body, isReadOnly); // T7
    }
    if (thread.inSection() && !thread.holdsBack()) {
      throw new IllegalStateException(
          "%s: a transaction inside of a collection's operation, which holds locks. Call the function's work after it"
              .formatted(name));
    }
    TransactionOverlay transaction =
        new TransactionOverlay(thread.heldBack(), thread.inSection(), isReadOnly);
    boolean isLimited = limitNanos < Long.MAX_VALUE;
    long start = isLimited ? System.nanoTime() : 0; // a look at the clock is 20 ns
    try {
      for (int vain = 0; ; vain++) {
        Abort abort;
        try {
          boolean isLocking = vain >= VAIN_MAX;
          T result = thread.inBlock(() -> run(thread, transaction, body, isLocking));
          committed.increment();
          return result;
        } catch (Abort e) {
          abort = e;
        }
        sections.checkUsable();
        if (abort == Abort.RETRY) {
          waited.increment();
          awaitChange(transaction, start, limitNanos);
          vain = -1;
        } else {
          aborted.increment();
          checkTime(start, limitNanos);
          backOff(vain);
          vain = abort == Abort.OPENING ? -1 : vain;
        }
        transaction.runAgain();
      }
    } finally {
      try {
        transaction.forget();
      } catch (VirtualMachineError | LinkageError e) { // where the stack ends
        sections.breakOff(e); // or what it has claimed would be missed for good
      }
    }
  }

  private <T> T run(
      ThreadSections thread, TransactionOverlay transaction, Supplier<T> body, boolean isLocking) {
    try {
      sections.holdBack(transaction);
      if (isLocking) {
        locking.increment();
        transaction.lockAll();
      }
      T result = transaction.runBody(body);
      transaction.commit(sections);
      transaction.actions().forEach(sections::onDurable);
      return result;
    } catch (InternalError e) {
      throw sections.faulted(e);
    } finally {
      try {
        if (transaction.isInner()) {
          transaction.comeUp(thread);
        }
      } catch (StackOverflowError | OutOfMemoryError | LinkageError e) {
        sections.breakOff(e); // where the very call fails, locks are kept (LOCK-4)
      }
    }
  }

  /// How many changes of elements the transaction that the thread is in has made.
  public long changes() {
    return current().changes();
  }

  /// Whether {@link #cut} is possible: the thread is in the body of a transaction, and in nothing
  /// that is a part of that.
  public boolean canCut() {
    ThreadSections thread = ThreadSections.current();
    return thread.heldBack() instanceof TransactionOverlay transaction
        && transaction.isWhole()
        && thread.isAboutToKeepChanges();
  }

  /// Ends the transaction that the thread is in, as the end of its body would, and begins another
  /// one in the same body, which is run again from its beginning if that one can't be committed.
  /// Waits for no device.
  public void cut() {
    ThreadSections thread = ThreadSections.current();
    TransactionOverlay transaction = current();
    try {
      transaction.commit(sections);
    } catch (Throwable e) {
      transaction.endBy( // J1: a full device, say
          e instanceof RuntimeException exception
              ? exception
              : new HoldfastException(
                  "%s: a cut has failed before, and so has the rest of its job. Call the job again: it goes on at the cut before"
                      .formatted(name),
                  e));
      throw e;
    }
    transaction.actions().forEach(sections::onDurable);
    try {
      thread.exitBlock();
      committed.increment();
      sections.checkCommitted();
      sections.relax();
    } finally { // what ends the body leaves the section that it finds there
      thread.enterBlock();
      sections.holdBack(transaction);
      transaction.beginAnew();
    }
  }

  private void checkTime(long start, long limitNanos) {
    if (limitNanos < Long.MAX_VALUE && System.nanoTime() - start > limitNanos) {
      throw new TransactionTimeoutException(
          "%s: a transaction took longer than it may: limit=%s. Nothing that it did is there: try again, or allow more time; %s"
              .formatted(name, Duration.ofNanos(limitNanos), counts()));
    }
  }

  private static void backOff(int vain) {
    long nanos = 2_000L << Math.min(vain, BACK_OFF_SHIFT_MAX);
    LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(nanos));
  }

  private void awaitChange(TransactionOverlay transaction, long start, long limitNanos) {
    if (transaction.isInner()) {
      throw new IllegalStateException(
          "%s: retry in a transaction inside of a section, which would wait with what the section has locked"
              .formatted(name));
    }
    transaction.beforeWait();
    if (transaction.isLocking()) {
      checkTime(start, limitNanos);
      return; // it has recorded nothing that could change: a run that locks nothing will
    }
    while (!sections.awaitChange(transaction::hasChanged)) {
      checkTime(start, limitNanos);
      sections.checkUsable();
      if (Thread.currentThread().isInterrupted()) {
        throw new HoldfastException(
            "%s: the thread was interrupted while a transaction waited for a change. Nothing that it did is there: run it again, after Thread.interrupted()"
                .formatted(name));
      }
    }
  }
}
