package io.holdfast.jmh.queue;

import io.holdfast.Holdfast;
import io.holdfast.core.Durability;
import java.nio.file.Path;
import java.util.Queue;

/// Ours, in a file `queue.hf`.
public final class HoldfastQueue implements BenchmarkQueue {
  private final Holdfast store;
  private final Queue<byte[]> queue;

  /// @param power whether it flushes and fences, as if the file were on persistent memory
  public HoldfastQueue(Path directory, boolean power) {
    this(
        Holdfast.open(
            directory.resolve("queue.hf"),
            power
                ? Holdfast.Options.defaults()
                    .durability(Durability.POWER_FAILURE)
                    .treatAsPersistentMemory()
                : Holdfast.Options.defaults()));
  }

  /// @param store becomes the queue's
  public HoldfastQueue(Holdfast store) {
    this.store = store;
    queue = store.queue("queue", byte[].class);
  }

  @Override
  public Access access() {
    return Queues.of(queue);
  }

  @Override
  public void close() {
    store.close();
  }
}
