package io.holdfast.jmh.map;

import io.holdfast.Holdfast;
import io.holdfast.core.Durability;
import io.holdfast.core.PersistenceCounts;
import java.nio.file.Path;
import java.util.Map;

/// Ours, in a file `transfers.hf`: a hash map and a tree map, changed in `atomically`.
public final class HoldfastTransfers implements Transfers {
  private final Holdfast store;
  private final Map<Long, Long> first;
  private final Map<Long, Long> second;

  /// @param power whether it flushes and fences, as if the file were on persistent memory
  public HoldfastTransfers(Path directory, long entries, boolean power) {
    Holdfast.Options options = Holdfast.Options.defaults();
    store =
        Holdfast.open(
            directory.resolve("transfers.hf"),
            power
                ? options.durability(Durability.POWER_FAILURE).treatAsPersistentMemory()
                : options);
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

  /// What was flushed and fenced so far.
  public PersistenceCounts counts() {
    return store.persistence();
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
