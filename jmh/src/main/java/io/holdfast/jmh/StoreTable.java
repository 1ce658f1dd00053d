package io.holdfast.jmh;

import io.holdfast.jmh.map.Draws;
import io.holdfast.jmh.map.HoldfastTransfers;
import io.holdfast.jmh.queue.BenchmarkQueue;
import io.holdfast.jmh.queue.HoldfastQueue;
import java.util.List;

/// What a queue's operations and a transaction over two collections take where the power may fail,
/// counted by a store of {@link io.holdfast.Holdfast}'s. No clock is involved, but this process
/// must be able to write cache lines back.
final class StoreTable {
  private static final int OPERATIONS = 20_000;
  private static final int ENTRIES = 10_000;

  private StoreTable() {}

  static List<MapTable.Row> queue() {
    try (Scratch scratch = new Scratch();
        HoldfastQueue queue = new HoldfastQueue(scratch.directory(), true)) {
      MapTable.Counter counter = new MapTable.Counter(queue::counts);
      BenchmarkQueue.Access access = queue.access();
      Elements elements = new Elements();
      return List.of(
          counter.count(
              "offer of 64 bytes, growth included",
              OPERATIONS,
              _ -> access.offer(elements.fresh())),
          counter.count("poll, chunks given back included", OPERATIONS / 2, _ -> access.poll()),
          counter.count(
              "offer and poll",
              OPERATIONS,
              _ -> {
                access.offer(elements.fresh());
                access.poll();
              }));
    }
  }

  static List<MapTable.Row> transfers() {
    try (Scratch scratch = new Scratch();
        HoldfastTransfers collections = new HoldfastTransfers(scratch.directory(), ENTRIES, true)) {
      Draws draws = new Draws(1);
      return List.of(
          new MapTable.Counter(collections::counts)
              .count(
                  "transfer",
                  OPERATIONS,
                  _ -> collections.transfer(draws.item(ENTRIES), draws.item(ENTRIES), 1)));
    }
  }
}
