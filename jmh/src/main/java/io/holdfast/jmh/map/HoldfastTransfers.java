package io.holdfast.jmh.map;

import io.holdfast.Holdfast;
import io.holdfast.core.Durability;
import java.nio.file.Path;
import java.util.Map;

/// Ours, in a file `transfers.hf`: a hash map and a tree map, changed in `atomically`.
public final class HoldfastTransfers implements Transfers {
  private final Holdfast store;
  private final Map<Long, Long> first;
  private final Map<Long, Long> second;

  /// @param power whether it flushes and fences, as if the file were on persistent memory
  public HoldfastTransfers(Path directory, long entries, boolean power) {
    this(
        Holdfast.open(
            directory.resolve("transfers.hf"),
            power
                ? Holdfast.Options.defaults()
                    .durability(Durability.POWER_FAILURE)
                    .treatAsPersistentMemory()
                : Holdfast.Options.defaults()),
        entries);
  }

  /// @param store becomes theirs
  public HoldfastTransfers(Holdfast store, long entries) {
    this.store = store;
    first = store.hashMap("first", Long.class, Long.class);
    second = store.treeMap("second", Long.class, Long.class);
    JdkTransfers.fill(first, second, entries);
  }

  @Override
  public void transfer(long from, long to, long amount) {
    store.atomically(
        () -> {
          first.merge(Items.longKey(from), -amount, Long::sum);
          second.merge(Items.longKey(to), amount, Long::sum);
        });
  }

  @Override
  public long total() {
    return JdkTransfers.total(first) + JdkTransfers.total(second);
  }

  @Override
  public void close() {
    store.close();
  }
}
