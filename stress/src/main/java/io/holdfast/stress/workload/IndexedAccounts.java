package io.holdfast.stress.workload;

import io.holdfast.Holdfast;
import io.holdfast.collections.PersistentTreeMap;
import io.holdfast.stress.kill.Violation;
import io.holdfast.stress.kill.Worker;
import java.util.TreeMap;

/// {@link Accounts} with an index: a sorted map has them by what they hold. Each transfer changes
/// both maps in one section, always under the locks of both accounts; half of the locks are taken
/// and given up inside of another section, where others see what a kill still undoes.
///
/// Checked besides: the index has each account of the map, and nothing else (P1, P2).
public class IndexedAccounts extends Accounts {
  private static final String NAME = "tree-index";

  private PersistentTreeMap<Long, Long> index;

  @Override
  public String name() {
    return NAME;
  }

  private static PersistentTreeMap<Long, Long> index(Holdfast store) {
    return store.treeMap("index", Long.class, Long.class);
  }

  private static long key(long account, long amount) {
    return amount * ACCOUNTS + account;
  }

  @Override
  public void setUp(Worker worker) {
    index = index(worker.store());
    super.setUp(worker);
  }

  @Override
  protected void transferAtOnce(Holdfast store, int thread, int from, int to, long amount) {
    store.atomically(() -> transferUnderLocks(thread, from, to, amount));
  }

  @Override
  void add(long account, long amount) {
    long before = accounts().getOrDefault(account, 0L);
    super.add(account, amount);
    index.remove(key(account, before));
    if (before + amount != 0) {
      index.put(key(account, before + amount), account);
    }
  }

  @Override
  public void check(Holdfast store, int lives) {
    super.check(store, lives);
    TreeMap<Long, Long> expected = new TreeMap<>();
    accounts(store)
        .forEach(
            (account, amount) -> {
              if (account >= 0) {
                expected.put(key(account, amount), account);
              }
            });
    PersistentTreeMap<Long, Long> found = index(store);
    long valid = found.validate();
    Violation.unless(
        valid == expected.size() && found.size() == valid && expected.equals(new TreeMap<>(found)),
        "P1 atomic: an index is not that of its map: validated=%d, size=%d, found=%s, expected=%s",
        valid,
        found.size(),
        found,
        expected);
    TreeChanges.checkOrder(found, expected);
  }
}
