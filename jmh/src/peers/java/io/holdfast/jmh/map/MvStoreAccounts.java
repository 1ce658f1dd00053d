package io.holdfast.jmh.map;

import java.nio.file.Path;
import org.h2.mvstore.MVStore;
import org.h2.mvstore.tx.Transaction;
import org.h2.mvstore.tx.TransactionMap;
import org.h2.mvstore.tx.TransactionStore;
import org.h2.mvstore.type.LongDataType;

/// MVStore's transactions over one map, in {@link MvStoreTree}'s setting: the store is committed,
/// which writes a chunk and does not sync, after each transaction. Without that a transaction that
/// has returned may be gone when the process dies.
final class MvStoreAccounts implements Transfers {
  private static final String NAME = "accounts";

  /// Entries of one transaction when the map is filled.
  private static final int TOGETHER = 10_000;

  private final MVStore store;
  private final TransactionStore transactions;

  MvStoreAccounts(Path directory, long entries) {
    store = MvStoreTree.open(directory, false);
    transactions = new TransactionStore(store);
    transactions.init();
    for (long i = 0; i < entries; ) {
      Transaction filling = transactions.begin();
      TransactionMap<Long, Long> accounts = map(filling);
      for (long end = Math.min(entries, i + TOGETHER); i < end; i++) {
        accounts.put(Items.longKey(i), 0L);
      }
      commit(filling);
    }
  }

  private static TransactionMap<Long, Long> map(Transaction transaction) {
    return transaction.openMap(NAME, LongDataType.INSTANCE, LongDataType.INSTANCE);
  }

  private void commit(Transaction transaction) {
    transaction.commit();
    store.commit();
  }

  @Override
  public void transfer(long from, long to, long amount) {
    Transaction transaction = transactions.begin();
    TransactionMap<Long, Long> accounts = map(transaction);
    add(accounts, from, -amount);
    add(accounts, to, amount);
    commit(transaction);
  }

  private static void add(TransactionMap<Long, Long> accounts, long item, long amount) {
    long key = Items.longKey(item);
    accounts.put(key, accounts.get(key) + amount);
  }

  @Override
  public long total() {
    Transaction reading = transactions.begin();
    try {
      return JdkTransfers.total(map(reading));
    } finally {
      reading.commit();
    }
  }

  @Override
  public void close() {
    transactions.close();
    store.closeImmediately();
  }
}
