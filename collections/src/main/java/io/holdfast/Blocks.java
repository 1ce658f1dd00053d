package io.holdfast;

import io.holdfast.collections.overlay.TransactionOverlay;
import io.holdfast.collections.overlay.Transactions;
import io.holdfast.core.NotUndoneException;
import io.holdfast.core.section.Section;
import io.holdfast.core.section.Sections;
import io.holdfast.core.section.ThreadSections;
import io.holdfast.core.section.hooks.SectionHooks;
import java.nio.file.Path;
import java.util.function.Supplier;

/// Runs a program's blocks as sections and transactions, and waits until they are durable where
/// {@link Holdfast} promises that. Each method is its namesake there.
///
/// Thread-safe.
final class Blocks {
  private final Path path;
  private final Sections sections;
  private final Transactions transactions;

  Blocks(Path path, Sections sections, Transactions transactions) {
    this.path = path;
    this.sections = sections;
    this.transactions = transactions;
  }

  <T> T atomically(Supplier<T> action) {
    T result = inSection(action, false);
    sections.awaitDurable("atomically");
    return result;
  }

  <T> T relaxed(Supplier<T> action) {
    T result = inSection(action, false);
    sections.relax();
    return result;
  }

  <T> T allOrNothing(Supplier<T> action) {
    if (sections.heldBack() instanceof TransactionOverlay) {
      return transactions.run(action, false, Long.MAX_VALUE);
    }
    if (SectionHooks.inSection()) {
      throw new IllegalStateException(
          "%s: allOrNothing inside of a section, which can't be undone in part. Use transaction, which can"
              .formatted(path));
    }
    T result = inSection(action, true);
    sections.awaitDurable("allOrNothing");
    return result;
  }

  <T> T transaction(Transaction.Options options, Supplier<T> body) {
    sections.checkUsable();
    T result = transactions.run(body, options.isReadOnly(), options.limitNanos());
    sections.checkCommitted();
    if (options.isRelaxed()) {
      sections.relax();
    } else {
      sections.awaitDurable("transaction");
    }
    return result;
  }

  void onDurable(Runnable action) {
    if (sections.heldBack() instanceof TransactionOverlay transaction) {
      transaction.onDurable(action);
    } else {
      sections.onDurable(action);
    }
  }

  /// @param isUndone whether an exception leaves nothing
  private <T> T inSection(Supplier<T> action, boolean isUndone) {
    sections.checkUsable();
    T result = ThreadSections.current().inBlock(() -> run(action, isUndone));
    sections.checkCommitted();
    return result;
  }

  private <T> T run(Supplier<T> action, boolean isUndone) {
    Section section = sections.current();
    try {
      T result = action.get();
      sections.storeHeldBack();
      section.checkNotUndone();
      return result;
    } catch (Throwable e) {
      try {
        leaveAfter(e, isUndone);
      } catch (StackOverflowError | OutOfMemoryError | LinkageError cut) {
        if (isUndone) {
          // Or the section would end with what it did. No call: there may be no frame for one.
          // Test: FailuresTest.whatALambdaThatCanNotBeMadeCutsOffIsDoneOrNot.
          section.cut = cut;
        }
        throw cut;
      }
      throw e;
    }
  }

  /// @throws RuntimeException what is to be thrown instead
  private void leaveAfter(Throwable thrown, boolean isUndone) {
    if (thrown instanceof InternalError error) {
      checkFault(error);
    }
    if (!isUndone) {
      storeAfter(thrown);
    } else if (!sections.current().undo()) {
      storeAfter(thrown);
      throw notUndone(thrown);
    }
  }

  private void checkFault(InternalError error) {
    RuntimeException refusal;
    try {
      refusal = sections.faulted(error);
    } catch (InternalError _) {
      return; // it has nothing to do with the store's file, and is as any other
    }
    throw refusal;
  }

  /// Stores what the section holds back although the action has thrown.
  private void storeAfter(Throwable thrown) {
    try {
      sections.storeHeldBack();
    } catch (RuntimeException | Error e) {
      if (!e.equals(thrown)) {
        e.addSuppressed(thrown);
      }
      throw e;
    }
  }

  private NotUndoneException notUndone(Throwable cause) {
    return new NotUndoneException(
        "%s: allOrNothing was left by an exception, and what it did before stays, because other threads have already seen it: it gave up a lock in its middle, or they have changed the same keys. Use transaction, of which others see nothing"
            .formatted(path),
        cause);
  }
}
