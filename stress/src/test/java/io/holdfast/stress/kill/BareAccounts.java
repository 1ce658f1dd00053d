package io.holdfast.stress.kill;

import io.holdfast.Holdfast;
import io.holdfast.stress.workload.Accounts;

/// A fault: transfers without a section.
public final class BareAccounts extends Accounts {
  @Override
  protected void transferAtOnce(Holdfast store, int thread, int from, int to, long amount) {
    transfer(thread, from, to, amount);
  }
}
