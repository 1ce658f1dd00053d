package io.holdfast.stress.workload;

import io.holdfast.DurableLock;
import io.holdfast.Holdfast;
import io.holdfast.collections.PersistentHashMap;
import io.holdfast.collections.PersistentQueue;
import io.holdfast.collections.PersistentTreeMap;
import java.util.List;
import java.util.concurrent.locks.Lock;
import java.util.stream.Stream;

/// The collections of {@link Payments} and {@link Transactions}, one of each kind at least.
///
/// | root | holds |
/// |---|---|
/// | `inbox` | the payments that were ordered and not yet made |
/// | `ordered` | of each thread how many it has ordered |
/// | `giro`, `savings` | what each account has; one of nothing is not there |
/// | `index` | the accounts of `giro` by what they have |
/// | `made` | the payments that were made |
record Books(
    PersistentQueue<Payment> inbox,
    PersistentHashMap<Integer, Long> ordered,
    PersistentHashMap<Integer, Long> giro,
    PersistentHashMap<Integer, Long> savings,
    PersistentTreeMap<Long, Integer> index,
    PersistentTreeMap<Long, Payment> made) {
  static final int ACCOUNTS = 30;

  static Books in(Holdfast store) {
    return new Books(
        store.queue("inbox", Payment.class),
        store.hashMap("ordered", Integer.class, Long.class),
        store.hashMap("giro", Integer.class, Long.class),
        store.hashMap("savings", Integer.class, Long.class),
        store.treeMap("index", Long.class, Integer.class),
        store.treeMap("made", Long.class, Payment.class));
  }

  /// Where the index has an account.
  static long place(int account, long amount) {
    return amount * ACCOUNTS + account;
  }

  /// Orders a thread's next payments. By that thread alone.
  ///
  /// @return the number of the last
  long order(int thread, int payments) {
    long last = ordered.getOrDefault(thread, 0L);
    for (int i = 0; i < payments; i++) {
      last++;
      inbox.add(Payment.of(thread, last));
    }
    ordered.put(thread, last);
    return last;
  }

  /// One for each account.
  static List<Lock> locks() {
    return Stream.<Lock>generate(DurableLock::new).limit(ACCOUNTS).toList();
  }

  /// Takes a payment from the inbox and makes it, under its account's lock.
  ///
  /// @return `null` if there is none
  Payment makeNext(List<Lock> locks) {
    Payment payment = inbox.poll();
    if (payment == null) {
      return null;
    }
    Lock lock = locks.get(payment.account());
    lock.lock();
    try {
      make(payment);
    } finally {
      lock.unlock();
    }
    return payment;
  }

  /// Makes a payment that was taken from the inbox, under its account's lock or in a transaction.
  void make(Payment payment) {
    int account = payment.account();
    long before = giro.getOrDefault(account, 0L);
    add(giro, account, -payment.amount());
    add(savings, account, payment.amount());
    index.remove(place(account, before));
    long after = before - payment.amount();
    if (after != 0) {
      index.put(place(account, after), account);
    }
    made.put(payment.key(), payment);
  }

  private static void add(PersistentHashMap<Integer, Long> accounts, int account, long amount) {
    accounts.merge(account, amount, (before, added) -> before + added == 0 ? null : before + added);
  }
}
