package io.holdfast.stress.kill;

import io.holdfast.Holdfast;
import io.holdfast.stress.workload.IndexedAccounts;

/// A fault: a map and its index are changed one behind the other, under a lock that is no section.
public final class BareIndex extends IndexedAccounts {
  @Override
  protected void transferAtOnce(Holdfast store, int thread, int from, int to, long amount) {
    transferUnderLocks(thread, from, to, amount);
  }

  @Override
  protected synchronized void transferUnderLocks(int thread, int from, int to, long amount) {
    transfer(thread, from, to, amount);
  }
}
