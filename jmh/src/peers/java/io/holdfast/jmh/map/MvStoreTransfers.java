package io.holdfast.jmh.map;

import java.nio.file.Path;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;
import org.h2.mvstore.type.LongDataType;

/// MVStore with two maps and a commit over both, in {@link MvStoreTree}'s setting.
final class MvStoreTransfers implements Transfers {
  private final MVStore store;
  private final MVMap<Long, Long> first;
  private final MVMap<Long, Long> second;

  MvStoreTransfers(Path directory, long entries) {
    store = MvStoreTree.open(directory, false);
    first = map("first");
    second = map("second");
    JdkTransfers.fill(first, second, entries);
    store.commit();
  }

  private MVMap<Long, Long> map(String name) {
    return store.openMap(
        name,
        new MVMap.Builder<Long, Long>()
            .keyType(LongDataType.INSTANCE)
            .valueType(LongDataType.INSTANCE));
  }

  @Override
  public void transfer(long from, long to, long amount) {
    first.put(Items.longKey(from), first.get(Items.longKey(from)) - amount);
    second.put(Items.longKey(to), second.get(Items.longKey(to)) + amount);
    store.commit();
  }

  @Override
  public long total() {
    return JdkTransfers.total(first) + JdkTransfers.total(second);
  }

  @Override
  public void close() {
    store.closeImmediately();
  }
}
