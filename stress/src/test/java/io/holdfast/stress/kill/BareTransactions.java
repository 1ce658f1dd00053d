package io.holdfast.stress.kill;

import io.holdfast.Holdfast;
import io.holdfast.Transaction;
import io.holdfast.stress.workload.Transactions;
import java.util.function.Supplier;

/// A fault: sections in place of transactions, which keep what a body did before it failed.
public final class BareTransactions extends Transactions {
  @Override
  protected <T> T section(Holdfast store, Transaction.Options options, Supplier<T> body) {
    try {
      return options.isReadOnly() ? null : store.atomically(body);
    } catch (IllegalStateException e) {
      return null; // there is no retry in a section
    }
  }
}
