package io.holdfast.stress.kill;

import io.holdfast.Holdfast;
import io.holdfast.Transaction;
import io.holdfast.stress.workload.Transactions;
import java.util.function.Supplier;

/// A fault: whoever only looks does so without a transaction.
public final class LookingTransactions extends Transactions {
  @Override
  protected <T> T section(Holdfast store, Transaction.Options options, Supplier<T> body) {
    return options.isReadOnly() ? body.get() : super.section(store, options, body);
  }
}
