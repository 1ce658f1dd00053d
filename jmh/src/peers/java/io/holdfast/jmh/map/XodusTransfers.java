package io.holdfast.jmh.map;

import java.nio.file.Path;
import jetbrains.exodus.ByteIterable;
import jetbrains.exodus.bindings.LongBinding;
import jetbrains.exodus.env.Environment;
import jetbrains.exodus.env.EnvironmentConfig;
import jetbrains.exodus.env.Environments;
import jetbrains.exodus.env.Store;
import jetbrains.exodus.env.StoreConfig;
import jetbrains.exodus.env.Transaction;

/// Xodus with two stores and a transaction over both, in {@link XodusTree}'s setting.
final class XodusTransfers implements Transfers {
  private final Environment environment;
  private final Store first;
  private final Store second;
  private final long entries;

  XodusTransfers(Path directory, long entries) {
    this.entries = entries;
    environment =
        Environments.newInstance(
            directory.resolve("xodus").toFile(), new EnvironmentConfig().setLogDurableWrite(false));
    first = open("first");
    second = open("second");
    environment.executeInTransaction(
        transaction -> {
          for (long i = 0; i < entries; i++) {
            ByteIterable key = LongBinding.longToEntry(Items.longKey(i));
            first.put(transaction, key, LongBinding.longToEntry(0));
            second.put(transaction, key, LongBinding.longToEntry(0));
          }
        });
  }

  private Store open(String name) {
    return environment.computeInTransaction(
        transaction -> environment.openStore(name, StoreConfig.WITHOUT_DUPLICATES, transaction));
  }

  private static long get(Store store, Transaction transaction, long item) {
    return LongBinding.entryToLong(
        store.get(transaction, LongBinding.longToEntry(Items.longKey(item))));
  }

  private static void add(Store store, Transaction transaction, long item, long amount) {
    store.put(
        transaction,
        LongBinding.longToEntry(Items.longKey(item)),
        LongBinding.longToEntry(get(store, transaction, item) + amount));
  }

  @Override
  public void transfer(long from, long to, long amount) {
    environment.executeInTransaction(
        transaction -> {
          add(first, transaction, from, -amount);
          add(second, transaction, to, amount);
        });
  }

  @Override
  public long total() {
    return environment.computeInReadonlyTransaction(
        transaction -> {
          long sum = 0;
          for (long i = 0; i < entries; i++) {
            sum += get(first, transaction, i) + get(second, transaction, i);
          }
          return sum;
        });
  }

  @Override
  public void close() {
    environment.close();
  }
}
