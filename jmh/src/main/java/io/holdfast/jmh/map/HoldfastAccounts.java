package io.holdfast.jmh.map;

import io.holdfast.Holdfast;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Function;

/// Ours, in a file `accounts.hf`: one hash map. A transfer is two gets and two puts.
final class HoldfastAccounts implements Transfers {
  /// What makes a body atomic and isolated.
  interface Section {
    void run(Runnable body);
  }

  private final Holdfast store;
  private final Section section;
  private final Map<Long, Long> accounts;

  HoldfastAccounts(Path directory, long entries, Function<Holdfast, Section> section) {
    store = Holdfast.open(directory.resolve("accounts.hf"));
    this.section = section.apply(store);
    accounts = store.hashMap("accounts", Long.class, Long.class);
    for (long i = 0; i < entries; i++) {
      accounts.put(Items.longKey(i), 0L);
    }
  }

  @Override
  public void transfer(long from, long to, long amount) {
    section.run(
        () -> {
          add(from, -amount);
          add(to, amount);
        });
  }

  private void add(long item, long amount) {
    long key = Items.longKey(item);
    accounts.put(key, accounts.get(key) + amount);
  }

  @Override
  public long total() {
    return JdkTransfers.total(accounts);
  }

  @Override
  public void close() {
    store.close();
  }
}
