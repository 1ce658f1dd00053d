package io.holdfast.jmh.queue;

import io.holdfast.Holdfast;
import io.holdfast.core.Durability;
import io.holdfast.core.PersistenceCounts;
import java.nio.file.Path;
import java.util.Queue;

/// Ours, in a file `queue.hf`.
public final class HoldfastQueue implements BenchmarkQueue {
  private final Holdfast store;
  private final Queue<byte[]> queue;

  /// @param power whether it flushes and fences, as if the file were on persistent memory
  public HoldfastQueue(Path directory, boolean power) {
    Holdfast.Options options = Holdfast.Options.defaults();
    store =
        Holdfast.open(
            directory.resolve("queue.hf"),
            power
                ? options.durability(Durability.POWER_FAILURE).treatAsPersistentMemory()
                : options);
    queue = store.queue("queue", byte[].class);
  }

  @Override
  public Access access() {
    return Queues.of(queue);
  }

  /// What was flushed and fenced so far.
  public PersistenceCounts counts() {
    return store.persistence();
  }

  @Override
  public void close() {
    store.close();
  }
}
