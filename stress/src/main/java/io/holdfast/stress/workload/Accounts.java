package io.holdfast.stress.workload;

import io.holdfast.Holdfast;
import io.holdfast.collections.PersistentHashMap;
import io.holdfast.stress.kill.KillTiming;
import io.holdfast.stress.kill.Violation;
import io.holdfast.stress.kill.Worker;
import io.holdfast.stress.kill.Workload;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/// Threads move amounts between the accounts of a map and count their transfers in it, each
/// transfer in one section: by `atomically`, where others see it half done, or under the locks of
/// both accounts. An account of nothing is removed, so that entries come and go.
///
/// Checked: the sum of all accounts (P1, P2), and that no count is behind what its thread
/// acknowledged after `sync` (P6).
public class Accounts implements Workload {
  private static final String NAME = "accounts";
  static final int ACCOUNTS = 30;
  private static final long SUM = 600;

  private final List<HookedLock> locks = Stream.generate(HookedLock::new).limit(ACCOUNTS).toList();
  private PersistentHashMap<Long, Long> accounts;

  // The model, in the parent.
  private final Acknowledgements acknowledged = new Acknowledgements();

  @Override
  public String name() {
    return NAME;
  }

  static PersistentHashMap<Long, Long> accounts(Holdfast store) {
    return store.hashMap(NAME, Long.class, Long.class);
  }

  /// The accounts, in the worker.
  final PersistentHashMap<Long, Long> accounts() {
    return accounts;
  }

  /// Where a thread counts: no account has such a number.
  private static long counter(int thread) {
    return -1L - thread;
  }

  @Override
  public void setUp(Worker worker) {
    accounts = accounts(worker.store());
    worker
        .store()
        .atomically(
            () -> {
              if (accounts.isEmpty()) {
                add(0L, SUM);
              }
            });
  }

  @Override
  public void work(Worker worker, int thread) {
    RandomGenerator random = worker.random(thread);
    while (true) {
      int from = random.nextInt(ACCOUNTS);
      int to = (from + 1 + random.nextInt(ACCOUNTS - 1)) % ACCOUNTS;
      long amount = 1 + random.nextInt(40);
      if (random.nextBoolean()) {
        transferAtOnce(worker.store(), thread, from, to, amount);
      } else {
        transferUnderLocks(thread, from, to, amount);
      }
      if (random.nextInt(6) == 0) {
        worker.store().sync();
        worker.acknowledge(thread, accounts.get(counter(thread)));
      }
    }
  }

  protected void transferAtOnce(Holdfast store, int thread, int from, int to, long amount) {
    store.atomically(() -> transfer(thread, from, to, amount));
  }

  protected void transferUnderLocks(int thread, int from, int to, long amount) {
    HookedLock first = locks.get(Math.min(from, to));
    HookedLock second = locks.get(Math.max(from, to));
    first.lock();
    second.lock();
    transfer(thread, from, to, amount);
    second.unlock();
    first.unlock();
  }

  /// Single operations, each of which is atomic for its key: so the sum is right at their end,
  /// whoever else does the same.
  protected final void transfer(int thread, int from, int to, long amount) {
    add(from, -amount);
    add(to, amount);
    accounts.merge(counter(thread), 1L, Long::sum);
  }

  /// Adds an amount to an account, which is not there if it has nothing.
  void add(long account, long amount) {
    accounts.merge(account, amount, (before, added) -> before + added == 0 ? null : before + added);
  }

  @Override
  public KillTiming timing() {
    return KillTiming.ACKNOWLEDGED_WORK;
  }

  @Override
  public void acknowledged(int channel, long number) {
    acknowledged.set(channel, number);
  }

  @Override
  public void check(Holdfast store, int lives) {
    PersistentHashMap<Long, Long> found = accounts(store);
    long valid = found.validate();
    Violation.unless(
        valid == found.mappingCount(),
        "a map has different sizes: validated=%d, counted=%d",
        valid,
        found.mappingCount());
    long sum =
        found.reduceToLong(
            Long.MAX_VALUE, (account, amount) -> account < 0 ? 0 : amount, 0, Long::sum);
    Violation.unless(
        found.isEmpty() || sum == SUM,
        "P1 atomic: the sum of all accounts: found=%d, expected=%d",
        sum,
        SUM);
    acknowledged.checkTransfers(thread -> found.getOrDefault(counter(thread), 0L));
  }
}
